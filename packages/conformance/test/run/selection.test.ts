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
  const rows: readonly { name: string; only?: string[]; skip?: string[]; want: (id: string) => boolean }[] = [
    { name: "of nothing is all", want: () => true },
    { name: "by id is one", only: ["scrape/json"], want: (id) => id === "scrape/json" },
    { name: "by glob stays within a word", only: ["scrape/*"], want: (id) => id.startsWith("scrape/") },
    { name: "by glob without a slash looks behind it", only: ["refuses-*"], want: (id) => /\/refuses-/.test(id) },
    {
      name: "by requirement is every check that judges it",
      only: ["stream.events-only-here"],
      want: (id) => checks.find((check) => check.id === id)?.requirements.includes("stream.events-only-here") ?? false,
    },
    {
      name: "by requirement glob, too",
      only: ["event.done.*"],
      want: (id) =>
        checks.find((check) => check.id === id)?.requirements.some((row) => row.startsWith("event.done.")) ?? false,
    },
    {
      name: "by operation",
      only: ["operation:session_replay"],
      want: (id) => checks.find((check) => check.id === id)?.operation === "session_replay",
    },
    {
      name: "by level",
      only: ["level:assumed"],
      want: (id) => checks.find((check) => check.id === id)?.level === "assumed",
    },
    {
      name: "of alternatives takes them all",
      only: ["{cookies,replay}/json"],
      want: (id) => /^(cookies|replay)\/json$/.test(id),
    },
    {
      name: "without some",
      skip: ["operation:automation_start"],
      want: (id) => !/^(automation|stream|event)\//.test(id),
    },
    {
      name: "skips what it names, too",
      only: ["scrape/*"],
      skip: ["scrape/json"],
      want: (id) => /^scrape\/(?!json$)/.test(id),
    },
  ];

  test.for(rows)("$name", ({ only = [], skip = [], want }) => {
    expect(ids(only, skip)).toEqual(all.filter(want));
    expect(ids(only, skip)).not.toEqual([]);
  });

  const mistakes: readonly { name: string; only?: string[]; skip?: string[]; says: string }[] = [
    { name: "a slip of the pen", only: ["scrape/jsn"], says: 'matches "scrape/jsn"; did you mean "scrape/json"' },
    {
      name: "a slip in what is left out",
      skip: ["operation:page_scrap"],
      says: 'did you mean "operation:page_scrape"',
    },
    { name: "part of a name", only: ["missing-key"], says: "did you mean" },
    { name: "a name far from all", only: ["qqqqqqqqqq"], says: "`conformance list` shows all ids" },
    { name: "everything left out", only: ["scrape/json"], skip: ["scrape/*"], says: "no check is left" },
  ];

  test.for(mistakes)("of nothing is a usage error: $name", ({ only = [], skip = [], says }) => {
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
