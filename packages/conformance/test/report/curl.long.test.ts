import { createServer, request as requestOverHttp } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAuthorization, keyForms, simpleKinds, type Credentials } from "../../src/http/credentials.ts";
import { curlCommand, makeReproduction, listReproductions } from "../../src/report/shell/curl.ts";
import { visibleText } from "../../src/report/visible-text.ts";
import { listen } from "../listen.ts";
import { apiKey } from "../server.ts";
import { check, exchange, failedCheck, finding, hostile, makeReport } from "./reports.ts";
import type { RecordedExchange } from "../../src/report/report.ts";
import { receive, runInShell, type Received } from "./received.ts";

let arrivals: Received[] = [];
const server = createServer((request, response) => {
  void receive(request).then((received) => {
    arrivals.push(received);
    response.end("seen");
  });
});
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => server.close());

const key = { CLOUD_BROWSER_API_KEY: apiKey };

/** Runs a command, and returns what it prints. */
async function run(command: string, env: Record<string, string> = key): Promise<string> {
  arrivals = [];
  const { stdout, stderr } = await runInShell(command, env);
  return stdout + stderr;
}

/** Returns the command of a request that differs from the usual one. */
function commandFor(request: Partial<RecordedExchange["request"]>): string {
  const record = exchange("x", "", "");
  return curlCommand({ ...record, request: { ...record.request, url, ...request } });
}

interface Plan {
  method?: "GET" | "POST";
  path?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Sends a request in the way of the suite, and gives what a report keeps of it. */
async function recordRequest({ method = "POST", path = "/a", body, headers = {} }: Plan): Promise<RecordedExchange> {
  const sent: Record<string, string> = { accept: "*/*", "user-agent": "cloud-browser-conformance" };
  if (body !== undefined) {
    Object.assign(sent, { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) });
  }
  Object.assign(sent, { authorization: `Bearer ${apiKey}` }, headers);
  await new Promise<void>((resolve, reject) => {
    const request = requestOverHttp(url + path, { method, headers: sent, agent: false });
    request.once("error", reject);
    request.once("response", (response) => response.resume().once("end", resolve));
    request.end(body);
  });
  const record = Object.entries(sent).map(([name, value]): [string, string] => [
    name,
    value.replace(apiKey, "[redacted]"),
  ]);
  return {
    ...exchange("x", "", ""),
    request: { method, url: url + path, headers: record, body: body ?? null },
  };
}

const requests: Record<string, Plan> = {
  "an empty object": { body: "{}" },
  "no body where one belongs": {},
  "a GET": { method: "GET", path: "/sessions/s1/cookies" },
  "a GET with a body": { method: "GET", body: "{}" },
  "an empty body": { body: "" },
  "single quotes": { body: `{"selector":"a[title='it''s']"}` },
  "double quotes, dollars, backticks and backslashes": { body: '{"a":"\\"$HOME `id` $(id) \\\\ !x"}' },
  "line ends and tabs": { body: '{\r\n\t"a": "b"\n}\n' },
  "a line end last": { body: "{}\n" },
  "control characters before digits": { body: '"\u0001\u001B[31m7\u007F\u00858"' },
  "a NUL": { body: "\u0000'%d\\%\u00001" },
  "characters beyond ASCII": { body: '"grüße 東京 👩‍👩‍👧 \uFE0F"' },
  "bidirectional overrides and invisible characters": { body: '"\u202Egnp.exe\u200B\u2066\uFEFF"' },
  "a lone surrogate": { body: '"\uD800a\uDC00"' },
  "keys of prototypes": { body: '{"__proto__":{"x":1},"constructor":null,"":0}' },
  "an at sign at the start": { body: "@/etc/passwd" },
  "a dash at the start": { body: "-x" },
  "text that only looks like escapes": { body: "\\x41 \\u0041 \\n %s" },
  "a body longer than a word of a command line may be": { body: JSON.stringify("a'\u0007é".repeat(40_000)) },
  "a body above the size for which curl would ask first": { body: JSON.stringify("b".repeat(1_100_000)) },
  "a query with brackets, braces and signs of the shell": { path: "/a?x[]={1,2}&y=$HOME;z=%27*~#no" },
  "a percent-encoded session": { path: "/sessions/..%2F..%2Fa%20b/%00/page" },
  "a header that is empty": { body: "{}", headers: { "x-empty": "" } },
  "a header with quotes and signs of the shell": { body: "{}", headers: { "x-sign": `'"$HOME\`;\\!` } },
  "a header beyond ASCII": { method: "GET", headers: { "x-latin": "gr\u00FC\u00DFe\u00A0" } },
  "another content type": { body: "a=b", headers: { "content-type": "text/plain; charset=utf-8" } },
  "a header name with capitals": { body: "{}", headers: { "X-Service-SDK-Version": "1.0" } },
};

describe("a command line sends again, byte for byte,", () => {
  test.for(Object.entries(requests))("%s", async ([, plan]) => {
    arrivals = [];
    const exchanged = await recordRequest(plan);
    const [original] = arrivals;
    const command = curlCommand(exchanged);
    expect(await run(command)).toContain("seen");
    expect(arrivals).toEqual([original]);
    expect(command).not.toContain(apiKey);
    expect(visibleText(command)).toBe(command);
    expect(command).not.toContain("\n");
  });

  test("a hostile string in every place that a report has", async () => {
    await run(commandFor({ url: `${url}/${hostile}`, body: hostile }));
    expect(arrivals[0]?.body).toBe(Buffer.from(hostile).toString("latin1"));
  });
});

describe("the key", () => {
  test("comes from the environment, and without it nothing is sent", async () => {
    const command = commandFor({});
    expect(command).toContain('-H "authorization: Bearer ${CLOUD_BROWSER_API_KEY:?}"');
    expect(await run(command, {})).toContain("CLOUD_BROWSER_API_KEY: parameter null or not set");
    expect(arrivals).toEqual([]);
  });

  test.for([
    ["as it is", "Bearer [redacted]", `Bearer ${apiKey}`],
    ["in the middle of a value", "k='[redacted]';v=1", `k='${apiKey}';v=1`],
    ["as a wrong key that is no secret", "Bearer wrong", "Bearer wrong"],
  ] as const)("is sent %s", async ([, value, authorization]) => {
    await run(commandFor({ headers: [["authorization", value]] }));
    expect(Object.fromEntries(arrivals[0]?.headers ?? [])).toMatchObject({ authorization });
  });
});

/** Each simple kind, and each form of the key in two schemes. */
const kinds: readonly Credentials[] = [
  ...simpleKinds,
  ...keyForms.flatMap((form) => [`authorization:digest:${form}`, `authorization:basic:${form}`] as const),
];

test.for(kinds)("credentials that were made from the key are made from it again: %s", async (credentials) => {
  const command = commandFor({ headers: [["authorization", "[redacted]"]], credentials });
  await run(command);
  const { authorization } = Object.fromEntries(arrivals[0]?.headers ?? []);
  expect(authorization).toBe(findAuthorization(credentials, apiKey)?.trim());
  expect(visibleText(command)).toBe(command);
});

test.for<[name: string, request: object, operation: "automation_start" | "page_scrape", bills: boolean]>([
  ["an automation request with the key", { credentials: "key" }, "automation_start", true],
  ["one with a part of the key", { credentials: "key-first-half" }, "automation_start", true],
  ["one of a report that does not say which", {}, "automation_start", true],
  ["none with a wrong key", { credentials: "wrong" }, "automation_start", false],
  ["none without a key", { headers: [] }, "automation_start", false],
  ["none of another operation", {}, "page_scrape", false],
])("that it may be billed is said of %s", ([, request, operation, bills]) => {
  const record = exchange("x", "", "");
  const { notes } = makeReproduction({ ...record, operation, request: { ...record.request, ...request } });
  expect(notes.join().includes("bills")).toBe(bills);
});

describe("what reproduces a check", () => {
  const exchanges = [exchange("a", "", ""), exchange("b", "", "")];

  test("are the exchanges of its findings, each once, up to the limit", () => {
    const findings = ["b", "b", "a", "gone"].map((id) => Object.assign({}, finding(), { exchange: id }));
    const failed = { ...failedCheck(), findings };
    expect(listReproductions(failed, { exchanges }, 9).map((row) => row.exchange)).toEqual(["b", "a"]);
    expect(listReproductions(failed, { exchanges }).map((row) => row.exchange)).toEqual(["b"]);
  });

  test("are the exchanges that it applies to when it could not be judged", () => {
    const troubled = { ...check(), status: "error" as const, reason: "reset", exchanges: ["a", "b"] };
    expect(listReproductions(troubled, makeReport({ exchanges }))).toHaveLength(1);
  });
});
