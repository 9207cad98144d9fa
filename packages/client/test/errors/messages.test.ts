import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import {
  createCloudBrowser,
  type AutomateOptions,
  type CloudBrowser,
  type CloudBrowserOptions,
  type ScrapeOptions,
} from "../../src/index.ts";
import { kindsOfOptions } from "../../src/options/check-options.ts";
import { startFaultServer, type Fault } from "../calls/fault-server.ts";

beforeEach(() => {
  for (const name of ["API_KEY", "BASE_URL", "AUTOMATION_URL", "LOG"]) vi.stubEnv(`CLOUD_BROWSER_${name}`, undefined);
});
afterEach(() => vi.unstubAllEnvs());

const apiKey = "canary-key";
const baseUrl = "https://service.example";

/** Creates a client as a caller without types does. */
function createClient(options: object): CloudBrowser {
  return Reflect.apply(createCloudBrowser, undefined, [{ apiKey, baseUrl, ...options }]);
}

const refusals: { options: object; message: string }[] = [
  { options: { apiKey: undefined }, message: "apiKey is missing: pass apiKey, or set CLOUD_BROWSER_API_KEY" },
  { options: { baseUrl: undefined }, message: "baseUrl is missing: pass baseUrl, or set CLOUD_BROWSER_BASE_URL" },
  { options: { baseUrl: "localhost:8080" }, message: "baseUrl must begin with https://, or http:// for this machine" },
  {
    options: { baseUrl: "service.example" },
    message: "baseUrl must be a URL such as https://host/path; it has no scheme",
  },
  {
    options: { baseUrl: "https://a:b@c.example" },
    message: "baseUrl must have no user name, password, query or fragment",
  },
  { options: { baseUrl: "http://a.example" }, message: "baseUrl must begin with https://, as http:// exposes the key" },
  { options: { automationUrl: "a.example" }, message: "automationUrl must be a URL" },
  ...["Bearer canary-key", "bearer  canary-key", "Authorization: Bearer canary-key"].map((key) => ({
    options: { apiKey: key },
    message: 'apiKey must be the key alone: it is sent after "Authorization: Bearer "',
  })),
  { options: { timeout: 5 }, message: "unknown option timeout; did you mean timeouts?" },
  { options: { baseURL: "https://b.example" }, message: "unknown option baseURL; did you mean baseUrl?" },
  { options: { base_url: "https://b.example" }, message: "unknown option base_url; did you mean baseUrl?" },
  { options: { api_key: "x" }, message: "unknown option api_key; did you mean apiKey?" },
  { options: { maxRetries: 1 }, message: "unknown option maxRetries; did you mean retries?" },
  { options: { defaultHeaders: {} }, message: "unknown option defaultHeaders; did you mean headers?" },
  { options: { headersMs: 1 }, message: "unknown option headersMs; did you mean timeouts.headersMs?" },
  {
    options: { timeouts: { headerMs: 1 } },
    message: "unknown option timeouts.headerMs; did you mean timeouts.headersMs?",
  },
  { options: { retries: { maximum: 1 } }, message: "unknown option retries.maximum; did you mean retries.max?" },
  { options: { hooks: { onrequest() {} } }, message: "unknown option hooks.onrequest; did you mean hooks.onRequest?" },
  { options: { token: "x" }, message: "unknown option token; options are apiKey, baseUrl, " },
  { options: { timeouts: { totalMs: "5" } }, message: "timeouts.totalMs must be number, not string" },
  { options: { logLevel: "trace" }, message: "logLevel must be 'debug' or 'info' or 'warn' or 'error' or 'off'" },
];
test.for(refusals)("says at once what is wrong: $message", ({ options, message }) => {
  expect(() => createClient(options)).toThrow(
    expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) }),
  );
});

test("names the variable that a value comes from", () => {
  vi.stubEnv("CLOUD_BROWSER_BASE_URL", "localhost:8080");
  expect(() => createClient({ baseUrl: undefined })).toThrow(/^CLOUD_BROWSER_BASE_URL must begin with/);
  vi.stubEnv("CLOUD_BROWSER_LOG", "verbose");
  expect(() => createClient({})).toThrow("CLOUD_BROWSER_LOG must be one of debug, info, warn, error, off");
});

test("options of a class may have fields of its own, and those that are undefined are not given", () => {
  class Options {
    readonly apiKey = apiKey;
    readonly baseUrl = baseUrl;
    readonly mine = 1;
  }
  expect(createCloudBrowser(new Options())).toHaveProperty("raw");
  expect(createClient({ timeout: undefined })).toHaveProperty("raw");
});

test("knows all options that the types have, and no other", () => {
  type Named = keyof AutomateOptions | keyof ScrapeOptions;
  expectTypeOf<keyof typeof kindsOfOptions>().toEqualTypeOf<Named>();
  type Inner<Name extends Named> = keyof NonNullable<Exclude<(AutomateOptions & ScrapeOptions)[Name], number>>;
  expectTypeOf<keyof (typeof kindsOfOptions)["timeouts"][1]>().toEqualTypeOf<Inner<"timeouts">>();
  expectTypeOf<keyof (typeof kindsOfOptions)["retries"][1]>().toEqualTypeOf<Inner<"retries">>();
  expectTypeOf<keyof (typeof kindsOfOptions)["hooks"][1]>().toEqualTypeOf<Inner<"hooks">>();
});

test("says which limit is not positive", async () => {
  const limit = { timeouts: { headersMs: -1 } };
  await expect(createClient(limit).cookies("s1")).rejects.toThrow(
    "timeouts.headersMs must be a positive number, not -1",
  );
});

test("says that Node.js is too old, and that a global is missing", () => {
  const versions = Object.getOwnPropertyDescriptor(process, "versions") ?? {};
  for (const node of ["16.20.2", "18.20.8"]) {
    Object.defineProperty(process, "versions", { ...versions, value: { ...process.versions, node } });
    expect(() => createClient({})).toThrow(
      `Node.js ${node} is too old: @cloud-browser/client needs Node.js 20 or later`,
    );
    Object.defineProperty(process, "versions", versions);
  }
  vi.stubGlobal("Request", undefined);
  expect(() => createClient({})).toThrow(
    "there is no global Request and Response: in Jest, set testEnvironment to node",
  );
  vi.unstubAllGlobals();
});

const answers: { fault: Fault; message: string }[] = [
  {
    fault: answerHtml(200),
    message: "answered with 200 and HTML instead of JSON: is this the URL of the API? (text/html)",
  },
  { fault: { body: "" }, message: "answered with 200 and an empty body (application/json)" },
  {
    fault: { body: "hello", headers: { "content-type": "text/plain" } },
    message: "a body that is not JSON (text/plain)",
  },
  { fault: { body: "[1]" }, message: "answered with 200 and JSON that is not an object (application/json)" },
  { fault: { body: "{}" }, message: "answered with 200 and JSON in which cookies is not an array (application/json)" },
  {
    fault: { status: 401, body: '{"detail":"no such key canary-key"}' },
    message: "answered with 401: no such key [redacted]",
  },
  { fault: { status: 403, body: '{"error":{"message":"a\\n\\u001b[31mb"}}' }, message: "answered with 403: a [31mb" },
  { fault: { status: 401, body: "{}" }, message: "answered with 401: the service does not accept the API key" },
  {
    fault: { status: 401, body: '{"detail":"see https://a.example/?key=canary"}' },
    message: "see https://a.example/?[redacted]",
  },
];
test.for(answers)("says what came: $message", async ({ fault, message }) => {
  await using server = await startFaultServer(fault);
  const error: unknown = await createClient({ baseUrl: server.url, retries: 0 })
    .cookies("s1")
    .catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(`${server.url}/sessions/s1/cookies ${message.startsWith("answered") ? message : ""}`);
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain("canary");
});

function answerHtml(status: number): Fault {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: "<!doctype html><title>x</title>" };
}

test("says that an id has a slash", async () => {
  await using server = await startFaultServer({ status: 404 });
  const client = createClient({ baseUrl: server.url, retries: 0 });
  for (const id of ["a/b", "https://a.example/sessions/1"])
    await expect(client.cookies(id)).rejects.toThrow("the session id has a slash; pass the id alone");
});

/** Starts a server that does something with each connection. */
async function startServer(onSocket: (socket: Socket) => unknown): Promise<Server> {
  const server = createServer(onSocket).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const connections: { onSocket: ((socket: Socket) => unknown) | undefined; message: string }[] = [
  { onSocket: undefined, message: "connection refused: is the service running there? (ECONNREFUSED)" },
  { onSocket: (socket) => socket.once("data", () => socket.resetAndDestroy()), message: "was complete (ECONNRESET)" },
  { onSocket: (socket) => socket.once("data", () => socket.end("hello\r\n\r\n")), message: "response is not HTTP" },
];
test.for(connections)("names the cause of a lost connection: $message", async ({ onSocket, message }) => {
  const server = await startServer(onSocket ?? (() => undefined));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  if (!onSocket) await new Promise((resolve) => server.close(resolve));
  const error: unknown = await createClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 })
    .cookies("s1")
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "network",
    message: expect.stringContaining(`http://127.0.0.1:${port}/sessions/s1/cookies: `),
  });
  expect(String(error)).toContain(message);
  server.close();
});

const thrown: { error: unknown; message: string }[] = [
  { error: makeError("ENOTFOUND"), message: "host name not found (ENOTFOUND)" },
  { error: makeError("EAI_AGAIN"), message: "host name not found (EAI_AGAIN)" },
  {
    error: makeError("ConnectionRefused"),
    message: "connection refused: is the service running there? (ConnectionRefused)",
  },
  { error: makeError("CERT_HAS_EXPIRED"), message: "TLS certificate not trusted (CERT_HAS_EXPIRED)" },
  { error: makeError("DEPTH_ZERO_SELF_SIGNED_CERT"), message: "TLS certificate not trusted" },
  { error: makeError("ERR_SSL_WRONG_VERSION_NUMBER"), message: "TLS handshake failed: is it a server for https?" },
  { error: makeError("UND_ERR_CONNECT_TIMEOUT"), message: "connection timed out (UND_ERR_CONNECT_TIMEOUT)" },
  { error: makeError("UND_ERR_HEADERS_TIMEOUT"), message: "time limit of fetch itself expired" },
  {
    error: new AggregateError([makeError("ECONNREFUSED"), makeError("ECONNREFUSED")], ""),
    message: "connection refused",
  },
  {
    error: new Error("client error (Connect): tcp connect error: Connection refused (os error 111)"),
    message: "connection refused",
  },
  { error: new TypeError("Failed to fetch"), message: "/cookies: no response" },
  { error: makeError("canary key"), message: "/cookies: no response" },
  { error: "canary-key", message: "/cookies: no response" },
];
function makeError(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`for ${apiKey}`), { code }) });
}
test.for(thrown)("says what fetch threw: $message", async ({ error, message }) => {
  const options: CloudBrowserOptions = { retries: 0, fetch: async () => Promise.reject(error) };
  const clientError: unknown = await createClient(options)
    .cookies("s1")
    .catch((reason: unknown) => reason);
  expect(clientError).toMatchObject({ code: "network" });
  expect(String(clientError)).toContain(message);
  expect(String(clientError)).not.toContain("canary");
});

const extractions: { structured: object; message: string }[] = [
  {
    structured: { success: false, error: "No model. See https://a.example/?key=canary" },
    message: "No model. See https://a.example/?[redacted]",
  },
  { structured: { success: false }, message: "the service does not say why" },
  { structured: { success: true }, message: "the service sent no data" },
  {
    structured: { success: true, data: 5 },
    message: "the data do not match response_format (1 issue, in error.extraction)",
  },
];
test.for(extractions)("says why an extraction failed: $message", async ({ structured, message }) => {
  const client = createClient({ fetch: async () => Response.json({ markdown: "", structured }) });
  const format = { type: "object" };
  await expect(client.extract("s1", { response_format: format })).rejects.toThrow(`extraction failed: ${message}`);
});

test("refuses a schema with methods and without a JSON Schema, also as a check", async () => {
  class Old {
    readonly _def = {};
    safeParse(): boolean {
      return true;
    }
  }
  const client = createClient({
    fetch: async () => Response.json({ markdown: "", structured: { success: true, data: {} } }),
  });
  for (const response_format of [new Old(), { validate() {} }, [{ type: "object" }, new Old()]]) {
    const extract: unknown = Reflect.get(client, "extract");
    const call: unknown = typeof extract === "function" && extract("s1", { response_format });
    await expect(call).rejects.toMatchObject({ code: "misuse", message: expect.stringContaining("zod 4.2 or later") });
  }
  await expect(client.extract("s1", { response_format: { toJSON: () => ({ type: "object" }) } })).resolves.toEqual({});
});
