import { describe, expect, test } from "vitest";
import { createRedact, redactStart } from "../../src/redaction/redact.ts";
import type { Operation } from "../../src/contract/contract.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { secretHeaderValues } from "../../src/redaction/secret-headers.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { apiKey, endedSessionId, json, sessionId, startServer, type Alter } from "../server.ts";
import { processorTimeOf } from "@cloud-browser/testing/processor-time.ts";

/** The cookies have values that are words of the report, or parts of such. */
const wordyCookies: Alter = (answer, { url }) =>
  url.endsWith("/cookies") && answer.status === 200
    ? json(200, {
        cookies: ["1", "en", "scrape", "cookies", "open-session", "127.0.0.1", "cloud-browser-conformance"].map(
          (value) => ({ name: value, value }),
        ),
      })
    : answer;

/** The report of a run with that key, without what differs from run to run. */
async function reportWith(key: string, pin: string): Promise<string> {
  await using server = await startServer(wordyCookies, {
    read: (request) =>
      request.headers.authorization === `Bearer ${key}`
        ? { ...request, headers: { authorization: `Bearer ${apiKey}` } }
        : request,
  });
  const headers = { "x-session-pin": pin };
  const target = liveTarget({ baseUrl: server.url, apiKey: key, sessionId, endedSessionId, headers });
  const report = await runConformance(target);
  const varying = new Set(["startedAt", "durationMs", "chunks", "date"]);
  const text = JSON.stringify(report, (name, value: unknown) => (varying.has(name) ? undefined : value), 1);
  return text.replaceAll(server.url, "http://target").replace(/"(date|x-[\w-]+)",\s+"[^"]*"/gi, '"$1"');
}

describe("no word of a report is taken for a secret", () => {
  test.for([
    { name: "when the key is a short token", key: "test01", pin: "4711" },
    { name: "when the key is a word of the interface", key: "string", pin: "en" },
    { name: "when the key begins with a word of the interface", key: "session-key-01", pin: "1" },
    { name: "when the key begins like the suite's own name", key: "cloud-browser-x1", pin: "json" },
    { name: "when a header that is secret has a word as its value", key: "k-8fh3k2j4h5g6", pin: "status" },
  ])("$name", async ({ key, pin }) => {
    const [usual, given] = [await reportWith("zq9-usual-0817-key", "w"), await reportWith(key, pin)];
    expect(given.split("\n")).toEqual(usual.split("\n"));
    expect(usual).toContain("[redacted]");
    expect(usual).toMatch(/"user-agent",\s+"cloud-browser-conformance"/);
  });
});

interface Row {
  readonly name: string;
  readonly text: string;
  readonly want: string;
  readonly operation?: Operation;
}

const stays = (name: string, text: string, operation: Operation = "page_scrape"): Row => ({
  name,
  text,
  want: text,
  operation,
});
const rows: readonly Row[] = [
  {
    name: "a value of six characters as a word goes",
    text: "is (test01), \\ntest01 or%20test01",
    want: "is ([redacted]), \\n[redacted] or%20[redacted]",
  },
  stays("a value of six characters within another word stays", "latest01 test012 Test01x"),
  stays("a value of five characters stays, wherever it is", "12345 is 12345"),
  { name: "a value that is unlike any word goes from within one", text: "xxpin-0817zx", want: "xx[redacted]x" },
  { name: "a value of letters goes where it stands by itself", text: "over hill-and-dale.", want: "over [redacted]." },
  stays("a value of letters stays within a word", "overhill-and-dales"),
  { name: "a value that was seen as a cookie goes elsewhere", text: "[c00kie-1234]", want: "[[redacted]]" },
  {
    name: "the value of a cookie goes, however short",
    text: '{"name":"a","value":"1","b":1}',
    want: '{"name":"a","value":"[redacted]","b":1}',
    operation: "session_cookies",
  },
  {
    name: "and when it is no string",
    text: '{"value": 17, "value":true}',
    want: '{"value": "[redacted]", "value":"[redacted]"}',
    operation: "session_cookies",
  },
  {
    name: "and in single quotes",
    text: "{'value': 'it is \\' x', 'b': 1}",
    want: "{'value': '[redacted]', 'b': 1}",
    operation: "session_cookies",
  },
  {
    name: "and in JSON within JSON",
    text: '"{\\"value\\":\\"secret\\",\\"b\\":1}"',
    want: '"{\\"value\\":\\"[redacted]\\",\\"b\\":1}"',
    operation: "session_cookies",
  },
  { name: "and when it was cut", text: '{"value":"secr', want: '{"value":"[redacted]"', operation: "session_cookies" },
  stays("what is called value elsewhere stays", '{"value":"1"}'),
  {
    name: "a viewer goes",
    text: 'data: {"viewer_url":"https://x.example/y","b":1}',
    want: 'data: {"viewer_url":"[redacted]","b":1}',
    operation: "automation_start",
  },
  {
    name: "the query of an address goes",
    text: "see https://x.example/a?sig=b&c#d now",
    want: "see https://x.example/a?[redacted] now",
  },
  {
    name: "and of one with escaped slashes",
    text: '"https:\\/\\/x.example\\/a?sig=b\\u0026c=d"',
    want: '"https:\\/\\/x.example\\/a?[redacted]"',
  },
  { name: "and of one that is relative", text: "seg0.ts?Signature=b~c\n#EXTINF", want: "seg0.ts?[redacted]\n#EXTINF" },
  {
    name: "and of one that is within another",
    text: "r=https%3A%2F%2Fx.example%2Fa%3Fsig%3Db&n=1",
    want: "r=https%3A%2F%2Fx.example%2Fa%3F[redacted]",
  },
  { name: "the password of an address goes", text: "http://me:pw@x.example/", want: "http://[redacted]@x.example/" },
  stays("a question stays", "Does the session exist? Is it = ready?"),
  {
    name: "the beginning of a secret goes where a text was cut",
    text: 'a string: "xx pin-08…',
    want: 'a string: "xx [redacted]…',
  },
  stays("a shorter beginning stays", 'a string: "xx pin-0…'),
];

describe("a secret is told from a word:", () => {
  const words = ["test01", "12345", "pin-0817z", "hill-and-dale"];
  const redact = createRedact("key-A1b2C3d4E5", { ofSetup: words, ofTarget: ["c00kie-1234", "en"] });
  test.for(rows)("$name", ({ text, want, operation = "page_scrape" }) => {
    expect(redact(text, operation)).toBe(want);
  });

  test("of a long text no more is kept than is free of secrets", () => {
    const text = "key-A1b2C3d4E5 ".repeat(10_000);
    const start = redactStart(text, 1_000, (part) => redact(part, "page_scrape"));
    expect(start.length).toBeLessThanOrEqual(1_000);
    expect(
      start
        .replaceAll("[redacted]", "")
        .replace(/\[?r?e?d?a?c?t?e?d?$/, "")
        .trim(),
    ).toBe("");
  });

  test("headers are secret by their name, whatever the length, and by their form", () => {
    expect(
      secretHeaderValues({ "x-pin-token": "1", "x-a": "Bearer abc", "x-b": "prod", "x-c": "a1".repeat(10) }),
    ).toEqual(expect.arrayContaining(["1", "abc", "a1".repeat(10)]));
  });
});

describe("hostile text costs no more than its length:", () => {
  const redact = createRedact("key-A1b2C3d4E5", {
    ofTarget: Array.from({ length: 200 }, (_, at) => `c00kie-value-${at}`),
  });
  test.for([
    "https://",
    "?a",
    "%3F",
    '"value":',
    '\\"',
    "key-A1b2C3d4E",
    "http://a@",
    '"value":"\\',
    "key-key-key-",
    "%25",
    "&#x0",
  ])("%s over and over", (piece) => {
    const text = piece.repeat(Math.ceil(16_384 / piece.length));
    expect(processorTimeOf(() => redact(text, "session_cookies"))).toBeLessThan(300);
  });
});
