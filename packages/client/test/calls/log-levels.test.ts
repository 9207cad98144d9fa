import { afterEach, beforeEach, expect, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { createCloudBrowser, type CallOptions, type CloudBrowserOptions } from "../../src/index.ts";
import { startFaultServer, type Fault } from "./fault-server.ts";

beforeEach(() => vi.stubEnv("CLOUD_BROWSER_LOG", undefined));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const done = 'data: {"type":"done","metadata":{"thread_id":"t"},"total_cost_usd":0.1}\n\n';

const answer: Fault = ({ url }, response) => {
  if (!url?.includes("automation")) return response.writeHead(500).end();
  return response.writeHead(200, { "content-type": "text/event-stream" }).end(done);
};

/** Makes a call that is retried and fails, and an automation; returns the levels and messages that were logged. */
async function recordLog(options: CloudBrowserOptions, own: CallOptions = {}): Promise<string[]> {
  const lines: string[] = [];
  const log = (level: string) => (message: string, notice: object) =>
    void lines.push(`${level}: ${message} ${"outcome" in notice ? String(notice.outcome) : ""}`.trim());
  const logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
  for (const level of ["debug", "info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation(log(`console.${level}`));
  await using server = await startFaultServer(answer);
  const base = "logger" in options ? { ...options, logger: options.logger && logger } : options;
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: { max: 1, baseMs: 1 }, ...base });
  await client.cookies("s1", own).catch(() => undefined);
  await (await client.automate({ query: "q" }, own)).outcome();
  return lines;
}

const custom = console;
const attempt = ["debug: request", "debug: response"];
const all = [...attempt, "warn: retry", ...attempt, "error: call failed", ...attempt, "info: run ended done"];
const atLeast = (...levels: string[]): string[] => all.filter((line) => levels.includes(line.split(":", 1)[0] ?? ""));
const ways: { name: string; options: CloudBrowserOptions; own?: CallOptions; lines: string[] }[] = [
  { name: "nothing", options: {}, lines: [] },
  { name: "a logger", options: { logger: custom }, lines: all },
  { name: "debug", options: { logger: custom, logLevel: "debug" }, lines: all },
  { name: "info", options: { logger: custom, logLevel: "info" }, lines: atLeast("info", "warn", "error") },
  { name: "warn", options: { logger: custom, logLevel: "warn" }, lines: atLeast("warn", "error") },
  { name: "error", options: { logger: custom, logLevel: "error" }, lines: atLeast("error") },
  { name: "off", options: { logger: custom, logLevel: "off" }, lines: [] },
  { name: "warn of a call", options: { logger: custom }, own: { logLevel: "warn" }, lines: atLeast("warn", "error") },
  { name: "a level alone", options: { logLevel: "error" }, lines: ["console.error: call failed"] },
  { name: "a level of a call alone", options: {}, own: { logLevel: "error" }, lines: ["console.error: call failed"] },
];
test.for(ways)("logs what the level lets through: $name", async ({ options, own, lines }) => {
  expect(await recordLog(options, own)).toEqual(lines);
});

test("the variable sets the level, and an option overrides it", async () => {
  vi.stubEnv("CLOUD_BROWSER_LOG", "warn");
  expect(await recordLog({})).toEqual(["console.warn: retry", "console.error: call failed"]);
  expect(await recordLog({ logger: custom })).toEqual(atLeast("warn", "error"));
  expect(await recordLog({ logLevel: "off" })).toEqual([]);
});

test("a logger without info and error, and one whose error throws, cost nothing", async () => {
  await using server = await startFaultServer({ status: 404 });
  const logger = { debug() {}, warn() {} };
  const failing = {
    ...logger,
    error() {
      throw new Error("mine");
    },
  };
  for (const one of [logger, failing]) {
    const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, logger: one });
    await expect(client.cookies("s1")).rejects.toMatchObject({ code: "not-found" });
  }
});

test("a request names the package and its version, unless the caller names another", async () => {
  await using server = await startFaultServer({});
  const options = { apiKey: "key", baseUrl: server.url };
  await createCloudBrowser(options).scrape("s1");
  await createCloudBrowser({ ...options, headers: { "User-Agent": "mine" } }).scrape("s1");
  await createCloudBrowser(options).scrape("s1", {}, { headers: { "user-agent": "own" }, sdkVersion: true });
  const name = `cloud-browser-client/${manifest.version}`;
  expect(server.requests.map(({ headers }) => [headers["user-agent"], headers["x-service-sdk-version"]])).toEqual([
    [name, undefined],
    ["mine", undefined],
    ["own", manifest.version],
  ]);
  vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0" });
  await createCloudBrowser(options).scrape("s1");
  vi.unstubAllGlobals();
  expect(server.requests.at(-1)?.headers["user-agent"]).not.toContain("cloud-browser");
});
