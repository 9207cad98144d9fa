import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { register } from "../../src/cli/compare.ts";
import { commandHere, type EndedHere } from "./command-here.ts";
import { failedCheck, makeReport } from "../report/reports.ts";

describe("the command", () => {
  let folder: string;
  const paths: Record<string, string> = {};
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "compare-"));
    const { run: _, ...cut } = makeReport();
    const files: Record<string, unknown> = {
      good: makeReport(),
      bad: makeReport({ checks: [failedCheck()], verdict: "not-conforming", exitCode: 1 }),
      cut,
      other: { ...makeReport(), version: 2 },
      foreign: { name: "package" },
      list: [],
    };
    for (const [name, value] of Object.entries(files)) {
      paths[name] = join(folder, `${name}.json`);
      writeFileSync(paths[name], JSON.stringify(value));
    }
    paths["text"] = join(folder, "text.json");
    writeFileSync(paths["text"], "<testsuite/>");
    paths["none"] = join(folder, "none.json");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const compare = (...args: string[]): Promise<EndedHere> =>
    commandHere(register, "compare", ...args.map((arg) => paths[arg] ?? arg));

  test("ends with 0 when nothing is worse, and with 1 when something is", async () => {
    expect(await compare("good", "good")).toMatchObject({ code: 0 });
    expect(await compare("bad", "good")).toMatchObject({ code: 0 });
    expect(await compare("good", "bad")).toEqual({ code: 1, stdout: expect.stringMatching(/^Worse: 1 new failure\./) });
  });

  test("prints JSON that holds the same", async () => {
    const { stdout } = await compare("good", "bad", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ worse: true, newFailures: [{ check: "scrape/markdown-present" }] });
  });

  test.for([
    { name: "none", says: "the report can't be read: ENOENT" },
    { name: "text", says: "text.json is not JSON; give the report.json of a run" },
    { name: "list", says: "list.json is not a conformance report" },
    { name: "foreign", says: "foreign.json is not a conformance report" },
    { name: "other", says: "other.json has the report version 2; this version of the suite reads version 1" },
    {
      name: "cut",
      says: "cut.json is a damaged report, or one of another version of the suite: at its root it must have required property 'run'",
    },
  ])("refuses a file that is no report ($name), with a sentence", async ({ name, says }) => {
    await expect(compare("good", name)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(says),
    });
  });
});
