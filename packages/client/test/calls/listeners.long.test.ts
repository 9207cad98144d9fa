import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowserOptions } from "../../src/index.ts";
import { fitting, startFaultServer } from "./fault-server.ts";
import { streamContent } from "./fault-socket.ts";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** What is on the heap once nothing is left to collect, in bytes. */
async function measureHeap(): Promise<number> {
  for (let nth = 0; nth < 3; nth++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
  return process.memoryUsage().heapUsed;
}

const answer = async ({ url }: Request): Promise<Response> =>
  url.endsWith("/start")
    ? new Response(streamContent.body, { headers: { "content-type": streamContent.type } })
    : new Response(fitting);
const outcomes: { name: string; options: CloudBrowserOptions; calls: number }[] = [
  { name: "that succeed", options: { fetch: answer }, calls: 10_000 },
  { name: "that are refused", options: { fetch: async () => new Response("{}", { status: 404 }) }, calls: 10_000 },
  { name: "that fail", options: { fetch: () => Promise.reject(new Error("no")), retries: 0 }, calls: 10_000 },
  {
    name: "that are repeated",
    options: { fetch: () => Promise.reject(new Error("no")), retries: { max: 1, baseMs: 0 } },
    calls: 4000,
  },
  { name: "that are misuse", options: { apiKey: () => "" }, calls: 10_000 },
];
test.for(outcomes)(
  "$calls calls $name leave no listener on their signal, and no memory",
  async ({ options, calls }) => {
    const client = createCloudBrowser({
      apiKey: "key",
      baseUrl: "https://service.example",
      timeouts: { totalMs: 1e6 },
      ...options,
    });
    const { signal } = new AbortController();
    const call = async (nth: number): Promise<void> => {
      if (nth % 2 === 0) await client.cookies("s1", { signal }).catch(() => undefined);
      else await (await client.automate({ query: "q" }, { signal }).catch(() => undefined))?.outcome();
    };
    for (let nth = 0; nth < 500; nth++) await call(nth); // until all is compiled
    const before = await measureHeap();
    for (let nth = 0; nth < calls; nth++) await call(nth);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    const grown = (await measureHeap()) - before;
    console.log(`${calls} calls: heap grew by ${Math.round(grown / 1024)} kB`);
    expect(grown).toBeLessThan(1.5 * 1024 * 1024);
  },
);

test("1,000 calls at once have one listener each, and none is left", async () => {
  const client = createCloudBrowser({
    apiKey: "key",
    baseUrl: "https://service.example",
    fetch: () => new Promise(() => {}),
  });
  const controller = new AbortController();
  const { signal } = controller;
  const calls = Array.from({ length: 1000 }, () => client.cookies("s1", { signal }).catch((error: unknown) => error));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(getEventListeners(signal, "abort")).toHaveLength(1000);
  controller.abort();
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: "aborted" });
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

const endings: { name: string; code: string }[] = [
  { name: "a result", code: 'await client.cookies("s1")' },
  { name: "a refusal", code: 'await client.cookies("404").catch(() => {})' },
  { name: "a stream that was read", code: 'await (await client.automate({ query: "q" })).outcome()' },
  {
    name: "an abort, with a fetch that knows no signal",
    code: 'await client.cookies("s1", { fetch: () => new Promise(() => {}), signal: AbortSignal.timeout(50) }).catch(() => {})',
  },
  {
    name: "an abort between two attempts",
    code: 'await client.cookies("503", { signal: AbortSignal.timeout(50) }).catch(() => {})',
  },
  {
    name: "an answer that comes after the limit",
    code: `let give; const late = new Promise((resolve) => (give = resolve));
      await client.cookies("s1", { fetch: () => late, timeouts: { headersMs: 50 }, retries: 0 }).catch(() => {});
      give(new Response("{}")); await late`,
  },
];
test.for(endings)("a process ends at once after $name", async ({ code }) => {
  await using server = await startFaultServer((request, response) => {
    const { url = "" } = request;
    const status = Number(/(?<=sessions\/)\d+/.exec(url)?.[0] ?? 200);
    const isStream = url.endsWith("/start");
    const type = isStream ? streamContent.type : "application/json";
    response.writeHead(status, { "content-type": type, "retry-after": "30", connection: "close" });
    response.end(isStream ? streamContent.body : fitting);
  });
  const script = `
    import { createCloudBrowser } from "./src/index.ts";
    const timeouts = { headersMs: 30_000, bodyMs: 30_000, totalMs: 30_000 };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: ${JSON.stringify(server.url)}, timeouts });
    ${code};
    console.log(performance.now());
    process.on("exit", () => console.log(performance.now()));`;
  const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", script];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 200_000 });
  const [endedAt = NaN, exitedAt = NaN] = stdout.trim().split("\n").map(Number);
  expect(stderr).toBe("");
  // What could keep it are its limits of 30 s.
  expect(exitedAt - endedAt).toBeLessThan(10_000);
});
