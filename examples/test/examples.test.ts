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

const failures = [
  {
    file: "scrape.ts",
    status: 422,
    want: "validation: page_scrape was answered with the status 422\n- body.selector: no\n",
  },
  { file: "cookies-and-replay.ts", status: 404, want: "not-found: session_cookies was answered with the status 404\n" },
  { file: "follow-automation.ts", status: 200, want: "the run ended with error\n" },
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
  expect(await run(file, env)).toMatchObject({ code: 1, stderr: want });
  server.close();
});
