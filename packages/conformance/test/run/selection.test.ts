import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import type { SuiteCheck } from "../../src/checks/check.ts";
import { selectChecks } from "../../src/run/selection.ts";
import { checks } from "../../src/run/suite.ts";
import type { Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const ids = (only: readonly string[], skip: readonly string[] = []): string[] =>
  selectChecks(checks, { only, skip }).map(({ id }) => id);

describe("a selection", () => {
  type Row = readonly [name: string, want: (check: SuiteCheck) => boolean, only?: string[], skip?: string[]];
  const rows: readonly Row[] = [
    ["of nothing is all", () => true],
    ["by id is one", ({ id }) => id === "scrape/json", ["scrape/json"]],
    ["by glob stays within a word", ({ id }) => id.startsWith("scrape/"), ["scrape/*"]],
    ["by glob without a slash looks behind it", ({ id }) => /\/refuses-/.test(id), ["refuses-*"]],
    ["by requirement", ({ requirements }) => requirements.includes("cookies.status-200"), ["cookies.status-200"]],
    [
      "by its glob, too",
      ({ requirements }) => requirements.some((id) => id.startsWith("event.done.")),
      ["event.done.*"],
    ],
    ["by operation", ({ operation }) => operation === "session_replay", ["operation:session_replay"]],
    ["by level", ({ level }) => level === "assumed", ["level:assumed"]],
    ["of alternatives takes them all", ({ id }) => /^(cookies|replay)\/json$/.test(id), ["{cookies,replay}/json"]],
    ["without some", ({ id }) => !/^(automation|stream|event)\//.test(id), [], ["operation:automation_start"]],
    ["skips what it names, too", ({ id }) => /^scrape\/(?!json$)/.test(id), ["scrape/*"], ["scrape/json"]],
  ];

  test.for(rows)("%s", ([, want, only = [], skip = []]) => {
    expect(ids(only, skip)).toEqual(checks.filter(want).map(({ id }) => id));
    expect(ids(only, skip)).not.toEqual([]);
  });

  const mistakes: readonly (readonly [name: string, says: string, only?: string[], skip?: string[]])[] = [
    ["a slip of the pen", 'matches "scrape/jsn"; did you mean "scrape/json"', ["scrape/jsn"]],
    ["a slip in what is left out", 'did you mean "operation:page_scrape"', [], ["operation:page_scrap"]],
    ["part of a name", "did you mean", ["missing-key"]],
    ["a name far from all", "`conformance list` shows all ids", ["qqqqqqqqqq"]],
    ["everything left out", "no check is left", ["scrape/json"], ["scrape/*"]],
  ];

  test.for(mistakes)("of nothing is a usage error: %s", ([, says, only = [], skip = []]) => {
    expect(() => ids(only, skip)).toThrow(says);
    expect(() => ids(only, skip)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

async function run(options: RunOptions): Promise<{ urls: string[]; report: Report }> {
  const urls: string[] = [];
  const note: Alter = (answer, { method, url }) => {
    urls.push(`${method} ${url}`);
    return answer;
  };
  return { urls, report: await judgeWithoutSocket(note, { profile: "free", ...options }) };
}

describe("a run of a selection", () => {
  test("sends only what its checks look at", async () => {
    const { urls, report } = await run({ only: ["cookies/refuses-missing-key"] });
    expect(urls).toEqual(["GET /sessions/open-session/cookies"]);
    expect(report.run).toMatchObject({ requests: 1, checks: { selected: 1, all: checks.length } });
  });

  test("lists no check that was left out, and says of its requirements why", async () => {
    const { report } = await run({ only: ["cookies/refuses-missing-key"] });
    expect(report.checks.map(({ id, status }) => [id, status])).toEqual([["cookies/refuses-missing-key", "pass"]]);
    const row = report.requirements.find(({ id }) => id === "scrape.requires-authentication");
    expect(row).toMatchObject({ status: "skip", reason: expect.stringMatching(/^Not selected/) });
    expect(report.verdict).toBe("conforming");
  });

  test("does not look around: observations are for whole runs", async () => {
    const [selected, whole] = [await run({ only: ["operation:session_cookies"] }), await run({})];
    expect([selected, whole].map(({ urls }) => urls.join().includes("00000000"))).toEqual([false, true]);
  });

  test("takes no option that is out of its bounds", async () => {
    const wrong: readonly RunOptions[] = [{ maxRuns: Number.NaN }, { concurrency: 0 }, { rate: -1 }, { seed: 0.5 }];
    for (const options of wrong) await expect(run(options)).rejects.toMatchObject({ code: "usage" });
  });
});
