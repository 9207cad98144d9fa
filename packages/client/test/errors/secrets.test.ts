import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  createCloudBrowser,
  type AutomateOptions,
  type CloudBrowser,
  type CloudBrowserOptions,
} from "../../src/index.ts";

/** Canaries: one for each kind of secret, so that a leak identifies its kind. */
const key = "sk-canary-key";
const cookie = "canary-cookie";
const signature = "canary-signature";
const viewer = "canary-viewer";
const header = "canary-header";
const baseUrl = "https://service.example";

/** Everything that a person or a log collector could make of a value. */
function showAll(value: unknown): string {
  const forms = [
    String(value),
    value instanceof Error ? value.stack : "",
    inspect(value, { depth: 12, showHidden: true }),
    JSON.stringify(value),
  ];
  try {
    const clone: unknown = structuredClone(value);
    forms.push(inspect(clone, { depth: 12, showHidden: true }), JSON.stringify(clone));
  } catch {
    // what can't be cloned leaks nothing so
  }
  return forms.join("\n");
}

const operations: { operation: string; call: (client: CloudBrowser, options?: AutomateOptions) => Promise<unknown> }[] =
  [
    { operation: "page_scrape", call: (client, options) => client.scrape("s1", { instructions: "x" }, options) },
    { operation: "extract", call: (client, options) => client.extract("s1", { response_format: {} }, options) },
    { operation: "session_cookies", call: (client, options) => client.cookies("s1", options) },
    { operation: "session_replay", call: (client, options) => client.replay("s1", options) },
    {
      operation: "automation_start",
      async call(client, options) {
        const outcome = await (await client.automate({ query: "q" }, options)).outcome();
        if (outcome.type === "broken") throw outcome.error;
      },
    },
  ];

/** Calls each operation; returns everything that was logged, passed to hooks or returned, and the errors. */
async function collectReports(options: CloudBrowserOptions): Promise<{ reported: string; errors: unknown[] }> {
  const reported: unknown[] = [];
  const report = (...args: unknown[]): void => void reported.push(...args.map(showAll));
  const errors: unknown[] = [];
  const hooks = { onRequest: report, onResponse: report, onRetry: report };
  const logger = { debug: report, warn: report };
  const all = { apiKey: key, baseUrl, hooks, logger, retries: { max: 1, baseMs: 1, maxRetryAfterMs: 1 }, ...options };
  const headers = { cookie: `sid=${cookie}`, "x-own": header };
  for (const { call } of operations) {
    const client = createCloudBrowser({ headers, ...all });
    report(client);
    errors.push(
      await call(client).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
  }
  return { reported: [...reported, ...errors.map(showAll)].join("\n"), errors };
}

const answerHeaders = {
  "set-cookie": `sid=${cookie}`,
  location: `https://files.example/a.mp4?X-Amz-Signature=${signature}`,
  "content-type": "application/json",
  "x-echo": `Bearer ${key} ${header}`,
  "x-request-id": `Bearer ${key}`,
  "request-id": `key=${key};`,
  "x-correlation-id": key,
};
const answerBody = JSON.stringify({
  cookies: { value: cookie },
  markdown: { key },
  mp4_url: `https://files.example/a.mp4?X-Amz-Signature=${signature}`,
  viewer_url: `https://viewer.example/?token=${viewer}`,
  detail: [{ loc: ["header", "authorization"], msg: `bad key ${key}`, type: "x", input: `Bearer ${key}` }],
});
const answer =
  (status: number, body: BodyInit | null = answerBody) =>
  async (): Promise<Response> =>
    new Response(body, { status, headers: answerHeaders });

/** An error as HTTP libraries throw them: with the request, and all that it quotes. */
function createTalkativeError(request: Request): Error {
  const authorization = request.headers.get("authorization");
  const config = { headers: { authorization, cookie }, url: `${request.url}?sig=${signature}` };
  const deep = Object.assign(new Error(`got ${authorization}`, { cause: { key, nested: { authorization } } }), {
    config,
  });
  const middle = Object.assign(new AggregateError([deep], `"authorization": "${authorization}"`, { cause: deep }), {
    request,
    config,
  });
  const error = new Error(`POST ${request.url}?X-Amz-Signature=${signature} with ${key}: ${authorization}`, {
    cause: middle,
  });
  return Object.assign(error, { config, request, response: { config }, code: "E_TALKATIVE", [key]: key });
}
/** A body that breaks with such an error. */
const breakOff =
  (status: number) =>
  async (request: Request): Promise<Response> => {
    const pull = (): never => {
      throw createTalkativeError(request);
    };
    return new Response(new ReadableStream({ pull }), { status });
  };

const paths: { name: string; options: CloudBrowserOptions; codes?: string[] }[] = [
  ...[200, 204, 301, 302, 307, 400, 401, 403, 404, 418, 422, 429, 500, 502, 503].map((status) => ({
    name: `an answer with ${status}`,
    options: { fetch: answer(status, status === 204 ? null : answerBody) },
  })),
  { name: "an answer that is no JSON", options: { fetch: answer(200, `<p>${answerBody}`) } },
  { name: "an answer that is too large", options: { fetch: answer(200), maxBodyBytes: 10 } },
  {
    name: "a fetch that rejects with all that it knows",
    options: { fetch: (request) => Promise.reject(createTalkativeError(request)) },
    codes: ["network"],
  },
  {
    name: "a fetch that throws all that it knows",
    options: {
      fetch(request) {
        throw createTalkativeError(request);
      },
    },
    codes: ["network"],
  },
  {
    name: "a fetch that rejects with a string",
    options: { fetch: (request) => Promise.reject(`failed: ${request.headers.get("authorization")}`) },
    codes: ["network"],
  },
  {
    name: "a fetch that rejects with an object",
    options: { fetch: (request) => Promise.reject({ request, config: { headers: [...request.headers] } }) },
    codes: ["network"],
  },
  { name: "a body that breaks", options: { fetch: breakOff(200) }, codes: ["network", "connection-lost"] },
  { name: "a body of a refusal that breaks", options: { fetch: breakOff(401) }, codes: ["authentication"] },
  {
    name: "no answer",
    options: { fetch: () => new Promise(() => {}), timeouts: { headersMs: 10 } },
    codes: ["timeout"],
  },
  {
    name: "an apiKey() that throws the key",
    options: { apiKey: () => Promise.reject(new Error(`vault refused ${key}`)) },
    codes: ["authentication"],
  },
  { name: "a key with a line break", options: { apiKey: () => `${key}\n${key}` }, codes: ["misuse"] },
  { name: "a key that is no Latin-1", options: { apiKey: `${key}\u2028${key}` }, codes: ["misuse"] },
];
test.for(paths)("logs, hooks and errors contain no secret: $name", async ({ options, codes }) => {
  const { reported, errors } = await collectReports(options);
  const secrets = [key, cookie, signature, viewer, header];
  expect(reported.split("\n").filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  expect(reported.length).toBeGreaterThan(100);
  const errorCodes = new Set(
    errors.map((error) => (error instanceof Error && "code" in error ? error.code : undefined)),
  );
  expect(errorCodes).toEqual(codes ? new Set(codes) : errorCodes);
});

test("the cause of a lost connection still says what it was", async () => {
  const client = createCloudBrowser({
    apiKey: key,
    baseUrl,
    retries: 0,
    fetch: (r) => Promise.reject(createTalkativeError(r)),
  });
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: { name: "Error", code: "E_TALKATIVE", cause: { name: "AggregateError" } } });
  const { cause } = Object.assign({ cause: undefined }, { cause: error instanceof Error ? error.cause : undefined });
  expect(String(cause)).toBe(
    "Error: POST https://service.example/sessions/s1/cookies?[redacted] with [redacted]: Bearer [redacted]",
  );
});

test("the key is left out of the name and the code of a cause, too", async () => {
  const thrown = Object.assign(new Error("refused"), { name: `For ${key}`, code: `Bearer ${key}` });
  const client = createCloudBrowser({ apiKey: key, baseUrl, retries: 0, fetch: () => Promise.reject(thrown) });
  await expect(client.cookies("s1")).rejects.toMatchObject({
    cause: { name: "For [redacted]", code: "Bearer [redacted]" },
  });
});

test("an error has the body, the headers, the problems and the reason", async () => {
  const client = createCloudBrowser({ apiKey: key, baseUrl, retries: 0, fetch: answer(422) });
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(error).toHaveProperty("body", JSON.parse(answerBody));
  expect(error).toHaveProperty("problems.0.path", "header.authorization");
  expect(showAll(error)).not.toContain(key);
});

const badHeaders: { name: string; make: () => unknown }[] = [
  {
    name: "of the client",
    make: () => createCloudBrowser({ apiKey: key, baseUrl, headers: { "x-own": `${header}\nx` } }),
  },
  {
    name: "of the client, by name",
    make: () => createCloudBrowser({ apiKey: key, baseUrl, headers: { [`${header} `]: "x" } }),
  },
  {
    name: "of a call",
    make: () => createCloudBrowser({ apiKey: key, baseUrl }).cookies("s1", { headers: { "x-own": `${header}\nx` } }),
  },
  {
    name: "of a call, as a list",
    make: () => createCloudBrowser({ apiKey: key, baseUrl }).cookies("s1", { headers: [["x-own", `${header}\u2028`]] }),
  },
  {
    name: "requestOrigin",
    make: () => createCloudBrowser({ apiKey: key, baseUrl, requestOrigin: `${header}\nx` }).scrape("s1"),
  },
  {
    name: "sdkVersion",
    make: () => createCloudBrowser({ apiKey: key, baseUrl }).scrape("s1", {}, { sdkVersion: `${header}\u2028` }),
  },
];
test.for(badHeaders)("a header that can't be sent is misuse, and is not quoted: $name", async ({ make }) => {
  const error: unknown = await (async () => make())().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "ClientError", code: "misuse" });
  expect(showAll(error)).not.toContain(header);
});

test("the error of middleware is a cause, without the key", async () => {
  const client = createCloudBrowser({ apiKey: key, baseUrl, fetch: answer(200) });
  client.raw.use({
    onResponse() {
      throw new RangeError(`mine: ${key} Bearer ${header}`);
    },
  });
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "misuse",
    cause: { name: "RangeError", message: "mine: [redacted] Bearer [redacted]" },
  });
  expect(showAll(error)).not.toContain(key);
});

test("results are the caller's, and the client keeps none of them", async () => {
  const body = JSON.stringify({
    markdown: "",
    cookies: [{ value: cookie }],
    mp4_url: `https://x.example/?${signature}`,
  });
  const client = createCloudBrowser({ apiKey: key, baseUrl, fetch: answer(200, body) });
  expect(await client.replay("s1")).toHaveProperty("mp4_url", `https://x.example/?${signature}`);
  expect(await client.cookies("s1")).toEqual(JSON.parse(body));
  for (const secret of [key, cookie, signature]) expect(showAll(client)).not.toContain(secret);
});
