import { afterAll, beforeAll, expect, test } from "vitest";
import { decideTestOutcome, planTests } from "../../src/bindings/check-tests.ts";
import {
  acting,
  check,
  erroredCheck,
  failedCheck,
  finding,
  hostile,
  knownCheck,
  skippedCheck,
  warnedCheck,
} from "../report/reports.ts";
import type { CheckResult } from "../../src/report/report.ts";
import { startServer, type TestServer } from "../server.ts";
import { boundFile, faults, Project, toldOfFaults } from "./bound.ts";

let project: Project;
let server: TestServer;
beforeAll(async () => {
  project = new Project();
  server = await startServer(faults);
});
afterAll(async () => {
  project[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const message = expect.stringContaining("scrape.response.markdown.required\n  where     body /markdown");
const until = expect.stringContaining("expected until 2026-12-31: the new renderer (team)");

test.for<[string, CheckResult, object]>([
  ["passes what holds", check(), { does: "pass" }],
  ["fails on a stated requirement", failedCheck(), { does: "fail", message }],
  ["notes a failure on an assumed one", warnedCheck(), { does: "note", kind: "warning", text: message }],
  ["notes an expected failure, with its entry", knownCheck(), { does: "note", text: until }],
  ["skips what was not judged, with the reason", skippedCheck(), { does: "skip", reason: "No session." }],
  [
    "fails on a fault of the setup",
    erroredCheck(),
    { does: "fail", message: expect.stringMatching(/^could not be judged/) },
  ],
])("the test of a check %s", ([, result, outcome]) => {
  expect(decideTestOutcome(result.id, { checks: [result], problems: [] })).toMatchObject(outcome);
});

test("the test of a check shows the same finding once, and ten different ones at most, with nothing in them that acts", () => {
  const same = Array.from({ length: 70 }, (_, at) => ({ ...finding(), exchange: `scrape/${at}` }));
  const other = Array.from({ length: 20 }, (_, at) => ({ ...finding(), where: `body /${at}${hostile}` }));
  const outcome = decideTestOutcome("a", {
    checks: [{ ...failedCheck("a"), findings: [...same, ...other] }],
    problems: [],
  });
  const text = outcome.does === "fail" ? outcome.message : "";
  expect(text).toContain("exchange  scrape/0 and 69 more");
  expect(text.match(/ {2}where /g)).toHaveLength(10);
  expect(text).toContain("and 11 more");
  expect(text).not.toMatch(acting);
});

test("a selection of nothing is refused before any test is registered", () => {
  expect(() => planTests({ target: never, only: ["cookies/jsn"] })).toThrow('did you mean "cookies/json"');
});

function never(): never {
  throw new Error("the target is not asked for");
}

test("node:test tells each check as a test of its own, of one run", async () => {
  const { code, reports, runs } = await project.tap(boundFile("node-test"), { TARGET: server.url });
  expect({ code, runs }).toEqual({ code: 1, runs: 1 });
  const contained = Object.entries(toldOfFaults).map(
    ([name, { status, text }]) => [name, { status, text: expect.stringContaining(text) }] as const,
  );
  expect(reports).toEqual(Object.fromEntries(contained));
});
