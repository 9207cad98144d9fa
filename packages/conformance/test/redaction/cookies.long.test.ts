import { beforeAll, describe, expect, test } from "vitest";
import { renderReport } from "../../src/cli/report-writers.ts";
import { reportFormats } from "../../src/configuration/configuration.ts";
import { removeCookieValues } from "../../src/redaction/cookie-values.ts";
import type { Report } from "../../src/report/report.ts";
import { renderTerminal } from "../../src/report/terminal.ts";
import { json, withCookies, type Alter, type Answer } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

const secret = "c00kie-5ecret-a1b2";
/** Too short to be looked for as a value. */
const short = "Zq7";

const text = (body: string, type = "application/json"): Answer => ({
  status: 200,
  headers: { "content-type": type },
  body,
});

/** Answers to the cookies operation that hold both secrets where the interface has no place for them. */
const forms: Readonly<Record<string, Answer>> = {
  "a map": json(200, { cookies: { sid: secret, session: secret, lang: short } }),
  "a map of lists": json(200, { cookies: { sid: [secret, short] } }),
  "a map that is the body": json(200, { session: secret, domain: short }),
  "maps of one cookie each": json(200, { cookies: [{ sid: secret }, { session: short }] }),
  pairs: json(200, { cookies: Object.entries({ sid: secret, lang: short }) }),
  "a header": json(200, { cookies: `sid=${secret}; lang=${short}` }),
  "a header as the body": json(200, `sid=${secret}; lang=${short}`),
  "strings without a name": json(200, { cookies: [secret, short] }),
  "a field `val`": json(200, { cookies: [secret, short].map((val) => ({ name: "sid", val })) }),
  "a field `content`": json(200, { cookies: [{ name: "sid", content: { text: secret, more: [short] } }] }),
  "a field `Value`": json(200, { cookies: [secret, short].map((value) => ({ Name: "sid", Value: value })) }),
  "known fields in a value": json(200, { cookies: [{ name: "sid", value: { name: secret, path: short } }] }),
  "an object as `domain`": json(200, { cookies: [{ name: "sid", domain: { a: secret, b: [short] } }] }),
  "an object as `sameSite`": json(200, { cookies: [{ name: "sid", sameSite: { a: secret, b: [short] } }] }),
  "no JSON": text(`sid=${secret}; lang=${short}`),
  XML: text(`<cookies><cookie name='sid' value='${secret}'/><cookie>${short}</cookie></cookies>`, "application/xml"),
  "JSON in lines": text(`{"name":"sid","val":"${secret}"}\n{"name":"lang","val":"${short}"}`),
  "JSON in single quotes": text(`{'cookies': {'sid': '${secret}', 'lang': '${short}'}}`),
  "JSON that was cut": text(`{"cookies":{"lang":"${short}","sid":"${secret}`),
  "JSON with another status": { ...json(200, { cookies: { sid: secret, lang: short } }), status: 500 },
};

function reportOn(cookies: Answer): Promise<Report> {
  const alter: Alter = (answer, { url }) => (url.endsWith("/cookies") && answer.status === 200 ? cookies : answer);
  return judgeWithoutSocket(alter, { only: ["cookies/*", "scrape/markdown-present"], profile: "free" });
}

describe("no report holds the value of a cookie that came as", () => {
  test.for(Object.entries(forms))("%s", async ([, answer]) => {
    const report = await reportOn(answer);
    expect(report.exchanges.some(({ operation }) => operation === "session_cookies")).toBe(true);
    const texts = await Promise.all(reportFormats.map((format) => renderReport(report, format)));
    const leak = /.{0,60}(?:c00kie-5ecret-a1b2|Zq7).{0,30}/.exec([...texts, renderTerminal(report)].join("\n"));
    expect(leak).toBeNull();
  });
});

/** Judges a server with these cookies and this page. */
function judgeCookies(cookies: unknown, markdown: string): Promise<Report> {
  const alter: Alter = (answer, request) =>
    request.url.includes("/scrape") && answer.status === 200
      ? json(200, { markdown })
      : withCookies({ cookies })(answer, request);
  return judgeWithoutSocket(alter, { only: ["cookies/json", "scrape/markdown-present"], profile: "free" });
}

test("a value that came in a wrong form is found in other answers as well", async () => {
  const report = await judgeCookies({ sid: secret }, `with ${secret}`);
  expect(JSON.stringify(report)).toContain("with [redacted]");
  expect(JSON.stringify(report)).not.toContain(secret);
});

describe("words that came in a wrong form", () => {
  const words =
    "/ Lax None example.com .shop.example.com shop7.staging.example.com ordinary application/json /account/login2";
  let report: Report;
  beforeAll(async () => {
    report = await judgeCookies([...words.split(" ").map((word) => ["sid", word]), words], words);
  });

  test("stay in other answers", () => {
    const scraped = report.exchanges.find(({ operation }) => operation === "page_scrape");
    expect(scraped?.response?.body).toBe(JSON.stringify({ markdown: words }));
  });

  test("go from the body that held them", () => {
    const exchange = report.exchanges.find(({ operation }) => operation === "session_cookies");
    expect(exchange?.response?.body).not.toContain("example.com");
  });
});

describe("of a body of the cookies operation", () => {
  const record = `{"name":"a","domain":"b","path":"/","sameSite":"Lax","storeId":"0","partitionKey":"k","httpOnly":true,
    "hostOnly":false,"secure":"true","session":"no","expirationDate":1790000000.5,"expires":"Wed, 21 Oct 2026 07:28:00 GMT"}`;
  const rows: readonly (readonly [name: string, body: string, want: string, path?: readonly string[]])[] = [
    ["the fields of a record stay", `{"cookies": [${record}, 1]}`, `{"cookies": [${record}, 1]}`],
    ["its value goes", '{"cookies":[{"name":"a","value":"b"}]}', '{"cookies":[{"name":"a","value":"[redacted]"}]}'],
    ["escapes are read as JSON", '[{"na\\u006de":"a\\"b","x":"\\"c"}]', '[{"na\\u006de":"a\\"b","x":"[redacted]"}]'],
    ["longer numbers go, and others stay", '{"a":{"pin":4711},"total":3}', '{"a":{"pin":"[redacted]"},"total":3}'],
    ["nothing goes where nothing is", ' {"cookies" : [ ] , "a" : { } } ', ' {"cookies" : [ ] , "a" : { } } '],
    ["what follows its end goes", "{} a=b", "{} [redacted]"],
    ["what is no JSON goes from there on", '{"cookies":[1,,"a"]}', '{"cookies":[1,[redacted]'],
    ["a key without a value goes", '{"a","b"}', "{[redacted]"],
    ["a field that was taken from it is known by its place", '"b"', '"b"', ["cookies", "*", "domain"]],
    ["and so is a value", '{"name":"a"}', '{"name":"[redacted]"}', ["cookies", "*", "value"]],
    ["and a record", '{"name":"a","x":"b"}', '{"name":"a","x":"[redacted]"}', ["cookies", "*"]],
  ];
  test.for(rows)("%s", ([, body, want, path]) => {
    expect(removeCookieValues(body, path)).toBe(want);
  });

  test.for(["[", '{"a":', '"\\', '["a",', "\\", "a=b\n", '{"a"', "1e", "\n", "a\r\n"])(
    "hostile %j costs no more than its length",
    (piece) => {
      const body = piece.repeat(Math.ceil(32_768 / piece.length));
      expect(measureProcessorTime(() => removeCookieValues(body))).toBeLessThan(300);
    },
  );
});

test("the words of a refusal stay", async () => {
  const report = await reportOn(json(404, { detail: "the session has ended" }));
  expect(JSON.stringify(report)).toContain("the session has ended");
});
