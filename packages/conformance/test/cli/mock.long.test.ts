/** The command line without an address: a whole run on the embedded mock, of which every test here looks at the report. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { register } from "../../src/cli/run.ts";
import type { Report } from "../../src/report/report.ts";
import { schemaProblems } from "../report/schema.ts";
import { commandHere, type EndedHere } from "./command-here.ts";
import { ownFolder } from "./own-folder.ts";

const folder = ownFolder();

describe("on the mock", () => {
  let ended: EndedHere;
  let report: Report;
  beforeAll(async () => {
    ended = await commandHere(register, "--report", "json", "--out", join(folder.path, "reports"));
    report = folder.readReport();
  });

  test("the suite conforms, and says what it was", () => {
    expect(report.checks.filter(({ status }) => status === "fail").map(({ id }) => id)).toEqual([]);
    expect(report.verdict).toBe("conforming");
    expect(schemaProblems(report)).toBeNull();
    expect(ended).toEqual({ code: 0, stdout: expect.stringContaining("Target: prism") });
  });

  test("checks that the mock can't show are skipped with the reason, and not counted as passed", () => {
    const wrongKey = report.checks.find(({ id }) => id === "automation/401-wrong-key");
    expect(wrongKey).toMatchObject({ status: "skip", reason: "The mock accepts any key." });
    const requirement = report.requirements.find(({ id }) => id === "stream.closes-after-done");
    expect(requirement).toMatchObject({ status: "skip", reason: expect.stringMatching(/^The mock sends a whole/) });
  });

  test("every requirement that a mock can show was checked", () => {
    const unseen = report.requirements.filter(
      (row) => row.observable === "mock" && row.status === "skip" && row.checks.length > 0,
    );
    expect(unseen.map(({ id }) => id)).toEqual([]);
  });
});
