import { describe, expect, test } from "vitest";
import { renderHtml } from "../../src/report/html.ts";
import type { CheckResult, RecordedExchange, Report, RequirementResult } from "../../src/report.ts";

const hostile = `<script>alert(1)</script>" onload="alert(2)' ]]> \u0000\u001B\u202Egnp.exe\uD800\u200B`;

describe("verdict", () => {
  test("comes first, before everything that the page lists", () => {
    const page = renderHtml(failing());
    expect(textOf(page.slice(page.indexOf("<body>"))).replace(/^Skip to the results /, "")).toMatch(
      /^Not conforming: 1 /,
    );
    expect(page.indexOf("<h1>")).toBeLessThan(page.indexOf("<main"));
  });

  test("is in the title, with the target", () => {
    expect(renderHtml(failing())).toContain(
      "<title>Not conforming – http://target.example – conformance report</title>",
    );
  });

  test("comes with the share of the requirements that it rests on", () => {
    expect(
      textOf(renderHtml(reportOf({ requirements: [requirement(), { ...requirement(), id: "b", status: "skip" }] }))),
    ).toContain("It rests on 1 of 2 requirements of the interface.");
  });

  test.for([
    { costUsd: 0.0862, want: "2 runs, US$ 0.0862" },
    { costUsd: null, want: "2 runs, cost not told" },
  ])("tells runs and cost of a live target: $want", ({ costUsd, want }) => {
    const given = reportOf({});
    const summary = { ...given.summary, automationRuns: 2, costUsd };
    expect(textOf(renderHtml({ ...given, summary }))).toContain(want);
  });
});

describe("a failed check", () => {
  test("shows the requirement, its section, where, expected, received and the exchange", () => {
    const [failed] = sectionsOf(renderHtml(failing()), "failed");
    for (const part of [
      "markdown is there.",
      "scrape/markdown-present",
      "Every scrape response has the field markdown.",
      "scrape.response.markdown.required",
      "Resources and their fields / DataSpace",
      "Where body /markdown",
      "Expected a string",
      "Received nothing",
      "POST /sessions/s1/page/scrape → 200",
      '"links": [',
    ]) {
      expect(textOf(failed ?? "")).toContain(part);
    }
  });

  test("shows the same finding of twenty exchanges once, and links to the others", () => {
    const findings = Array.from({ length: 20 }, (_, index) => ({ ...finding(), exchange: `scrape/try-${index}` }));
    const [failed] = sectionsOf(renderHtml(failing({ findings })), "failed");
    expect(failed?.match(/<dt>Where<\/dt>/g)).toHaveLength(1);
    expect(failed).toContain("and 19 more exchanges");
    expect(failed).toContain('href="#exchange.scrape.try-19"');
  });

  test("points out the value in the body, and leaves numbers and order as they came", () => {
    const body = '{"b":1.0,"a":[{"url":12345678901234567890}],"b":2}';
    const [failed] = sectionsOf(
      renderHtml(failing({ findings: [{ ...finding(), where: "body /a/0/url" }] }, body)),
      "failed",
    );
    expect(failed).toContain("<mark>&quot;url&quot;: 12345678901234567890</mark>");
    expect(failed).toContain("&quot;b&quot;: 1.0,");
    expect(failed).toContain("&quot;b&quot;: 2");
  });

  test("points out the line of an event stream, however far down it is", () => {
    const lines = Array.from({ length: 300 }, (_, index) => `data: {"n":${index + 1}}`).join("\n");
    const given = failing({ findings: [{ ...finding(), where: "event 290 (line 290)" }] }, lines, "text/event-stream");
    const [failed] = sectionsOf(renderHtml(given), "failed");
    expect(failed).toContain('data-line="290"><mark>data: {&quot;n&quot;:290}</mark>');
    expect(failed).not.toContain('data-line="150"');
    expect(failed).toContain("more lines");
  });

  test("of the level assumed is a warning, and not among what failed", () => {
    const page = renderHtml(failing({ level: "assumed" }));
    expect(sectionsOf(page, "failed")).toEqual([]);
    expect(textOf(sectionsOf(page, "warnings")[0] ?? "")).toContain("warning markdown is there.");
  });
});

describe("a check that was not judged", () => {
  const page = renderHtml(
    reportOf({
      checks: [
        { ...check(), id: "scrape/a", status: "skip", reason: "The mock accepts any key." },
        { ...check(), id: "scrape/b", status: "error", reason: "no response within 120 s" },
      ],
      requirements: [{ ...requirement(), status: "skip", reason: "The mock accepts any key." }],
    }),
  );

  test("never looks like a pass", () => {
    const main = page.slice(page.indexOf("<main"));
    expect(main).not.toMatch(/class="badge pass"/);
    expect(main).not.toContain("#shape-pass");
    expect(textOf(main)).toMatch(/skip .*The mock accepts any key\./);
    expect(textOf(page)).not.toMatch(/\d+ passed|[1-9]\d* pass\b/);
  });

  test("gives its reason", () => {
    expect(textOf(sectionsOf(page, "skipped")[0] ?? "")).toContain("The mock accepts any key. 1");
    expect(textOf(sectionsOf(page, "errors")[0] ?? "")).toContain("Reason no response within 120 s");
  });
});

describe("strings from a server", () => {
  const page = renderHtml(hostileReport());

  test("never become elements or attributes", () => {
    expect(page).not.toMatch(/<script/i);
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\sonload=/i);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;alert(2)&#39;");
  });

  test("show their control characters, overrides and lone surrogates as code points", () => {
    expect(page).toContain("‹U+0000›‹U+001B›‹U+202E›gnp.exe‹U+D800›‹U+200B›");
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(page).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202E]/);
    expect(() => encodeURIComponent(page)).not.toThrow();
  });

  test("stay text when a body in JSON holds them", () => {
    const given = failing({}, JSON.stringify({ "</pre><b>": hostile, "\u202E": [hostile] }));
    expect(renderHtml(given)).not.toMatch(/<b>&quot;|<\/pre><b>/);
  });

  test("survive nesting that is too deep to lay out", () => {
    const body = `${"[".repeat(8000)}${"]".repeat(8000)}`;
    expect(renderHtml(failing({}, body))).toContain(body);
  });
});

describe("the page", () => {
  test("loads nothing, and allows neither scripts nor styles but its own", () => {
    const page = renderHtml(hostileReport());
    expect([...page.matchAll(/\s(?:src|href|action|srcset|data)="([^#"][^"]*)"/g)]).toEqual([]);
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|base|form)\b|@import|url\(|\sstyle="|\son\w+="/i);
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[^&]+&#39;;/,
    );
  });

  test("has a language, landmarks, a skip link and a place for every link", () => {
    const page = renderHtml(failing());
    for (const part of ['<html lang="en">', "<header", "<nav", "<main", 'href="#main"']) expect(page).toContain(part);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? "");
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("is the same for the same report", () => {
    expect(renderHtml(hostileReport())).toBe(renderHtml(hostileReport()));
  });

  test("is written for a report in which nothing happened", () => {
    const nothing = reportOf({
      verdict: "nothing-checked",
      sentence: "Nothing was checked.",
      checks: [],
      requirements: [],
    });
    expect(textOf(renderHtml({ ...nothing, exchanges: [], observations: [] }))).toContain("Nothing was checked.");
  });
});

/** What a reader sees: without style and tags, entities resolved, white space as one space. */
function textOf(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<\/?(?:code|mark|b|i|span|a)\b[^>]*>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}

function sectionsOf(page: string, id: string): string[] {
  return page.match(new RegExp(`<section id="${id}".*?</section>`, "s"))?.slice(0, 1) ?? [];
}

function check(): CheckResult {
  return {
    id: "scrape/markdown-present",
    title: "`markdown` is there.",
    requirements: ["scrape.response.markdown.required"],
    level: "stated",
    operation: "page_scrape",
    status: "pass",
    findings: [],
    exchanges: ["scrape/defaults"],
  };
}

function finding(): CheckResult["findings"][number] {
  return {
    requirement: "scrape.response.markdown.required",
    where: "body /markdown",
    expected: "a string",
    received: "nothing",
    exchange: "scrape/defaults",
  };
}

function requirement(): RequirementResult {
  return {
    id: "scrape.response.markdown.required",
    section: "Resources and their fields / DataSpace",
    text: "Every scrape response has the field `markdown`.",
    operation: "page_scrape",
    level: "stated",
    observable: "mock",
    status: "pass",
    checks: ["scrape/markdown-present"],
  };
}

function exchange(id: string, body: string, type: string): RecordedExchange {
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

function reportOf(parts: Partial<Report>): Report {
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
    summary: { checks: none, warnings: 0, requirements: none, exchanges: 1, automationRuns: 0, costUsd: null },
    checks: [check()],
    observations: [],
    requirements: [requirement()],
    exchanges: [exchange("scrape/defaults", '{"links":["a"]}', "application/json")],
    ...parts,
  };
}

function failing(parts: Partial<CheckResult> = {}, body = '{"links":["a"]}', type = "application/json"): Report {
  const failed: CheckResult = { ...check(), status: "fail", findings: [finding()], ...parts };
  const ids = new Set(["scrape/defaults", ...failed.findings.map((found) => found.exchange)]);
  return reportOf({
    verdict: "not-conforming",
    sentence: "Not conforming: 1 of 1 stated checks fails.",
    exitCode: 1,
    checks: [failed],
    requirements: [{ ...requirement(), status: "fail" }],
    exchanges: [...ids].map((id) => exchange(id, body, type)),
  });
}

/** A report in which every string that can come from outside is hostile. */
function hostileReport(): Report {
  const given = failing({ findings: [{ ...finding(), where: hostile, expected: hostile, received: hostile }] });
  const [shown] = given.exchanges;
  return {
    ...given,
    sentence: hostile,
    startedAt: hostile,
    target: { ...given.target, name: hostile, baseUrl: hostile, sessionId: hostile, endedSessionId: "s2" },
    checks: [
      ...given.checks,
      { ...check(), id: `scrape/${hostile}`, title: hostile, status: "error", reason: hostile },
      { ...check(), id: "scrape/skipped", status: "skip", reason: hostile },
    ],
    observations: [{ id: "open.x", text: hostile, operation: "none", values: [hostile], exchanges: [hostile] }],
    exchanges: shown
      ? [
          { ...shown, request: { ...shown.request, url: hostile, headers: [[hostile, hostile]], body: hostile } },
          { ...shown, id: hostile, response: null, failure: hostile },
          { ...exchange("scrape/html", hostile, hostile) },
        ]
      : [],
  };
}
