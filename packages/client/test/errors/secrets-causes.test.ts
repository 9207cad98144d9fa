// oxlint-disable oxc/no-map-spread, unicorn/consistent-function-scoping -- tables are made of tables
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser } from "../../src/index.ts";
import { startFaultServer } from "../calls/fault-server.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const key = 'sk-canary/"key';
const secret = "canary-secret";
const baseUrl = "https://service.example";

/** All that a log can show of an error. */
function showAll(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return [String(error), stack, inspect(error, { depth: 12, showHidden: true }), JSON.stringify(error)].join("\n");
}
function listLeaks(error: unknown): string[] {
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), secret];
  return showAll(error).split("\n").filter((line) => forms.some((form) => line.includes(form))); // prettier-ignore
}

const cyclic = new Error(`cyclic ${key}`);
cyclic.cause = cyclic;
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
const createCause = (text: string): { name: string; thrown: unknown } => ({
  name: text.replaceAll(secret, "…"),
  thrown: new Error(text),
});
const causes: { name: string; thrown: unknown }[] = [
  ...[
    `proxy http://user:${secret}@proxy:3128 refused`,
    `proxy user:${secret}@proxy refused`,
    `socks5://user:${secret}/x@proxy failed`,
    `https://${secret}@git.example/x`,
    `wss://host/?a=1,b=${secret}`,
    `https://host/cb#access_token=${secret}`,
    `token=${secret}`,
    `{"api_key":"${secret}"}`,
    `x-api-key: ${secret}`,
    `password = ${secret}`,
    `Authorization: Digest username="u", response="${secret}"`,
    `Proxy-Authorization: ${secret} ${secret}`,
    `Cookie: a=b; sid=${secret}`,
    `Digest ${secret}`,
    `AWS4-HMAC-SHA256 ${secret}`,
    `token ${secret}`,
    `X-Amz-Signature=${secret}`,
  ].map(createCause),
  { name: "the key in JSON", thrown: new Error(JSON.stringify({ given: key })) },
  { name: "the key in an address", thrown: new Error(`/a/${encodeURIComponent(key)}/b`) },
  { name: "the key behind a long text", thrown: new Error(`${"x ".repeat(4090)}${key}`) },
  { name: "an AbortError with the key", thrown: new DOMException(`aborted ${key}`, "AbortError") },
  { name: "a TimeoutError with the key", thrown: new DOMException(`late ${key}`, "TimeoutError") },
  { name: "an AggregateError", thrown: new AggregateError([new Error(key)], `all ${key}`, { cause: new Error(key) }) },
  { name: "own properties", thrown: Object.assign(new Error("x"), { config: { key }, code: key, [key]: key }) },
  { name: "a cause of itself", thrown: cyclic },
  { name: "a getter that throws", thrown: Object.defineProperty(new Error("x"), "message", { get: () => { throw new Error(key); } }) },
  { name: "no text", thrown: { message: { toString: () => { throw new Error(key); } } } },
  { name: "no primitive", thrown: { [Symbol.toPrimitive]: () => { throw new Error(key); } } },
  { name: "no prototype", thrown: Object.create(null) },
  { name: "a revoked proxy", thrown: proxy },
  { name: "a proxy", thrown: new Proxy({}, { get: () => { throw new Error(key); } }) },
  { name: "a symbol", thrown: Symbol(key) },
  { name: "null", thrown: null },
  { name: "a bigint", thrown: 1n },
  { name: "a function", thrown: () => key },
]; // prettier-ignore

const places: { place: string; code: string; call: (thrown: unknown) => Promise<unknown> }[] = [
  { place: "fetch", code: "network", call: (thrown) => createClient(async () => Promise.reject(thrown)).cookies("s1") },
  { place: "a body", code: "network", call: (thrown) => createClient(createFailingBody(thrown)).cookies("s1") },
  {
    place: "a stream",
    code: "connection-lost",
    async call(thrown) {
      const outcome = await (await createClient(createFailingBody(thrown)).automate({ query: "q" })).outcome();
      if (outcome.type === "broken") throw outcome.error;
    },
  },
  {
    place: "middleware, before the key was asked for",
    code: "misuse",
    call(thrown) {
      const client = createClient(async () => new Response("{}"));
      client.raw.use({ onRequest: () => Promise.reject(thrown) });
      return client.cookies("s1");
    },
  },
];
function createClient(fetch: () => Promise<Response>): CloudBrowser {
  return createCloudBrowser({ apiKey: key, baseUrl, retries: 0, fetch });
}
function createFailingBody(thrown: unknown): () => Promise<Response> {
  const headers = { "content-type": "text/event-stream" };
  return async () => new Response(new ReadableStream({ pull: () => Promise.reject(thrown) }), { headers });
}
const rows = places.flatMap((place) => causes.map((cause) => ({ ...place, ...cause })));
test.for(rows)("what $place throws is $code, and shows no secret: $name", async ({ code, call, thrown }) => {
  const error = await call(thrown).then(
    () => undefined,
    (rejection: unknown) => rejection,
  );
  expect(error).toMatchObject({ code });
  expect(listLeaks(error)).toEqual([]);
  expect(unhandled).toEqual([]);
});

test("a key that a function gave before is left out of what middleware throws later", async () => {
  const client = createCloudBrowser({
    apiKey: async () => key,
    baseUrl,
    fetch: async () => Response.json({ cookies: [] }),
  });
  await client.cookies("s1");
  client.raw.use({ onRequest: () => Promise.reject(new Error(`cached ${key}`)) });
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "misuse", cause: { message: "cached [redacted]" } });
});

test("a cause of megabytes is cut, and takes no time that is noticed", async () => {
  const thrown = new Error(`${":@".repeat(2e6)}${"key".repeat(2e6)} ${key}`);
  const error = await createClient(async () => Promise.reject(thrown)).cookies("s1").catch((rejection: unknown) => rejection); // prettier-ignore
  expect(showAll(error).length).toBeLessThan(100_000);
});

test("a truncated compressed response is a lost connection, and JSON that is not UTF-8 is unexpected content", async () => {
  const whole = gzipSync(
    JSON.stringify({ cookies: Array.from({ length: 99 }, (_, at) => ({ name: `n${at * 7919}` })) }),
  );
  await using server = await startFaultServer((_, response) => {
    const cut = whole.subarray(0, whole.length - 60);
    response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" }).end(cut);
  });
  const client = createCloudBrowser({ apiKey: key, baseUrl: server.url, retries: 0 });
  await expect(client.cookies("s1")).rejects.toMatchObject({ code: "network", status: 200 });
  const latin1 = createClient(async () => new Response(Buffer.from('{"cookies":[],"x":"\u00E9"}', "latin1")));
  await expect(latin1.cookies("s1")).rejects.toMatchObject({ code: "unexpected-content" });
});

test.for(["0x1", "1e1", "0b1", "+1", " 0x1 ", "Infinity"])("%s is not a delay", async (after) => {
  const client = createClient(async () => new Response("{}", { status: 429, headers: { "retry-after": after, "retry-after-ms": after } })); // prettier-ignore
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(error).not.toHaveProperty("retryAfterMs");
});

test("an onOutcome that fails costs no run", async () => {
  const body = 'data: {"type":"done","total_cost_usd":1}\n\n';
  const client = createClient(async () => new Response(body, { headers: { "content-type": "text/event-stream" } }));
  for (const onOutcome of [
    () => Promise.reject(new Error("mine")),
    () => {
      throw new Error("mine");
    },
  ]) {
    // prettier-ignore
    const stream = await client.automate({ query: "q" }, { onOutcome });
    expect((await stream.outcome()).type).toBe("done");
    await new Promise((resolve) => setImmediate(resolve));
    expect(stream.callbackError).toMatchObject({ code: "misuse", cause: { message: "mine" } });
  }
  expect(unhandled).toEqual([]);
});
