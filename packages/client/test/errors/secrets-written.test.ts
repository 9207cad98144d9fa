import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser, type ResponseFormat } from "../../src/index.ts";

const json = String.raw;
const apiKey = "k3y+of/the=canary";
const baseUrl = "https://service.example";

function createClient(fetch: () => Promise<Response>, notices: unknown[] = []): CloudBrowser {
  const note = (...args: unknown[]): void => void notices.push(...args);
  return createCloudBrowser({ apiKey, baseUrl, retries: 0, fetch, logger: { debug: note, warn: note } });
}
function showAll(...values: unknown[]): string {
  return values.map((value) => inspect(value, { depth: 12, showHidden: true }) + JSON.stringify(value)).join("\n");
}

/** The key as others write it. */
const writings = [
  json`{"a":"k3y\u002Bof\u002fthe\u003dcanary"}`,
  json`{"a":"k3y\u002bof\/the=canary"}`,
  json`{\"a\":\"k3y\\u002Bof\\/the=canary\"}`,
  "a=k3y%2Bof%2Fthe%3Dcanary",
  "a=k3y%2bof%2fthe%3dcanary",
  "a=k3y%252Bof%252Fthe%253Dcanary",
  json`{"a":"\u006b3y+of/the=canar\u0079"}`,
];
test.for(writings)("no error shows the key, however others write it: %s", async (text) => {
  const cause = new Error("inner", { cause: text });
  for (const thrown of [new Error(text), new Error("outer", { cause }), new AggregateError([text]), text]) {
    const error: unknown = await createClient(() => Promise.reject(thrown)).cookies("s1").catch((each: unknown) => each); // prettier-ignore
    expect(error).toMatchObject({ code: "network" });
    expect(showAll(error)).not.toMatch(/of.{0,6}the.{0,6}cana/i);
  }
});

const others = [
  "no route for /seg.ts?X-Amz-Signature=CANARY",
  "no route for //me:CANARY@cdn.example/a",
  "no route for //cdn.example/a?sig=CANARY",
  "no route for https%3A%2F%2Fa.example%2Fb%3Fx%3DCANARY",
  json`no route for https:\/\/a.example\/b\u003fx\u003dCANARY`,
  json`{"header":"BEARER\tCANARY"}`,
  "Bearer%20CANARY",
  json`{"viewer_url":"https://v.example/CANARY"}`,
];
test.for(others)("no error shows the credentials of others: %s", async (text) => {
  const error: unknown = await createClient(() => Promise.reject(new Error(text))).cookies("s1").catch((each: unknown) => each); // prettier-ignore
  expect(showAll(error)).not.toContain("CANARY");
});

test.for([
  { id: "https://s3.example/x?X-Amz-Signature=CANARY", isKept: false },
  { id: "//s3.example/CANARY", isKept: false },
  { id: "sid=CANARY", isKept: false },
  { id: "sid=CANARY;path=/", isKept: false },
  { id: "/a?b", isKept: false },
  { id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", isKept: true },
  { id: "req_01J:2/a+b|c.d~e", isKept: true },
  { id: "dGhlIGlk==", isKept: true },
])("a request id is a word: $id", async ({ id, isKept }) => {
  const headers = { "x-request-id": id };
  const error: unknown = await createClient(async () => new Response("", { status: 404, headers })).cookies("s1").catch((each: unknown) => each); // prettier-ignore
  expect(error).toHaveProperty("status", 404);
  expect(Object(error).requestId).toBe(isKept ? id : undefined);
});

test.for([apiKey, `${apiKey}'()`, encodeURIComponent(apiKey)])(
  "a key that is passed as a session id is in no notice and no error: %s",
  async (id) => {
    const notices: unknown[] = [];
    const client = createClient(async () => new Response("", { status: 404 }), notices);
    notices.push(await client.cookies(id).catch((each: unknown) => each));
    expect(notices.length).toBeGreaterThan(2);
    expect(showAll(...notices)).not.toMatch(/of.{0,6}the.{0,6}cana/i);
  },
);

function revokeProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
const failing: { name: string; thrown: unknown }[] = [
  { name: "null", thrown: null },
  { name: "undefined", thrown: undefined },
  { name: "the key", thrown: apiKey },
  { name: "an error with the key", thrown: new Error(`no ${apiKey}`, { cause: new Error(apiKey) }) },
  { name: "an error that can't be read", thrown: revokeProxy() },
  { name: "a symbol", thrown: Symbol(apiKey) },
];
/** Formats with code of the caller's that throws when it is read, sent or applied. */
const formats: { where: string; of: (thrown: unknown) => unknown }[] = [
  { where: "a getter of a schema", of: (thrown) => ({ get type() { throw thrown; } }) },
  { where: "a nested toJSON", of: (thrown) => ({ properties: { a: { toJSON() { throw thrown; } } } }) },
  { where: "a getter of a Standard Schema", of: (thrown) => ({ get "~standard"() { throw thrown; } }) },
  { where: "a conversion to JSON Schema", of: (thrown) => ({ "~standard": { version: 1, vendor: "v", validate: () => ({ value: 1 }), jsonSchema: { input() { throw thrown; } } } }) },
  { where: "a getter of a pair", of: (thrown) => [{ get a() { throw thrown; } }, () => true] },
]; // prettier-ignore
test.for(formats.flatMap(({ where, of }) => failing.map(({ name, thrown }) => ({ where, name, format: of(thrown) }))))(
  "$where that throws $name is misuse, and shows no key",
  async ({ format }) => {
    const client = createClient(() => Promise.reject(new Error("nothing must be sent")));
    const response_format = asFormat(format);
    for (const call of [client.scrape("s1", { response_format }), client.extract("s1", { response_format })]) {
      const error: unknown = await call.catch((each: unknown) => each);
      expect(error).toMatchObject({ name: "ClientError", code: "misuse" });
      expect(showAll(error)).not.toContain(apiKey);
    }
  },
);

test.for(failing)("a validator that throws $name makes a mismatch", async ({ thrown }) => {
  const body = '{"markdown":"","structured":{"data":1}}';
  const client = createClient(async () => new Response(body));
  const response_format = asFormat([{}, () => { throw thrown; }]); // prettier-ignore
  const { structured } = await client.scrape("s1", { response_format });
  expect(structured).toMatchObject({ success: false, reason: "mismatch" });
});

function asFormat(format: unknown): ResponseFormat<unknown>;
function asFormat(format: unknown): unknown {
  return format;
}
