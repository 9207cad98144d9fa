// oxlint-disable typescript/unbound-method, oxc/no-map-spread -- tables are made of tables, and the client's functions need no `this`
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCookieHeader } from "../../src/cookies.ts";
import { createCloudBrowser } from "../../src/index.ts";
import { downloadReplay, waitForReplay } from "../../src/replay.ts";
import { attachRun, startRun } from "../../src/runs.ts";
import { listValuesOfEachKind } from "./values-of-each-kind.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

let requestCount = 0;
const fetch = async (): Promise<Response> => {
  requestCount++;
  return Response.json({ markdown: "", cookies: [], mp4_url: "https://files.example/video", structured: { data: {} } });
};
const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example", fetch });

/** Calls a function as a caller without types does. */
async function callUntyped(act: unknown, ...args: unknown[]): Promise<unknown> {
  if (typeof act !== "function") throw new Error("no function");
  return Reflect.apply(act, undefined, args);
}

const noText: unknown = Object.create(null);
const texts: { name: string; call: (value: unknown) => Promise<unknown> }[] = [
  { name: "the session of scrape", call: (value) => callUntyped(client.scrape, value) },
  { name: "the session of cookies", call: (value) => callUntyped(client.cookies, value) },
  { name: "apiKey", call: (apiKey) => callUntyped(createCloudBrowser, { baseUrl: "https://a.example", apiKey }) },
  { name: "baseUrl", call: (baseUrl) => callUntyped(createCloudBrowser, { apiKey: "key", baseUrl }) },
  { name: "fetch", call: (value) => callUntyped(client.cookies, "s1", { fetch: value }) },
  { name: "oversize", call: (oversize) => callUntyped(client.automate, { query: "q" }, { oversize }) },
  { name: "totalMs", call: (totalMs) => callUntyped(client.cookies, "s1", { timeouts: { totalMs } }) },
  { name: "until", call: (until) => callUntyped(waitForReplay, client, "s1", { until }) },
  { name: "the id of attachRun", call: (id) => callUntyped(attachRun, client, id) },
  { name: "after", call: (after) => callUntyped(attachRun, client, "run-1", { after }) },
  { name: "the address of toCookieHeader", call: (url) => callUntyped(toCookieHeader, [], url) },
  {
    name: "topLevelSite",
    call: (topLevelSite) => callUntyped(toCookieHeader, [], "https://a.example", { topLevelSite }),
  },
];
test.for(texts)("an object that has no text is misuse as $name", async ({ call }) => {
  requestCount = 0;
  await expect(call(noText)).rejects.toMatchObject({ name: "ClientError", code: "misuse" });
  expect(requestCount).toBe(0);
});

const noSignals: { name: string; signal: unknown }[] = [
  { name: "an EventTarget", signal: new EventTarget() },
  { name: "a controller", signal: new AbortController() },
  { name: "listeners only", signal: { addEventListener: () => undefined, removeEventListener: () => undefined } },
  { name: "no way to stop listening", signal: { aborted: false, addEventListener: () => undefined } },
];
const waits: { name: string; call: (signal: unknown) => Promise<unknown> }[] = [
  { name: "scrape", call: (signal) => callUntyped(client.scrape, "s1", {}, { signal }) },
  { name: "automate", call: (signal) => callUntyped(client.automate, { query: "q" }, { signal }) },
  { name: "waitForReplay", call: (signal) => callUntyped(waitForReplay, client, "s1", { signal }) },
  {
    name: "downloadReplay",
    call: (signal) => callUntyped(downloadReplay, client, "s1", new WritableStream(), { signal }),
  },
  { name: "attachRun", call: (signal) => callUntyped(attachRun, client, "run-1", { signal }) },
  { name: "startRun", call: (signal) => callUntyped(startRun, client, { query: "q" }, { signal }) },
];
test.for(waits.flatMap(({ name, call }) => noSignals.map((each) => ({ function: name, call, ...each }))))(
  "$name is misuse as the signal of $function",
  async ({ call, signal }) => {
    requestCount = 0;
    await expect(call(signal)).rejects.toMatchObject({ code: "misuse" });
    expect(requestCount).toBe(0);
    expect(unhandled).toEqual([]);
  },
);

const runs: { name: string; fine: RegExp; call: (value: unknown) => Promise<unknown> }[] = [
  { name: "the client of startRun", fine: /^$/, call: (value) => callUntyped(startRun, value, { query: "q" }) },
  { name: "the request of startRun", fine: /object|array/, call: (value) => callUntyped(startRun, client, value) },
  { name: "the options of startRun", fine: /object|array|function/, call: (value) => callUntyped(startRun, client, { query: "q" }, value) },
  { name: "the headers of startRun", fine: /object|array|function/, call: (headers) => callUntyped(startRun, client, { query: "q" }, { headers }) },
  { name: "onOutcome of startRun", fine: /function/, call: (onOutcome) => callUntyped(startRun, client, { query: "q" }, { onOutcome }) },
  { name: "the client of attachRun", fine: /^$/, call: (value) => callUntyped(attachRun, value, "run-1") },
  { name: "the id of attachRun", fine: /string/, call: (value) => callUntyped(attachRun, client, value) },
  { name: "the options of attachRun", fine: /object|array|function/, call: (value) => callUntyped(attachRun, client, "run-1", value) },
  { name: "after", fine: /^$/, call: (after) => callUntyped(attachRun, client, "run-1", { after }) },
]; // prettier-ignore
const rows = runs.flatMap(({ name, fine, call }) =>
  listValuesOfEachKind([5]).filter(({ kind }) => !fine.test(kind)).map((each) => ({ name, call, ...each })),
); // prettier-ignore
test.for(rows)("$kind as $name is misuse, and nothing is sent", async ({ call, value }) => {
  requestCount = 0;
  await expect(call(value)).rejects.toMatchObject({ name: "ClientError", code: "misuse" });
  expect(requestCount).toBe(0);
});

test("a schema library that converts later is misuse, and what it fails with is no unhandled rejection", async () => {
  const vendor = { version: 1, vendor: "v", validate: () => ({ value: 1 }) };
  const response_format = {
    "~standard": { ...vendor, jsonSchema: { input: () => Promise.reject(new Error("mine")) } },
  };
  requestCount = 0;
  await expect(callUntyped(client.scrape, "s1", { response_format })).rejects.toMatchObject({ code: "misuse" });
  await new Promise((resolve) => setTimeout(resolve));
  expect([requestCount, ...unhandled]).toEqual([0]);
});

test("a compressed body that is cut within a character is a lost connection", async () => {
  const cut = new TextEncoder().encode('{"cookies":["\u00E9"]}').subarray(0, 14);
  const options = { retries: 0, fetch: async () => new Response(cut, { headers: { "content-encoding": "br" } }) };
  await expect(client.cookies("s1", options)).rejects.toMatchObject({ code: "network" });
});
