import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { selectChecks } from "../../src/run/selection.ts";
import { checks } from "../../src/run/suite.ts";
import type { Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const ids = (only: readonly string[], skip: readonly string[] = []): string[] =>
  selectChecks(checks, { only, skip }).map(({ id }) => id);

const all = checks.map(({ id }) => id);

describe("a selection", () => {
  const rows: readonly (readonly [name: string, want: (id: string) => boolean, only?: string[], skip?: string[]])[] = [
    ["of nothing is all", () => true],
    ["by id is one", (id) => id === "scrape/json", ["scrape/json"]],
    ["by glob stays within a word", (id) => id.startsWith("scrape/"), ["scrape/*"]],
    ["by glob without a slash looks behind it", (id) => /\/refuses-/.test(id), ["refuses-*"]],
    [
      "by requirement is every check that judges it",
      (id) => checks.find((check) => check.id === id)?.requirements.includes("stream.events-only-here") ?? false,
      ["stream.events-only-here"],
    ],
    [
      "by requirement glob, too",
      (id) =>
        checks.find((check) => check.id === id)?.requirements.some((row) => row.startsWith("event.done.")) ?? false,
      ["event.done.*"],
    ],
    [
      "by operation",
      (id) => checks.find((check) => check.id === id)?.operation === "session_replay",
      ["operation:session_replay"],
    ],
    ["by level", (id) => checks.find((check) => check.id === id)?.level === "assumed", ["level:assumed"]],
    ["of alternatives takes them all", (id) => /^(cookies|replay)\/json$/.test(id), ["{cookies,replay}/json"]],
    ["without some", (id) => !/^(automation|stream|event)\//.test(id), [], ["operation:automation_start"]],
    ["skips what it names, too", (id) => /^scrape\/(?!json$)/.test(id), ["scrape/*"], ["scrape/json"]],
  ];

  test.for(rows)("%s", ([, want, only = [], skip = []]) => {
    expect(ids(only, skip)).toEqual(all.filter(want));
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
    expect(report.run).toMatchObject({ requests: 1, checks: { selected: 1, all: all.length } });
  });

  test("lists no check that was left out, and says of its requirements why", async () => {
    const { report } = await run({ only: ["cookies/refuses-missing-key"] });
    expect(report.checks.map(({ id, status }) => [id, status])).toEqual([["cookies/refuses-missing-key", "pass"]]);
    const row = report.requirements.find(({ id }) => id === "scrape.requires-authentication");
    expect(row).toMatchObject({ status: "skip", reason: expect.stringMatching(/^Not selected/) });
    expect(report.verdict).toBe("conforming");
  });

  test("does not look around: observations are for whole runs", async () => {
    expect((await run({ only: ["operation:session_cookies"] })).urls.some((url) => url.includes("00000000"))).toBe(
      false,
    );
    expect((await run({})).urls.some((url) => url.includes("00000000"))).toBe(true);
  });

  test("takes no option that is out of its bounds", async () => {
    for (const options of [
      { maxRuns: Number.NaN },
      { concurrency: 0 },
      { rate: -1 },
      { seed: 0.5 },
    ] satisfies RunOptions[]) {
      await expect(run(options)).rejects.toMatchObject({ code: "usage" });
    }
  });
});
