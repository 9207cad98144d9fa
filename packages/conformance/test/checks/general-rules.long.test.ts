/** Tests the general rules in all exchanges of a run. */
import { beforeAll, describe, expect, test } from "vitest";
import { findMissed, findMissedStatus, general, makeRun } from "./general-rules.ts";

beforeAll(makeRun);

describe("in any exchange of the run", () => {
  test.for(general)("what breaks $id is found", (check) => {
    expect(findMissed(check, 1)).toEqual([]);
  });

  test("that is valid, a failure of the server is found", () => {
    expect(findMissedStatus("success", 500, 1)).toEqual([]);
  });

  test("that is not, a success is found", () => {
    expect(findMissedStatus("refusal", 200, 1)).toEqual([]);
  });
});
