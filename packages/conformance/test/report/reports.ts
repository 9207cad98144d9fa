/** Reports made by hand, for the tests of what renders and compares them. */
import type { Finding } from "../../src/checks/check.ts";
import type {
  CheckResult,
  ReadingResult,
  RecordedExchange,
  Report,
  RequirementResult,
} from "../../src/report/report.ts";

/** Text that a hostile target could put into any string it controls. */
export const hostile =
  '<script>alert(1)</script>" onload="alert(2)\' ]]> ```` | </details> ::error::x [a](javascript:b) @everyone' +
  " \r\n::warning::y\r\u0001\u0007\u001B[31m\u001B]8;;http://evil\u0007\u009B\u202Egnp.exe\u2066\uD800\u200B\uFFFE\u2028";

/** Characters that no report file may contain, because they act where it is shown. Tab and line feed are layout. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
export const acting = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2028\u2029\u2066-\u2069\uFFFE]/;

export function finding(): Finding {
  return {
    requirement: "scrape.response.markdown.required",
    where: "body /markdown",
    expected: "a string",
    received: "nothing",
    exchange: "scrape/defaults",
  };
}

export function check(id = "scrape/markdown-present"): CheckResult {
  return {
    id,
    title: "`markdown` is there.",
    requirements: ["scrape.response.markdown.required"],
    level: "stated",
    operation: "page_scrape",
    status: "pass",
    findings: [],
    exchanges: ["scrape/defaults"],
  };
}

export function failedCheck(id = "scrape/markdown-present"): CheckResult {
  return { ...check(id), status: "fail", findings: [finding()] };
}

/** A failure that only warns. */
export function warnedCheck(id = "scrape/markdown-present"): CheckResult {
  return { ...failedCheck(id), level: "assumed" };
}

/** The entry that covers `knownCheck`. */
const knownEntry = { id: "a", reason: "the new renderer", owner: "team", expires: "2026-12-31" };

export function knownCheck(id = "scrape/markdown-present"): CheckResult {
  return { ...failedCheck(id), expected: knownEntry };
}

export function erroredCheck(id = "scrape/markdown-present"): CheckResult {
  return { ...check(id), status: "error", reason: "no response within 120 s" };
}

/** An entry of the expected failures that needs attention. */
export const staleEntry = { id: "scrape/b", kind: "stale" as const, sentence: "scrape/b holds now." };

export function skippedCheck(id = "scrape/markdown-present"): CheckResult {
  return { ...check(id), status: "skip", reason: "No session.", exchanges: [] };
}

export function requirement(id = "scrape.response.markdown.required"): RequirementResult {
  return {
    id,
    section: "Resources and their fields / DataSpace",
    text: "Every scrape response has the field `markdown`.",
    operation: "page_scrape",
    level: "stated",
    observable: "mock",
    status: "pass",
    checks: ["scrape/markdown-present"],
  };
}

export function exchange(id: string, body: string, type: string): RecordedExchange {
  return {
    id,
    operation: "page_scrape",
    startedAt: "2026-11-20T20:56:05.113Z",
    durationMs: 46,
    request: {
      method: "POST",
      url: "http://target.example/sessions/s1/page/scrape",
      headers: [["authorization", "Bearer [redacted]"]],
      body: "{}",
    },
    response: {
      status: 200,
      headers: [["content-type", type]],
      body,
      bodyBytes: body.length,
      truncated: false,
      chunks: { count: 1, firstMs: 4, lastMs: 4 },
      end: "complete",
    },
    failure: null,
  };
}

export function makeReport(parts: Partial<Report> = {}): Report {
  const none = { pass: 0, fail: 0, error: 0, skip: 0 };
  return {
    version: 1,
    suite: { name: "@cloud-browser/conformance", version: "0.1.0", contract: "1.4.40" },
    startedAt: "2026-11-20T20:56:05.113Z",
    durationMs: 287,
    verdict: "conforming",
    sentence: "Conforming: all 1 stated checks that could be judged hold.",
    exitCode: 0,
    target: {
      name: "http://target.example",
      kind: "live",
      baseUrl: "http://target.example",
      automationUrl: "http://target.example",
      sessionId: "s1",
      endedSessionId: "s1",
      lacks: [],
    },
    run: {
      profile: "free",
      seed: 1,
      settings: [],
      interrupted: false,
      budget: { maxRuns: 0, maxCostUsd: null },
      requests: 0,
      checks: { selected: 0, all: 0 },
      retries: [],
    },
    expectationProblems: [],
    summary: { checks: none, warnings: 0, requirements: none, exchanges: 1, automationRuns: 0, costUsd: null },
    checks: [check()],
    observations: [],
    requirements: [requirement()],
    exchanges: [exchange("scrape/defaults", '{"links":["a"]}', "application/json")],
    ...parts,
  };
}

/** A reading by its default, with which the target conforms, and would not with the other value. */
export function reading(): ReadingResult {
  return {
    id: "events.unknown-type",
    requirements: ["scrape.response.markdown.required"],
    sentence: "The table lists `twelve` types.",
    value: "open",
    text: "There may be other types.",
    by: "default",
    others: [{ value: "closed", text: "There is no other type.", verdict: "not-conforming" }],
  };
}

/** A report with one failed check. */
export function failing(parts: Partial<CheckResult> = {}, body = '{"links":["a"]}', type = "application/json"): Report {
  const failed: CheckResult = { ...failedCheck(), ...parts };
  const ids = new Set(["scrape/defaults", ...failed.findings.map((one) => one.exchange)]);
  return makeReport({
    verdict: "not-conforming",
    sentence: "Not conforming: 1 of 1 stated checks fails.",
    exitCode: 1,
    checks: [failed],
    requirements: [{ ...requirement(), status: "fail" }],
    exchanges: [...ids].map((id) => exchange(id, body, type)),
  });
}

/** A report with one failed check, whose request has another body. */
export function failingWith(body: string): Report {
  const report = failing();
  const request = { ...exchange("", "", "").request, body };
  return { ...report, exchanges: report.exchanges.map((one) => Object.assign({}, one, { request })) };
}

/** A report in which every string that can come from outside is hostile. */
export function hostileReport(): Report {
  const report = failing({ findings: [{ ...finding(), where: hostile, expected: hostile, received: hostile }] });
  const [first] = report.exchanges;
  const expected = { id: "scrape/expected", reason: hostile, owner: hostile, expires: "2026-12-31" };
  return {
    ...report,
    sentence: hostile,
    startedAt: hostile,
    target: { ...report.target, name: hostile, baseUrl: hostile, sessionId: hostile, endedSessionId: "s2" },
    run: {
      ...report.run,
      interrupted: true,
      settings: [{ name: hostile, value: hostile, source: "file" }],
      retries: [{ exchange: hostile, reason: hostile }],
    },
    expectationProblems: [{ id: hostile, kind: "unknown", sentence: hostile }],
    checks: [
      ...report.checks,
      { ...check(`scrape/${hostile}`), title: hostile, status: "error", reason: hostile },
      { ...check("scrape/skipped"), status: "skip", reason: hostile },
      { ...failedCheck("scrape/assumed"), level: "assumed", title: hostile },
      { ...failedCheck("scrape/expected"), expected, findings: [{ ...finding(), received: hostile.repeat(2000) }] },
    ],
    readings: [
      {
        ...reading(),
        id: hostile,
        sentence: hostile,
        value: hostile,
        text: hostile,
        others: [{ value: hostile, text: hostile, verdict: "conforming" }],
      },
    ],
    observations: [{ id: "open.x", text: hostile, operation: "none", values: [hostile], exchanges: [hostile] }],
    exchanges: first
      ? [
          { ...first, request: { ...first.request, url: hostile, headers: [[hostile, hostile]], body: hostile } },
          { ...first, id: hostile, response: null, failure: hostile },
          { ...exchange("scrape/html", hostile, hostile) },
        ]
      : [],
  };
}

/** Every text within a value, the names of fields among them. */
export function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(listTexts)];
}
