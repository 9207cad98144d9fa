import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { renderHtml } from "../../src/report/html/html.ts";
import {
  acting,
  check,
  erroredCheck,
  failing,
  failingWith,
  finding,
  hostile,
  hostileReport,
  knownCheck,
  makeReport,
  reading,
  requirement,
  skippedCheck,
  staleEntry,
} from "./reports.ts";

test("the verdict comes first, before everything that the page lists, and in the title, with the target", () => {
  const report = failing();
  const page = renderHtml(report);
  const [verdict = ""] = report.sentence.split(":");
  expect(formatText(page.slice(page.indexOf("<body>"))).indexOf(verdict)).toBe("Skip to the results ".length);
  expect(page.indexOf("<h1>")).toBeLessThan(page.indexOf("<main"));
  const title = /<title>(.*)<\/title>/.exec(page)?.[1];
  expect(title).toContain(verdict);
  expect(title).toContain(report.target.name);
});

const plain = makeReport();
const inRun = (run: Partial<typeof plain.run>): Report => ({ ...plain, run: { ...plain.run, ...run } });
const skipReason = "The mock accepts any key.";
const known = makeReport({ checks: [knownCheck()] });
const notJudged = makeReport({
  checks: [{ ...skippedCheck("scrape/a"), reason: skipReason }, erroredCheck("scrape/b")],
  requirements: [{ ...requirement(), status: "skip", reason: skipReason }],
});
const costly = makeReport({ summary: { ...plain.summary, automationRuns: 2, costUsd: 0.0862 } });
const withBudget = (maxRuns: number, maxCostUsd: number | null): Report =>
  inRun({ profile: "full", budget: { maxRuns, maxCostUsd } });
const settings = [{ name: "only", value: "scrape/*", source: "flag" as const }];
const retries = [{ exchange: "scrape/defaults", reason: "ECONNRESET" }];
const found = Object.values(finding()).filter((value) => value !== "scrape/defaults");
const exchanged = ["POST", "/sessions/s1/page/scrape", "200"];
const read = ["events.unknown-type", "scrape.response.markdown.required", "open", "There may be other types."];
const otherwise = ["closed", "There is no other type.", "not conforming"];
const judged = [check().id, requirement().section, "Every scrape response has the field markdown."];

/** Values of reports, by the part of the page that has to show them; the whole page where none is named. */
const rows: readonly (readonly [what: string, report: Report, part: string, values: readonly string[]])[] = [
  ["the share of requirements judged", notJudged, "", ["0 of 1"]],
  ["runs with their cost", costly, "", ["2 runs", "0.0862"]],
  [
    "a reading, and the verdict by another value",
    makeReport({ readings: [reading()] }),
    "readings",
    [...read, ...otherwise],
  ],
  ["a failed check with all that shows it", failing(), "failed", [...found, ...judged, ...exchanged]],
  ["a failure that only warns", failing({ level: "assumed" }), "warnings", ["markdown is there."]],
  ["a known failure, with its entry", known, "expected", ["the new renderer", "team", "2026-12-31"]],
  [
    "an entry that needs attention",
    makeReport({ expectationProblems: [staleEntry] }),
    "expectations",
    ["stale", "b holds now."],
  ],
  ["settings with their sources", inRun({ settings }), "run", ["only scrape/* flag"]],
  ["a budget", withBudget(2, 1.5), "run", ["2 billed runs", "1.5"]],
  ["a budget without a limit of cost", withBudget(1, null), "run", ["1 billed run", "no cost limit"]],
  ["a profile without runs", inRun({ profile: "free" }), "run", ["no billed run", "free"]],
  ["how much was judged", inRun({ requests: 61, checks: { selected: 3, all: 90 } }), "run", ["61", "3 selected of 90"]],
  ["what was sent again", inRun({ retries }), "run", ["scrape/defaults", "ECONNRESET"]],
  ["why a check was skipped", notJudged, "skipped", [skipReason]],
  ["why a check could not be judged", notJudged, "errors", ["no response within 120 s"]],
];

test.for(rows)("shows %s", ([, report, part, values]) => {
  const text = formatText(part === "" ? renderHtml(report) : renderPart(report, part));
  expect(values.filter((value) => !text.includes(value))).toEqual([]);
});

test("tells no cost where none was reported", () => {
  const report = makeReport({ summary: { ...costly.summary, costUsd: null } });
  expect(formatText(renderHtml(report))).not.toContain("US$");
});

test("what only warns, or is known, is not among what failed", () => {
  for (const report of [failing({ level: "assumed" }), known]) expect(renderPart(report, "failed")).toBe("");
});

test.for([true, false])("says at the top whether a run was interrupted: %s", (interrupted) => {
  const page = renderHtml(inRun({ interrupted }));
  expect(formatText(page.slice(0, page.indexOf("<nav"))).includes("interrupted")).toBe(interrupted);
});

describe("a failed check", () => {
  test("shows the same finding of twenty exchanges once, and links to the others", () => {
    const findings = Array.from({ length: 20 }, (_, index) => ({ ...finding(), exchange: `scrape/try-${index}` }));
    const failed = renderPart(failing({ findings }), "failed");
    expect(failed.match(/<dt>Where<\/dt>/g)).toHaveLength(1);
    expect(failed).toContain("and 19 more exchanges");
    expect(failed).toContain('href="#exchange.scrape.try-19"');
  });

  test("points out the value in the body, and leaves numbers and order as they came", () => {
    const body = '{"b":1.0,"a":[{"url":12345678901234567890}],"b":2}';
    const failed = renderPart(failing({ findings: [{ ...finding(), where: "body /a/0/url" }] }, body), "failed");
    expect(failed).toContain("<mark>&quot;url&quot;: 12345678901234567890</mark>");
    expect(failed).toContain("&quot;b&quot;: 1.0,");
    expect(failed).toContain("&quot;b&quot;: 2");
  });

  test("points out the line of an event stream, however far down it is", () => {
    const lines = Array.from({ length: 300 }, (_, index) => `data: {"n":${index + 1}}`).join("\n");
    const report = failing({ findings: [{ ...finding(), where: "event 290 (line 290)" }] }, lines, "text/event-stream");
    const failed = renderPart(report, "failed");
    expect(failed).toContain('data-line="290"><mark>data: {&quot;n&quot;:290}</mark>');
    expect(failed).not.toContain('data-line="150"');
    expect(failed).toContain("more lines");
  });
});

describe("how a failure is reproduced", () => {
  test("stands with the failure, with a button to copy it, and names the variable of the key", () => {
    const failed = renderPart(failing(), "failed");
    expect(failed).toContain('<button type="button" class="copy">Copy</button>');
    const command =
      'http://target.example/sessions/s1/page/scrape -H "authorization: Bearer ${CLOUD_BROWSER_API_KEY:?}"';
    expect(formatText(failed)).toContain(command);
    expect(formatText(failed)).toContain("It takes the key from the environment variable CLOUD_BROWSER_API_KEY.");
  });

  test("is no part of the page where it is too long to be read", () => {
    const failed = renderPart(failingWith("x".repeat(30_000)), "failed");
    expect(formatText(failed)).toContain("The command that reproduces it is too long for this page");
  });
});

test("what was not judged never looks like a pass", () => {
  const page = renderHtml(notJudged);
  const main = page.slice(page.indexOf("<main"));
  expect(main).not.toMatch(/class="badge pass"/);
  expect(main).not.toContain("#shape-pass");
  expect(formatText(page)).not.toMatch(/\d+ passed|[1-9]\d* pass\b/);
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
    const report = failing({}, JSON.stringify({ "</pre><b>": hostile, "\u202E": [hostile] }));
    expect(renderHtml(report)).not.toMatch(/<b>&quot;|<\/pre><b>/);
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
    const nothing = { checks: [], requirements: [], exchanges: [], observations: [] };
    const page = renderHtml(makeReport({ ...nothing, verdict: "nothing-checked", sentence: "Nothing was checked." }));
    expect(formatText(page)).toContain("Nothing was checked.");
  });
});

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

/** Renders a part of the page; an empty text when it has none of that id. */
function renderPart(report: Report, id: string): string {
  return new RegExp(`<section id="${id}".*?</section>`, "s").exec(renderHtml(report))?.[0] ?? "";
}
