import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { renderHtml } from "../../src/report/html/html.ts";
import {
  acting,
  check,
  failedCheck,
  failing,
  finding,
  hostile,
  hostileReport,
  reading,
  makeReport,
  requirement,
} from "./reports.ts";

describe("verdict", () => {
  test("comes first, before everything that the page lists", () => {
    const page = renderHtml(failing());
    expect(formatText(page.slice(page.indexOf("<body>"))).replace(/^Skip to the results /, "")).toMatch(
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
      formatText(
        renderHtml(makeReport({ requirements: [requirement(), { ...requirement(), id: "b", status: "skip" }] })),
      ),
    ).toContain("The verdict rests on 1 of 2 requirements of the interface.");
  });

  test.for([
    { costUsd: 0.0862, want: "2 runs, US$ 0.0862" },
    { costUsd: null, want: "2 runs, cost not reported" },
  ])("tells runs and cost of a live target: $want", ({ costUsd, want }) => {
    const given = makeReport({});
    const summary = { ...given.summary, automationRuns: 2, costUsd };
    expect(formatText(renderHtml({ ...given, summary }))).toContain(want);
  });
});

test("tells of each reading what holds, and what the verdict would be with another value", () => {
  const [section = ""] = listSections(renderHtml(makeReport({ readings: [reading()] })), "readings");
  for (const part of [
    "The table lists twelve types.",
    "events.unknown-type",
    "scrape.response.markdown.required",
    "open default There may be other types.",
    "With closed the verdict would be: not conforming. There is no other type.",
  ]) {
    expect(formatText(section)).toContain(part);
  }
});

describe("a failed check", () => {
  test("shows the requirement, its section, where, expected, received and the exchange", () => {
    const [failed] = listSections(renderHtml(failing()), "failed");
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
      expect(formatText(failed ?? "")).toContain(part);
    }
  });

  test("shows the same finding of twenty exchanges once, and links to the others", () => {
    const findings = Array.from({ length: 20 }, (_, index) => ({ ...finding(), exchange: `scrape/try-${index}` }));
    const [failed] = listSections(renderHtml(failing({ findings })), "failed");
    expect(failed?.match(/<dt>Where<\/dt>/g)).toHaveLength(1);
    expect(failed).toContain("and 19 more exchanges");
    expect(failed).toContain('href="#exchange.scrape.try-19"');
  });

  test("points out the value in the body, and leaves numbers and order as they came", () => {
    const body = '{"b":1.0,"a":[{"url":12345678901234567890}],"b":2}';
    const [failed] = listSections(
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
    const [failed] = listSections(renderHtml(given), "failed");
    expect(failed).toContain('data-line="290"><mark>data: {&quot;n&quot;:290}</mark>');
    expect(failed).not.toContain('data-line="150"');
    expect(failed).toContain("more lines");
  });

  test("of the level assumed is a warning, and not among what failed", () => {
    const page = renderHtml(failing({ level: "assumed" }));
    expect(listSections(page, "failed")).toEqual([]);
    expect(formatText(listSections(page, "warnings")[0] ?? "")).toContain("warning markdown is there.");
  });
});

describe("how a failure is reproduced", () => {
  const page = renderHtml(failing());

  test("stands with the failure, with a button to copy it, and names the variable of the key", () => {
    const [failed = ""] = listSections(page, "failed");
    expect(failed).toContain('<button type="button" class="copy">Copy</button>');
    expect(formatText(failed)).toContain(
      "'http://target.example/sessions/s1/page/scrape'".replaceAll("'", "") +
        ' -H "authorization: Bearer ${CLOUD_BROWSER_API_KEY:?}"',
    );
    expect(formatText(failed)).toContain("It takes the key from the environment variable CLOUD_BROWSER_API_KEY.");
  });

  test("is no part of the page where it is too long to be read", () => {
    const given = failing();
    const [shown] = given.exchanges;
    const exchanges = shown ? [{ ...shown, request: { ...shown.request, body: "x".repeat(30_000) } }] : [];
    expect(formatText(listSections(renderHtml({ ...given, exchanges }), "failed")[0] ?? "")).toContain(
      "The command that reproduces it is too long for this page",
    );
  });
});

describe("a failure that is expected", () => {
  const expected = {
    id: "scrape/markdown-present",
    reason: "the new renderer",
    owner: "team-pages",
    expires: "2026-12-31",
  };
  const page = renderHtml(makeReport({ checks: [{ ...failedCheck(), expected }] }));

  test("is not among what failed, and has a mark of its own", () => {
    expect(listSections(page, "failed")).toEqual([]);
    expect(formatText(page)).toContain("Checks 1 1 expected");
  });

  test("tells reason, owner and last day", () => {
    expect(formatText(listSections(page, "expected")[0] ?? "")).toContain(
      "Known the new renderer Owner team-pages Until 2026-12-31",
    );
  });

  test("whose entry needs attention is shown with the kind of the problem", () => {
    const problem = { id: "a", kind: "stale" as const, sentence: "a holds now." };
    const section = listSections(renderHtml(makeReport({ expectationProblems: [problem] })), "expectations");
    expect(formatText(section[0] ?? "")).toContain("stale a holds now.");
  });
});

describe("how the run was made", () => {
  const given = makeReport();
  const section = (run: Partial<typeof given.run>): string =>
    formatText(listSections(renderHtml({ ...given, run: { ...given.run, ...run } }), "run")[0] ?? "");

  test("lists the settings with their sources", () => {
    const settings = [{ name: "only", value: "scrape/*", source: "flag" as const }];
    expect(section({ settings })).toContain("Name Value From only scrape/* flag");
  });

  test.for([
    {
      run: { profile: "full" as const, budget: { maxRuns: 2, maxCostUsd: 1.5 } },
      want: "Budget 2 billed runs at most, US$ 1.5",
    },
    {
      run: { profile: "full" as const, budget: { maxRuns: 1, maxCostUsd: null } },
      want: "Budget 1 billed run at most, no cost limit",
    },
    { run: { profile: "free" as const }, want: "Budget no billed run: profile free" },
    { run: { requests: 61, checks: { selected: 3, all: 90 } }, want: "1 made of 61 planned Checks 3 selected of 90" },
    {
      run: { retries: [{ exchange: "scrape/defaults", reason: "ECONNRESET" }] },
      want: "failed 1 scrape/defaults ECONNRESET",
    },
  ])("tells $want", ({ run, want }) => {
    expect(section(run)).toContain(want);
  });

  test("says at the top that it was interrupted", () => {
    expect(renderHead(true)).toContain("The run was interrupted.");
    expect(renderHead(false)).not.toContain("interrupted");
  });
});

describe("a check that was not judged", () => {
  const page = renderHtml(
    makeReport({
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
    expect(formatText(main)).toMatch(/skip .*The mock accepts any key\./);
    expect(formatText(page)).not.toMatch(/\d+ passed|[1-9]\d* pass\b/);
  });

  test("gives its reason", () => {
    expect(formatText(listSections(page, "skipped")[0] ?? "")).toContain("The mock accepts any key. 1");
    expect(formatText(listSections(page, "errors")[0] ?? "")).toContain("Reason no response within 120 s");
  });
});

describe("strings from a server", () => {
  const page = renderHtml(hostileReport());

  test("never become elements or attributes", () => {
    expect(page.match(/<script/gi)).toHaveLength(1);
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\sonload=/i);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;alert(2)&#39;");
  });

  test("show their control characters, overrides and lone surrogates as code points", () => {
    expect(page).toContain("‹U+202E›gnp.exe‹U+2066›‹U+D800›‹U+200B›‹U+FFFE›‹U+2028›");
    expect(page).not.toMatch(acting);
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
    const whole = renderHtml(hostileReport());
    const [script = ""] = /(?<=<script>)[^<]*(?=<\/script>)/.exec(whole) ?? [];
    const page = whole.replace(`<script>${script}</script>`, "");
    expect([...page.matchAll(/\s(?:src|href|action|srcset|data)="([^#"][^"]*)"/g)]).toEqual([]);
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|base|form)\b|@import|url\(|\sstyle="|\son\w+="/i);
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[^&]+&#39;; script-src &#39;sha256-[^&]+&#39;; base-uri/,
    );
    expect(page).toContain(`sha256-${createHash("sha256").update(script).digest("base64")}`);
    expect(script).not.toMatch(/fetch|XMLHttp|import|eval|innerHTML|storage|https?:/i);
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
    const nothing = makeReport({
      verdict: "nothing-checked",
      sentence: "Nothing was checked.",
      checks: [],
      requirements: [],
    });
    expect(formatText(renderHtml({ ...nothing, exchanges: [], observations: [] }))).toContain("Nothing was checked.");
  });
});

function renderHead(interrupted: boolean): string {
  const given = makeReport();
  const page = renderHtml({ ...given, run: { ...given.run, interrupted } });
  return formatText(page.slice(0, page.indexOf("<nav")));
}

/** Returns the visible text of a page: without style and tags, entities resolved, white space as one space. */
function formatText(page: string): string {
  return page
    .replace(/<(style|script)>.*?<\/\1>/gs, "")
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

function listSections(page: string, id: string): string[] {
  return page.match(new RegExp(`<section id="${id}".*?</section>`, "s"))?.slice(0, 1) ?? [];
}
