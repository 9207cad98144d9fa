import { describe, expect, test } from "vitest";
import { createRedact, redactStart } from "../../src/redaction/redact.ts";
import type { Operation } from "../../src/contract/contract.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { secretHeaderValues } from "../../src/redaction/secret-headers.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { apiKey, endedSessionId, sessionId, startServer, withCookies } from "../server.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

/** The cookies have values that are words of the report, or parts of such. */
const words = ["1", "en", "scrape", "cookies", "open-session", "127.0.0.1", "cloud-browser-conformance"];
const wordyCookies = withCookies({ cookies: words.map((value) => ({ name: value, value })) });

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
  return text
    .replaceAll(server.url, "http://target")
    .replace(/"(date|x-[\w-]+)",\s+"[^"]*"/gi, '"$1"')
    .replace(/\d+ minutes after the answer/, "minutes after the answer");
}

describe("no word of a report is taken for a secret", () => {
  test.for([
    ["the key is a short token", "test01", "4711"],
    ["the key is a word of the interface", "string", "en"],
    ["the key begins with a word of the interface", "session-key-01", "1"],
    ["the key begins like the suite's own name", "cloud-browser-x1", "json"],
    ["a header that is secret has a word as its value", "k-8fh3k2j4h5g6", "status"],
  ] as const)("when %s", async ([, key, pin]) => {
    const [usual, wordy] = [await reportWith("zq9-usual-0817-key", "w"), await reportWith(key, pin)];
    expect(wordy.split("\n")).toEqual(usual.split("\n"));
    expect(usual).toContain("[redacted]");
    expect(usual).toMatch(/"user-agent",\s+"cloud-browser-conformance"/);
  });
});

/** Texts, and what is left of them: all, where nothing is said. */
type Row = readonly [name: string, text: string, want?: string, operation?: Operation];

const anywhere: readonly Row[] = [
  [
    "a value of six characters as a word goes",
    "(test01), \\ntest01 or%20test01",
    "([redacted]), \\n[redacted] or%20[redacted]",
  ],
  ["a value of six characters within another word stays", "latest01 test012 Test01x"],
  ["a value of five characters stays, wherever it is", "12345 is 12345"],
  ["a value that is unlike any word goes from within one", "xxpin-0817zx", "xx[redacted]x"],
  ["a value of letters goes where it stands by itself", "over hill-and-dale.", "over [redacted]."],
  ["a value of letters stays within a word", "overhill-and-dales"],
  ["a value that was seen as a cookie goes elsewhere", "[c00kie-1234]", "[[redacted]]"],
  ["what is called value elsewhere than in cookies stays", '{"value":"1"}'],
  ["the query of an address goes", "see https://x.example/a?sig=b&c#d now", "see https://x.example/a?[redacted] now"],
  ["and with escaped slashes", '"https:\\/\\/x.example\\/a?sig=b\\u0026c=d"', '"https:\\/\\/x.example\\/a?[redacted]"'],
  ["and of one that is relative", "seg0.ts?Signature=b~c\n#EXTINF", "seg0.ts?[redacted]\n#EXTINF"],
  [
    "and of one within another",
    "r=https%3A%2F%2Fx.example%2Fa%3Fsig%3Db&n=1",
    "r=https%3A%2F%2Fx.example%2Fa%3F[redacted]",
  ],
  ["the password of an address goes", "http://me:pw@x.example/", "http://[redacted]@x.example/"],
  ["a question stays", "Does the session exist? Is it = ready?"],
  ["the beginning of a secret goes where a text was cut", 'a string: "xx pin-08…', 'a string: "xx [redacted]…'],
  ["a shorter beginning stays", 'a string: "xx pin-0…'],
];
const inCookies: readonly Row[] = [
  [
    "the value of a cookie goes, however short",
    '{"name":"a","value":"1","b":1}',
    '{"name":"a","value":"[redacted]","b":1}',
  ],
  ["and when it is no string", '{"value": 17, "value":true}', '{"value": "[redacted]", "value":"[redacted]"}'],
  ["and in single quotes", "{'value': 'it is \\' x', 'b': 1}", "{'value': '[redacted]', 'b': 1}"],
  ["and in JSON within JSON", '"{\\"value\\":\\"secret\\",\\"b\\":1}"', '"{\\"value\\":\\"[redacted]\\",\\"b\\":1}"'],
  ["and when it was cut", '{"value":"secr', '{"value":"[redacted]"'],
];
const viewer = "https://x.example/y";
const rows: readonly Row[] = [
  ...anywhere,
  ...inCookies.map(([name, text, want = text]): Row => [name, text, want, "session_cookies"]),
  ["a viewer goes", `{"viewer_url":"${viewer}","b":1}`, '{"viewer_url":"[redacted]","b":1}', "automation_start"],
];

describe("a secret is told from a word:", () => {
  const ofSetup = ["test01", "12345", "pin-0817z", "hill-and-dale"];
  const redact = createRedact("key-A1b2C3d4E5", { ofSetup, ofTarget: ["c00kie-1234", "en"] });
  test.for(rows)("%s", ([, text, want = text, operation = "page_scrape"]) => {
    expect(redact(text, operation)).toBe(want);
  });

  test("of a long text no more is kept than is free of secrets", () => {
    const text = "key-A1b2C3d4E5 ".repeat(10_000);
    const start = redactStart(text, 1_000, (part) => redact(part, "page_scrape"));
    expect(start.length).toBeLessThanOrEqual(1_000);
    expect(start).toMatch(/^(\[redacted\] )*\[?r?e?d?a?c?t?e?d?\]? ?$/);
  });

  test("headers are secret by their name, whatever the length, and by their form", () => {
    const headers = { "x-pin-token": "1", "x-a": "Bearer abc", "x-b": "prod", "x-c": "a1".repeat(10) };
    expect(secretHeaderValues(headers)).toEqual(expect.arrayContaining(["1", "abc", "a1".repeat(10)]));
  });
});

describe("hostile text costs no more than its length:", () => {
  const redact = createRedact("key-A1b2C3d4E5", {
    ofTarget: Array.from({ length: 200 }, (_, at) => `c00kie-value-${at}`),
  });
  const pieces = ["https://", "?a", "%3F", '"value":', '\\"', "key-A1b2C3d4E", "http://a@", '"value":"\\'];
  test.for([...pieces, "key-key-key-", "%25", "&#x0"])("%s over and over", (piece) => {
    const text = piece.repeat(Math.ceil(16_384 / piece.length));
    expect(measureProcessorTime(() => redact(text, "session_cookies"))).toBeLessThan(300);
  });
});
