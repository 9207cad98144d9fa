import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { register } from "../../src/cli/compare.ts";
import { commandHere, type EndedHere } from "./command-here.ts";
import { ownFolder } from "./own-folder.ts";
import { failedCheck, makeReport } from "../report/reports.ts";

const folder = ownFolder();
beforeAll(() => {
  const { run: _, ...cut } = makeReport();
  folder.write("good.json", makeReport());
  folder.write("bad.json", makeReport({ checks: [failedCheck()], verdict: "not-conforming", exitCode: 1 }));
  folder.write("cut.json", cut);
  folder.write("other.json", { ...makeReport(), version: 2 });
  folder.write("foreign.json", { name: "package" });
  folder.write("list.json", []);
  folder.write("text.json", "<testsuite/>");
});

const compare = (old: string, now: string, ...flags: string[]): Promise<EndedHere> =>
  commandHere(register, "compare", ...[old, now].map((name) => join(folder.path, `${name}.json`)), ...flags);

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
  ["none", "can't be read: ENOENT"],
  ["text", "text.json is not JSON"],
  ["list", "list.json is not a conformance report"],
  ["foreign", "foreign.json is not a conformance report"],
  ["other", "other.json has the report version 2; this version of the suite reads version 1"],
  ["cut", "at its root it must have required property 'run'"],
] as const)("refuses a file that is no report (%s), with a sentence", async ([name, says]) => {
  await expect(compare("good", name)).rejects.toMatchObject({ code: "usage", message: expect.stringContaining(says) });
});
