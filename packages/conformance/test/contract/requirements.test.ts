import { describe, expect, test } from "vitest";
import { observedRows } from "../../src/observations/observe.ts";
import { loadRequirements } from "../../src/contract/requirements.ts";
import titles from "../../src/checks/titles.json" with { type: "json" };
import { checks } from "../../src/run/suite.ts";

const { requirements, unspecified } = loadRequirements();

describe("requirements and checks are in step:", () => {
  const judging = new Map(
    requirements.map(({ id }) => [
      id,
      checks.filter((check) => check.requirements.includes(id)).map((check) => check.id),
    ]),
  );

  test("every requirement that a check names exists", () => {
    const ids = new Set(requirements.map(({ id }) => id));
    expect(checks.flatMap((check) => check.requirements.filter((id) => !ids.has(id)))).toEqual([]);
  });

  test.for(requirements)("$id lists exactly its checks, or says why it has none", ({ id, checks: list, reason }) => {
    expect(list).toEqual(judging.get(id));
    expect(list.length > 0).toBe(reason === undefined);
  });

  test("only what a run can see is checked", () => {
    const unseen = requirements.filter(({ observable }) => observable === "contract" || observable === "none");
    expect(unseen.filter((row) => row.checks.length > 0).map(({ id }) => id)).toEqual([]);
  });

  test("every observation is about a row of what the interface leaves open", () => {
    const ids = new Set(unspecified.map(({ id }) => id));
    expect(observedRows.filter((id) => !ids.has(id))).toEqual([]);
  });

  test("every open row that a run can see has an observer, and no other row has one", () => {
    const visible = unspecified.filter(({ observable }) => observable !== "none" && observable !== "contract");
    expect([...observedRows].sort()).toEqual(visible.map(({ id }) => id).sort());
  });

  test("every title is that of a check", () => {
    const ids = new Set(checks.map(({ id }) => id));
    expect(Object.keys(titles).filter((id) => !ids.has(id))).toEqual([]);
  });

  test("ids of checks are unique", () => {
    const ids = checks.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });
});
