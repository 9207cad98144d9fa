/** A target that plants the secrets of a run, in every spelling, in every place that it controls. */
import { createServer, STATUS_CODES, type IncomingMessage } from "node:http";
import { liveTarget } from "../../src/run/live-target.ts";
import { type Target } from "../../src/target/target.ts";
import { listen } from "../listen.ts";

/** A key as services give it out. */
export const key = "cbk_live-7Q'x9\"Zr/4+mN2pLw8";
/** The values of extra headers that are secret. */
export const headers = { "x-bypass-token": "pass-0a1b2c3d4e", "x-tenant": "plainword", "x-session-pin": "4711" };
/** Other secrets of the target that no report may contain. */
const values = {
  cookie: "s3ss10n-c00k13-value",
  shortCookie: "en",
  setCookie: "set-c00kie-5ecret",
  signature: "AbC%2Fdef0123456789signature",
  viewer: "https://viewer.example/live/f00dfeedcafe?token=viewertoken123",
};

const backwards = (text: string): string => Array.from(text).toReversed().join("");
const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, "0");

/** Returns the spellings of a value, by name. */
function spellings(value: string): Record<string, string> {
  return {
    "as it is": value,
    "in capitals": value.toUpperCase(),
    "in small letters": value.toLowerCase(),
    "URL-encoded": encodeURIComponent(value),
    "URL-encoded throughout": value.replace(/[^]/g, (character) => `%${hex(character)}`),
    "URL-encoded twice": encodeURIComponent(encodeURIComponent(value)),
    "as JSON": JSON.stringify(value).slice(1, -1),
    "as JSON in JSON": JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    "as JSON escapes": value.replace(/[^]/g, (character) => `\\u00${hex(character)}`),
    "as HTML": value.replaceAll('"', "&quot;").replace(/[^\w&;]/g, (character) => `&#${character.charCodeAt(0)};`),
    "in base64": Buffer.from(value).toString("base64"),
    "in base64 with a user": Buffer.from(`user:${value}:`).toString("base64"),
    "in base64 for addresses": Buffer.from(`u:${value}`).toString("base64url"),
    "in hexadecimal": Buffer.from(value).toString("hex"),
    backwards: backwards(value),
  };
}

/** Everything that may not be found anywhere, with a name for it. */
export function canaries(apiKey: string): ReadonlyMap<string, string> {
  const all: [string, string][] = Object.entries(spellings(apiKey)).map(([how, text]) => [`the key ${how}`, text]);
  if (half(apiKey).length >= 6) all.push(["the first half of the key", half(apiKey)]);
  if (apiKey.length > 6) all.push(["the key but its last character", apiKey.slice(0, -1)]);
  for (const [how, text] of Object.entries(spellings(headers["x-bypass-token"]))) all.push([`a header ${how}`, text]);
  for (const [name, text] of Object.entries(values)) if (text.length > 2) all.push([name, text]);
  all.push(["the token of the viewer", "viewertoken123"], ["a signature", decodeURIComponent(values.signature)]);
  return new Map(all);
}

/** Starts the target; what it answers repeats the secrets. */
export async function startMalicious(
  apiKey: string,
): Promise<{ target: Target; [Symbol.asyncDispose]: () => Promise<void> }> {
  const loot = [...canaries(apiKey).values()];
  const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
    request.resume().once("end", () => {
      const { status, type, body } = answerTo(request, loot, apiKey);
      response.writeHead(
        status,
        `${STATUS_CODES[status]} ${latin(loot.join(" "))}`,
        [
          ["content-type", `${type}; note="${latin(apiKey)}"`],
          [
            "location",
            `/next?X-Amz-Signature=${values.signature}&key=${encodeURIComponent(apiKey)}#access_token=viewertoken123`,
          ],
          ["set-cookie", `sid=${values.setCookie}; Path=/`],
          ["set-cookie", `lang=${values.shortCookie}`],
          [`x-${apiKey.replace(/[^\w-]/g, "")}`, latin(loot.join(" "))],
          ["x-echo", latin(loot.toReversed().join("|"))],
          ["refresh", `0; url=https://cdn.example/a.mp4?X-Amz-Signature=${values.signature}`],
        ].flat(),
      );
      const bytes = Buffer.from(body);
      // In the middle of whatever stands there.
      for (let at = 0; at < bytes.length; at += 997) response.write(bytes.subarray(at, at + 997));
      response.end();
    });
  });
  const url = await listen(server);
  const target = liveTarget({
    baseUrl: url,
    apiKey,
    sessionId: "open-session",
    endedSessionId: "ended-session",
    headers,
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { target, [Symbol.asyncDispose]: close };
}

interface Planted {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const latin = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, "");
const signed = `https://cdn.example/a.mp4?X-Amz-Signature=${values.signature}`;

const json = (value: unknown, status = 200): Planted => ({
  status,
  type: "application/json",
  body: JSON.stringify(value),
});

let turn = 0;

function answerTo({ url = "", method }: IncomingMessage, loot: readonly string[], apiKey: string): Planted {
  turn += 1;
  // So that the key stands across each place at which something may be cut: after 120, 200, 500, 1,000 and 16,384 characters.
  const cut = [120, 200, 500, 1_000, 16_384][turn % 5] ?? 0;
  const across = (before: number): string =>
    "x".repeat(Math.max(0, cut - before - (turn % apiKey.length))) + ` ${apiKey}`;
  const words = [...loot, signed, signed.replaceAll("/", "\\/"), `seg0.ts?X-Amz-Signature=${values.signature}`];
  const cookies = ["cookie", "setCookie", "shortCookie"].map((name) => ({
    name,
    value: Reflect.get(values, name),
    domain: 7,
  }));
  if (url.includes("/automation/")) return method === "POST" ? stream(words, across(20)) : json({});
  if (turn % 7 === 0)
    return { status: 500, type: "text/html", body: `<p>${across(3)}</p><pre>${words.join("\n")}</pre>` };
  if (turn % 7 === 1) return { status: 200, type: "application/json", body: `${across(0)}${words.join(" ")}` };
  if (url.includes("/cookies")) {
    const repr = `{'value': '${values.cookie}', "value" : 12345678}`;
    return json({
      cookies: [...cookies, values.cookie, `sid=${values.cookie}; Path=/`, repr],
      echo: words,
      sid: values.cookie,
    });
  }
  if (url.includes("/replay")) {
    const playlist = `#EXTM3U\n#EXTINF:1,\n${signed}\nseg0.ts?X-Amz-Signature=${values.signature}\n`;
    return json({
      mp4_url: signed,
      playlist_content: playlist,
      expires_at: across(10),
      video_start_ms: words,
      echo: words,
    });
  }
  if (turn % 3 === 0) {
    const detail = words.map((word) => ({ loc: ["body", word], msg: word, type: word, input: words, ctx: word }));
    return json({ detail: [...detail, across(12)] }, 422);
  }
  return json({
    markdown: [across(5)],
    images: words.map((word) => ({ url: 7, category: word, description: [word] })),
    structured: words,
  });
}

function stream(words: readonly string[], long: string): Planted {
  const events = words.flatMap((word) => [
    { type: word },
    { type: "status", status: word },
    { type: "message_complete", role: word },
    { type: "function_uploaded", function_id: word, function_name: [word], created_at: { [word]: word } },
    { type: "notte_session_data", viewer_url: values.viewer },
  ]);
  const lines = [
    ...events.map((event) => `data: ${JSON.stringify(event)}`),
    ...words,
    long,
    `event: ${words[0]}`,
    `${words[1]}: x`,
  ];
  const end = { type: "error", error: words.join(" "), detail: { viewer_url: values.viewer } };
  return { status: 200, type: "text/event-stream", body: `${lines.join("\n\n")}\n\ndata: ${JSON.stringify(end)}\n\n` };
}
