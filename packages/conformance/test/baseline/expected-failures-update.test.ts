import { describe, expect, test } from "vitest";
import { updateExpectedFailures } from "../../src/baseline/expected-failures-update.ts";
import { parseExpectedFailures } from "../../src/baseline/expected-failures.ts";
import { entry, good, results, today } from "./failure-entries.ts";

describe("an update", () => {
  test("keeps what stays as it was written, with its comments, and removes what is stale or unknown", () => {
    const long = "why ".repeat(60).trim();
    const file = `# Ours.\n\n# Of the pages.\n- id: a # first\n  reason: "${long}"\n  owner: team\n  # until the release\n  expires: 2020-01-01\n\n- id: b\n  reason: was so\n  owner: team\n  expires: 2026-12-31\n- id: gone\n  reason: x\n  owner: y\n  expires: 2026-12-31\n`;
    const { text, added, removed } = updateExpectedFailures(file, results("a fail r1", "b pass"), today);
    expect(text).toBe(file.slice(0, file.indexOf("\n- id: b")));
    expect({ added, removed }).toEqual({ added: [], removed: ["b", "gone"] });
  });

  test("adds entries that nobody can use before a person has filled them in", () => {
    const { text, added } = updateExpectedFailures("", results("a fail r1", "other pass"), today);
    expect(added).toEqual(["a"]);
    expect(text).toBe("- id: a\n  reason:\n  owner:\n  expires: 2026-12-21\n");
    expect(parseExpectedFailures(text).mistakes).toHaveLength(2);
  });

  test("keeps what is said about the file when the first entry goes, and drops what is said about the entry", () => {
    const file = `# Ours.\n\n# Of the pages.\n${good.slice(good.indexOf("- id"))}# Of b.\n- id: b\n  reason: x\n  owner: y\n  expires: 2026-12-31\n`;
    const { text } = updateExpectedFailures(file, results("scrape/a pass", "b fail r1"), today);
    expect(text).toBe(`# Ours.\n\n${file.slice(file.indexOf("# Of b"))}`);
  });

  test("can be made again before the entries were filled in", () => {
    const before = results("a fail r1");
    const once = updateExpectedFailures(good, before, today).text;
    expect(updateExpectedFailures(once, before, "2026-11-22").text).toBe(once);
  });

  test("leaves an empty list behind when nothing fails", () => {
    expect(updateExpectedFailures(good, results("scrape/a pass"), today).text).toBe("# What we know of.\n\n[]\n");
  });

  test("writes JSON for JSON", () => {
    const { text } = updateExpectedFailures(JSON.stringify([entry("b")]), results("b fail r1", "a fail r1"), today);
    expect(JSON.parse(text)).toEqual([entry("b"), { id: "a", reason: null, owner: null, expires: "2026-12-21" }]);
  });

  test.for([
    ["by requirement when all its checks fail", "a fail r1, b fail r1", ["r1"]],
    ["by check when another check of the requirement passes", "a fail r1, b pass", ["a"]],
    ["by requirement when the check passes on its other one", "wide fail r2", ["r2"]],
    ["by check when it fails on all that it judges", "wide fail r1 r2, a pass, other pass", ["wide"]],
    ["by check of two that cover as much beside it", "wide fail r1, a pass, other fail r2", ["other", "wide"]],
    ["for nothing that only warns", "assumed fail r1", []],
    ["for nothing that could not be judged", "a error, b skip", []],
  ] as const)("adds entries %s", ([, checks, ids]) => {
    expect(updateExpectedFailures("", results(...checks.split(", ")), today).added.toSorted()).toEqual(ids);
  });

  test("refuses a file that is no list", () => {
    expect(() => updateExpectedFailures("a: b", [], today)).toThrow("The file is not a list");
  });
});
