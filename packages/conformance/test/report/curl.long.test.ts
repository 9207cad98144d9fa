import { execFile } from "node:child_process";
import { createServer, request as requestOverHttp, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../src/checks/check.ts";
import { findAuthorization, keyForms, type Credentials } from "../../src/http/credentials.ts";
import { curlCommand, makeReproduction, listReproductions } from "../../src/report/curl.ts";
import { visibleText } from "../../src/report/visible-text.ts";
import { listen } from "../listen.ts";
import { apiKey } from "../server.ts";
import { check, exchange, failedCheck, finding, hostile, makeReport } from "./reports.ts";
import type { RecordedExchange } from "../../src/report/report.ts";

/** A request as the server received it. */
interface Seen {
  method: string | undefined;
  path: string | undefined;
  headers: [string, string][];
  body: Buffer;
}

let seen: Seen[] = [];
const server = createServer((request, response) => {
  void curlBytes(request).then((body) => {
    seen.push({ method: request.method, path: request.url, headers: listHeaders(request), body });
    response.end("seen");
  });
});
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => server.close());

async function curlBytes(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Without those that belong to the connection. The length is written by curl, with capitals. */
function listHeaders({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.replace(/^content-length$/i, "content-length"), rawHeaders[index + 1] ?? ""]] : [],
  );
  return pairs.filter(([name]) => !/^(host|connection)$/i.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
}

function bash(command: string, env: Record<string, string> = { CLOUD_BROWSER_API_KEY: apiKey }): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env["PATH"], LC_ALL: "C", ...env }, encoding: "utf8" as const };
    // From standard input: an argument of bash could not be that long.
    const child = execFile("bash", [], options, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`));
    child.stdin?.end(command);
  });
}

interface Plan {
  method?: "GET" | "POST";
  path?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Sends a request in the way of the suite, and gives what a report keeps of it. */
async function recorded({ method = "POST", path = "/a", body, headers = {} }: Plan): Promise<RecordedExchange> {
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
    seen = [];
    const exchanged = await recorded(plan);
    const command = curlCommand(exchanged);
    expect(await bash(command)).toContain("seen");
    const [original, again] = seen;
    expect(original?.body.toString("latin1")).toBe(again?.body.toString("latin1"));
    expect(again).toEqual(original);
    expect(command).not.toContain(apiKey);
    expect(visibleText(command)).toBe(command);
    expect(command).not.toContain("\n");
  });

  test("a hostile string in every place that a report has", async () => {
    seen = [];
    const record = exchange("x", "", "text/plain");
    const request = { ...record.request, url: `${url}/${hostile}`, body: hostile };
    await bash(curlCommand({ ...record, request }));
    expect(seen[0]?.body).toEqual(Buffer.from(hostile));
  });
});

describe("the key", () => {
  test("comes from the environment, and without it nothing is sent", async () => {
    seen = [];
    const command = curlCommand({ ...exchange("x", "", ""), request: { ...exchange("x", "", "").request, url } });
    expect(command).toContain('-H "authorization: Bearer ${CLOUD_BROWSER_API_KEY:?}"');
    expect(await bash(command, {})).toContain("CLOUD_BROWSER_API_KEY: parameter null or not set");
    expect(seen).toEqual([]);
  });

  test.for([
    { name: "as it is", value: "Bearer [redacted]", want: `Bearer ${apiKey}` },
    { name: "in the middle of a value", value: "k='[redacted]';v=1", want: `k='${apiKey}';v=1` },
    { name: "a wrong key that is no secret", value: "Bearer wrong", want: "Bearer wrong" },
  ])("is sent $name", async ({ value, want }) => {
    seen = [];
    const record = exchange("x", "", "");
    await bash(curlCommand({ ...record, request: { ...record.request, url, headers: [["authorization", value]] } }));
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toMatchObject({ authorization: want });
  });
});

describe("credentials that were made from the key are made from it again:", () => {
  const kinds: readonly Credentials[] = [
    "key",
    "wrong",
    "empty",
    "key-first-half",
    "key-but-last",
    "key-extended",
    "key-other-letter",
    "key-other-case",
    "key-as-basic",
    "key-as-token",
    "key-alone",
    "key-lower-scheme",
    ...keyForms.flatMap((form) => [`authorization:digest:${form}`, `authorization:basic:${form}`] as const),
  ];
  test.for(kinds)("%s", async (credentials) => {
    seen = [];
    const record = exchange("x", "", "");
    const request = { ...record.request, url, headers: [["authorization", "[redacted]"]] as const, credentials };
    const command = curlCommand({ ...record, request });
    await bash(command);
    expect(Object.fromEntries(seen[0]?.headers ?? [])["authorization"]).toBe(
      findAuthorization(credentials, apiKey)?.trim(),
    );
    expect(visibleText(command)).toBe(command);
  });
});

describe("that it may be billed is said of", () => {
  const record = exchange("x", "", "");
  const start = (request: object): RecordedExchange => ({
    ...record,
    operation: "automation_start",
    request: { ...record.request, ...request },
  });
  test.for([
    { name: "an automation request with the key", given: start({ credentials: "key" }), want: true },
    { name: "one with a part of the key", given: start({ credentials: "key-first-half" }), want: true },
    { name: "one of a report that does not say which", given: start({}), want: true },
    { name: "none with a wrong key", given: start({ credentials: "wrong" }), want: false },
    { name: "none without a key", given: start({ headers: [] }), want: false },
    { name: "none of another operation", given: record, want: false },
  ])("$name", ({ given, want }) => {
    expect(makeReproduction(given).notes.join().includes("bills")).toBe(want);
  });
});

describe("what reproduces a check", () => {
  const exchanges = [exchange("a", "", ""), exchange("b", "", "")];

  test("are the exchanges of its findings, each once, up to the limit", () => {
    const findings = ["b", "b", "a", "gone"].map(findingIn);
    const failed = { ...failedCheck(), findings };
    expect(listReproductions(failed, { exchanges }, 9).map((row) => row.exchange)).toEqual(["b", "a"]);
    expect(listReproductions(failed, { exchanges }).map((row) => row.exchange)).toEqual(["b"]);
  });

  test("are the exchanges that it applies to when it could not be judged", () => {
    const troubled = { ...check(), status: "error" as const, reason: "reset", exchanges: ["a", "b"] };
    expect(listReproductions(troubled, makeReport({ exchanges }))).toHaveLength(1);
  });
});

function findingIn(exchangeId: string): Finding {
  return { ...finding(), exchange: exchangeId };
}
