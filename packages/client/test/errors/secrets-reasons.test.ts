// oxlint-disable unicorn/consistent-function-scoping -- what a test is about is in it
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser } from "../../src/index.ts";
import { harmless, key, leaks, reasons, showAll } from "./reasons-with-keys.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

function createHangingClient(): CloudBrowser {
  const fetch = (): Promise<Response> => new Promise(() => undefined);
  return createCloudBrowser({ apiKey: key, baseUrl: "https://service.example", retries: 0, fetch });
}

test.for(reasons)("the reason of an abort shows no key: $name", async ({ reason }) => {
  const controller = new AbortController();
  const call = createHangingClient().cookies("s1", { signal: controller.signal });
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

test.for(harmless)("the reason of an abort is the cause itself: $name", async ({ reason }) => {
  const aborted = await createHangingClient().cookies("s1", { signal: AbortSignal.abort(reason) }).catch((thrown: unknown) => thrown); // prettier-ignore
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
  expect(showAll(lost)).not.toContain(key.slice(3));
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
