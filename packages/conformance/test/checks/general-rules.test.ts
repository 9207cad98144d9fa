/** Tests the general rules in every fifth exchange of a run. In all of them: general-rules.long.test.ts. */
import { beforeAll, describe, expect, test } from "vitest";
import { findMissed, findMissedStatus, general, makeRun, run } from "./general-rules.ts";

beforeAll(makeRun);

test("a run has exchanges for pages, for recordings, after a wait, for what is open, and for what is refused", () => {
  const purposes = [
    "page/before-change",
    "recording/wait-1",
    "recording/read-other",
    "automation/run",
    "automation/run-again",
  ];
  expect(purposes.filter((id) => !run.exchanges.has(id))).toEqual([]);
  expect(new Set([...run.exchanges.values()].map(({ expects }) => expects))).toEqual(
    new Set(["success", "refusal", "open"]),
  );
});

describe("in every fifth exchange of the run", () => {
  test.for(general)("what breaks $id is found", (check) => {
    expect(findMissed(check, 5)).toEqual([]);
  });

  test("that is valid, a failure of the server is found", () => {
    expect(findMissedStatus("success", 500, 5)).toEqual([]);
  });

  test("that is not, a success is found", () => {
    expect(findMissedStatus("refusal", 200, 5)).toEqual([]);
  });
});

test("the checks of the form of answers are those that apply to each one", () => {
  expect(general.length).toBeGreaterThan(100);
  expect(general.filter(({ appliesTo }) => appliesTo === undefined).map(({ id }) => id)).toEqual([]);
});
