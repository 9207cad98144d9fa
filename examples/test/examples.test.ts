import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = new URL("..", import.meta.url);
const noted = /^CLOUD_BROWSER_BASE_URL is not set: (?:using|judging) a mock at http:\/\/127\.0\.0\.1:\d+$/;

/** Runs an example as its own process, in an environment without an address unless one is given. */
function run(
  file: string,
  given: Record<string, string> = {},
): Promise<{ code: unknown; lines: string[]; stderr: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_"));
  const env = { ...Object.fromEntries(inherited), ...given };
  const args = ["--conditions=@cloud-browser/source", fileURLToPath(new URL(file, folder))];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: 90_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, lines: stdout.trimEnd().split("\n"), stderr });
    });
  });
}

const examples = [
  {
    file: "scrape.ts",
    want: [
      expect.stringMatching(noted),
      "# Harbour ferries",
      "",
      "The next ferry leaves at 14:20 from [pier 3](https://ferries.example/piers/3).",
    ],
  },
  {
    file: "cookies-and-replay.ts",
    want: [
      expect.stringMatching(noted),
      "cookie sid of ferries.example",
      expect.stringMatching(/^cookie \S+ of \S+$/),
      expect.stringMatching(
        /^replay of 12\.5 s at https:\/\/recordings\.example\/9f6e1c52\/replay\.mp4, until 20\d\d-/,
      ),
    ],
  },
  {
    file: "follow-automation.ts",
    want: [
      expect.stringMatching(noted),
      "status: starting",
      "tool: open_page",
      "function: next_ferry (5b0f7d0e-63a1-4a3c-9c51-0d6a2f6e8b11)",
      "answer: The next ferry leaves at 14:20.",
      "done, for 0.0431 US dollars",
    ],
  },
  {
    file: "live-session.ts",
    want: ["# Green tea", "Green tea: 4.5 EUR", "basket b17", expect.stringMatching(/^a video of \d+ s$/)],
  },
  {
    file: "live-automation.ts",
    want: [
      'Opened the page "Tea shop" (the shop/).',
      expect.stringMatching(/^Filled /),
      expect.stringMatching(/^Pressed /),
      "Extracted table: 1 row.",
      '{"table":[{"Tea":"Green tea","Price":"4.5"}]} for 0 US dollars',
      '{"table":[{"Tea":"Black tea","Price":"3.9"}]}',
    ],
  },
  {
    file: "list-images.ts",
    want: [
      expect.stringMatching(noted),
      "Pier 3 at low tide: https://ferries.example/photos/pier-3.jpg",
      "Map of the piers: https://ferries.example/map.svg",
      "7 images in all",
    ],
  },
  {
    file: "extract-data.ts",
    want: [expect.stringMatching(noted), "Day ticket: 1850 cents", "no ticket: no price on the page"],
  },
  {
    file: "spend-within-budget.ts",
    want: [
      expect.stringMatching(noted),
      "pier 1: done",
      "pier 2: done",
      "pier 3: not started",
      "0.0862 US dollars for 2 runs, 0 of unknown cost",
    ],
  },
  {
    file: "handle-errors.ts",
    want: [
      "# Harbour ferries",
      "wrong at body.selector: no such element",
      "no session trains, says request-5",
      expect.stringMatching(/^this program is wrong: .*dot segment/),
      "network after 3 attempts, retryable: true",
    ],
  },
  {
    file: "watch-calls.ts",
    want: [
      "page_scrape, attempt 1",
      "answered with 503",
      "retry after server",
      "page_scrape, attempt 2",
      "answered with 503",
      "retry after server",
      "page_scrape, attempt 3",
      "answered with 200",
      "request-3 succeeded after 40 ms of waiting",
    ],
  },
  {
    file: "share-cookies.ts",
    want: [
      expect.stringMatching(noted),
      "Playwright gets sid of ferries.example",
      expect.stringMatching(/^Playwright gets \S+ of \S+$/),
      "curl gets 2 lines",
      "  assumed: hostOnly of sid",
      "  dropped: sameSite of sid",
      "a request gets language=…",
    ],
  },
  { file: "download-replay.ts", want: ["not yet: 404", "100 %", "300000 bytes, resumed once"] },
  {
    file: "download-hls.ts",
    want: [
      "2 segments, 30000 bytes: playlist.m3u8, segment-00001.ts, segment-00002.ts",
      "from 4.5 to 5 seconds: segment-00002.ts",
    ],
  },
  { file: "use-raw-client.ts", want: [expect.stringMatching(noted), "200 # Harbour ferries"] },
  {
    file: "run-conformance.ts",
    want: [expect.stringMatching(noted), expect.stringMatching(/^Conforming: all \d+ stated checks /)],
  },
];

test("has a test for every example", () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".config.ts"));
  expect(examples.map(({ file }) => file)).toEqual(expect.arrayContaining(files));
});

test.for(examples)("runs $file with nothing but a mock", { timeout: 120_000 }, async ({ file, want }) => {
  expect(await run(file)).toMatchObject({ code: 0, stderr: "", lines: want });
});

const billed = examples.filter((example) => /^(?:follow|spend)-/.test(example.file));
test.for(billed)("$file starts no run but those of its mock", { timeout: 120_000 }, async ({ file, want }) => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(401).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const env = { CLOUD_BROWSER_AUTOMATION_URL: `http://127.0.0.1:${port}` };
  expect(await run(file, env)).toMatchObject({ code: 0, lines: want });
  expect(asked).toBe(0);
  server.close();
});

const failures = [
  {
    file: "scrape.ts",
    status: 422,
    want: /^validation: .*\n- body\.selector: no\n$/,
  },
  { file: "cookies-and-replay.ts", status: 404, want: /^not-found: .*\n$/ },
  { file: "follow-automation.ts", status: 200, want: /^the run ended with error\n$/ },
];
test.for(failures)("runs $file against a given address, and fails with exit code 1", async ({ file, status, want }) => {
  const bodies: Record<number, string> = {
    200: 'data: {"type":"error","error":"x","detail":"y"}\n\n',
    422: '{"detail":[{"loc":["body","selector"],"msg":"no","type":"x"}]}',
  };
  const type = status === 200 ? "text/event-stream" : "application/json";
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": type }).end(bodies[status] ?? "{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const env = { CLOUD_BROWSER_BASE_URL: `http://127.0.0.1:${port}`, CLOUD_BROWSER_API_KEY: "key" };
  expect(await run(file, env)).toMatchObject({ code: 1, stderr: expect.stringMatching(want) });
  server.close();
});
