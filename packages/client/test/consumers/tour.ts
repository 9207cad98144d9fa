// Uses what the package exports as a consumer does. Compiled by several versions of TypeScript, and run.
import {
  ClientError,
  createCloudBrowser,
  createSpendLedger,
  type CloudBrowserOptions,
  type Extraction,
  type ScrapeRequest,
  type StandardJsonSchema,
} from "@cloud-browser/client";
import { toCookieHeader, toPlaywrightCookies } from "@cloud-browser/client/cookies";
import { parsePlaylist, waitForReplay, type DownloadOptions } from "@cloud-browser/client/replay";

interface Ferry {
  pier: number;
}

/** Answers without a network. */
const answers: Record<string, () => Response> = {
  scrape: () => json({ markdown: "# Ferries", images: [], structured: { success: true, data: { pier: 3 } } }),
  cookies: () => json({ cookies: [{ name: "sid", value: "1", domain: "ferries.example", path: "/", secure: true }] }),
  replay: () =>
    json({
      mp4_url: "https://files.example/a.mp4",
      playlist_content: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n",
    }),
  start: () =>
    new Response('data: {"type":"done","metadata":{"thread_id":"t"},"total_cost_usd":0.5}\n', {
      headers: { "content-type": "text/event-stream" },
    }),
};
const options: CloudBrowserOptions = {
  apiKey: () => "key",
  baseUrl: "https://service.example",
  retries: { max: 1 },
  timeouts: { totalMs: 10_000 },
  hooks: { onResponse: ({ status }) => void status.toFixed() },
  fetch: async ({ url }) => {
    const answer = answers[new URL(url).pathname.split("/").pop() || ""];
    return answer ? answer() : json({ detail: "no such session" }, 404);
  },
};
const client = createCloudBrowser(options);

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

const isFerry = (value: unknown): value is Ferry => typeof value === "object" && value !== null && "pier" in value;
const piers: StandardJsonSchema<number> = {
  "~standard": {
    version: 1,
    vendor: "tour",
    validate: (value) => (isFerry(value) ? { value: value.pier } : { issues: [{ message: "no ferry" }] }),
    jsonSchema: { input: () => ({ type: "object" }) },
  },
};

async function tour(): Promise<string> {
  const request: ScrapeRequest = { only_main_content: true };
  const { markdown } = await client.scrape("s1", request);
  const { images } = await client.scrape("s1", { only_images: true });
  const { structured } = await client.scrape("s1", { response_format: [{ type: "object" }, isFerry] });
  const extraction: Extraction<Ferry> = structured;
  const pier: number = await client.extract("s1", { response_format: piers });
  const ferry = await client.extract<Ferry>("s1", { response_format: { type: "object", required: ["pier"] } });

  const { data, response } = await client.cookies("s1").withResponse();
  const { header } = toCookieHeader(data, "https://ferries.example/");
  const { cookies } = toPlaywrightCookies(data);

  const replay = await waitForReplay(client, "s1");
  const { segments } = parsePlaylist(replay.playlist_content ?? "");
  const downloading: DownloadOptions = { onProgress: ({ receivedBytes }) => void receivedBytes.toFixed() };

  const ledger = createSpendLedger({ budgetUsd: 1 });
  const stream = await client.automate({ query: "q" }, { ledger });
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  const outcome = await stream.outcome();
  const cost = outcome.type === "done" ? outcome.event.total_cost_usd : undefined;

  const { error } = await client.raw.GET("/sessions/{session_id}/cookies", { params: { path: { session_id: "s1" } } });
  const code = await client.scrape("s1", { response_format: { type: "strnig" } }).then(
    () => "none",
    (thrown: unknown) => (thrown instanceof ClientError ? thrown.code : "unknown"),
  );
  const reported = [
    markdown,
    images.length,
    extraction.success && extraction.data.pier,
    pier,
    ferry.pier,
    response.status,
  ];
  const more = [
    header,
    cookies.length,
    segments.length,
    typeof downloading,
    types.join(),
    cost,
    ledger.spentUsd,
    error,
  ];
  return JSON.stringify([...reported, ...more, code]);
}

void tour().then((text) => console.log(text));
