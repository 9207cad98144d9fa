// oxlint-disable unicorn/consistent-function-scoping -- what a test is about is in it
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser } from "../../src/index.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const key = "sk-canary-key-0123456789";
const bytes = new TextEncoder().encode(key);

/** All that a log can show of a value. */
function shown(value: unknown): string {
  const texts = [
    () => inspect(value, { depth: 12, showHidden: true, getters: true }),
    () => String(value),
    () => JSON.stringify(value),
    () => String(Object(value).stack),
  ];
  return texts.map((text) => {
    try {
      return text();
    } catch {
      return ""; // a log fails, too
    }
  }).join("\n"); // prettier-ignore
}
function leaks(error: unknown): boolean {
  const { cause } = Object(error);
  const text = [error, cause].map(shown).join("\n");
  return [key, Buffer.from(key).toString("hex").replace(/..\B/g, "$& "), bytes.join(",")].some((form) => text.includes(form)); // prettier-ignore
}

class Told extends Error {
  override toString(): string {
    return `told ${key}`;
  }
}
class Serialized extends Error {
  toJSON(): object {
    return { key };
  }
}
class Inspected extends Error {
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return key;
  }
}
class Had extends Error {
  get key(): string {
    return key;
  }
}
const error = (fields: object): Error => Object.assign(new Error("x"), fields);
const form = new FormData();
form.set("key", key);

/** Where a reason of a caller's may hold the key. */
const reasons: { name: string; reason: unknown }[] = [
  { name: "a property that is named by a symbol", reason: error({ [Symbol("key")]: key }) },
  { name: "the name of a symbol", reason: error({ [Symbol(key)]: 1 }) },
  { name: "a property of an object by a symbol", reason: { inner: { [Symbol("key")]: key } } },
  { name: "a map", reason: error({ map: new Map([["key", { key }]]) }) },
  { name: "a key of a map", reason: new Map([[key, 1]]) },
  { name: "a set", reason: error({ set: new Set([key]) }) },
  { name: "headers", reason: error({ headers: new Headers({ authorization: `Bearer ${key}` }) }) },
  { name: "a request", reason: error({ request: new Request("http://a.example", { headers: { key } }) }) },
  { name: "a response", reason: error({ response: new Response("", { headers: { key } }) }) },
  { name: "a URL", reason: error({ url: new URL(`http://a.example/?key=${key}`) }) },
  { name: "a query", reason: new URLSearchParams({ key }) },
  { name: "a form", reason: form },
  { name: "bytes", reason: error({ body: Buffer.from(key) }) },
  { name: "a buffer", reason: error({ body: bytes.buffer }) },
  { name: "a promise", reason: error({ key: Promise.resolve(key) }) },
  { name: "a regular expression", reason: error({ pattern: new RegExp(key) }) },
  { name: "a boxed string", reason: error({ text: Object(key) }) },
  { name: "what a prototype has", reason: Object.create({ key }) },
  { name: "a getter", reason: Object.defineProperty(new Error("x"), "key", { get: () => key, enumerable: true }) },
  { name: "a getter that throws", reason: Object.defineProperty(new Error("x"), "key", { get: () => { throw new Error(key); } }) },
  { name: "a getter of its class", reason: new Had("x") },
  { name: "toString", reason: new Told("x") },
  { name: "toJSON", reason: new Serialized("x") },
  { name: "its inspection", reason: new Inspected("x") },
  { name: "a member of an AggregateError", reason: new AggregateError([error({ inner: [[[key]]] })]) },
  { name: "the cause of a DOMException", reason: Object.assign(new DOMException("x", "AbortError"), { cause: { key } }) },
  { name: "a proxy", reason: new Proxy(new Error("x"), { get: (target, name) => name === "message" ? key : Reflect.get(target, name) }) },
]; // prettier-ignore

function hanging(): CloudBrowser {
  const fetch = (): Promise<Response> => new Promise(() => undefined);
  return createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", retries: 0, fetch });
}

test.for(reasons)("the reason of an abort shows no key: $name", async ({ reason }) => {
  const controller = new AbortController();
  const call = hanging().cookies("s1", { signal: controller.signal });
  controller.abort(reason);
  const aborted: unknown = await call.catch((thrown: unknown) => thrown);
  expect(aborted).toMatchObject({ code: "aborted" });
  expect(leaks(aborted)).toBe(false);
  expect(unhandled).toEqual([]);
});

test.for(reasons)("what onOutcome throws shows no key: $name", async ({ reason }) => {
  const fetch = async (): Promise<Response> =>
    new Response('data: {"type":"done"}\n\n', { headers: { "content-type": "text/event-stream" } });
  const client = createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", fetch });
  const stream = await client.automate({ query: "q" }, { onOutcome: () => Promise.reject(reason) });
  await stream.outcome();
  await new Promise((resolve) => setTimeout(resolve));
  expect(stream.callbackError).toMatchObject({ code: "misuse" });
  expect(leaks(stream.callbackError)).toBe(false);
});

const harmless: { name: string; reason: unknown }[] = [
  { name: "the default", reason: AbortSignal.abort().reason },
  { name: "an Error with a cause", reason: new Error("mine", { cause: { at: 1 } }) },
  { name: "an Error of a class of its own", reason: new (class Stopped extends Error { readonly by = ["user"]; })("x") },
  { name: "an object", reason: { by: "user", at: 5 } },
  { name: "a string", reason: "stop" },
]; // prettier-ignore
test.for(harmless)("the reason of an abort is the cause itself: $name", async ({ reason }) => {
  const aborted = await hanging().cookies("s1", { signal: AbortSignal.abort(reason) }).catch((thrown: unknown) => thrown); // prettier-ignore
  expect(Object(aborted).cause).toBe(reason);
});

test.for([
  `"password":"two words ${key.slice(3)}"`,
  `\\"token\\":\\"${key.slice(3)}\\"`,
  `token => '${key.slice(3)}'`,
  `token%3D${key.slice(3)}`,
  `pass=${key.slice(3)}`,
  `passphrase: ${key.slice(3)}`,
  `/a;jsessionid=${key.slice(3)}`,
  `sid=${key.slice(3)}`,
  `Bearer: ${key.slice(3)}`,
])("credentials of others are taken out of what fetch fails with: %s", async (text) => {
  const fetch = (): Promise<Response> => Promise.reject(new Error(text));
  const client = createCloudBrowser({ apiKey: "another", baseUrl: "https://service.example", retries: 0, fetch });
  const lost: unknown = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(shown(lost)).not.toContain(key.slice(3));
});

test("a caller's abort of a raw call is aborted, and shows no key", async () => {
  const controller = new AbortController();
  const call = createCloudBrowser({ apiKey: key, baseUrl: "http://127.0.0.1:9", fetch: ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))) })
    .raw.GET("/sessions/{session_id}/cookies", { params: { path: { session_id: "s1" } }, signal: controller.signal }); // prettier-ignore
  setTimeout(() => controller.abort(new Error(key)));
  const aborted: unknown = await call.catch((thrown: unknown) => thrown);
  expect(aborted).toMatchObject({ code: "aborted", cause: { message: "[redacted]" } });
});
