import { readFileSync } from "node:fs";
import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import { Ajv } from "ajv";
import ajvFormats from "ajv-formats";
import type { Log, Result, Run } from "sarif";
import { expect, test } from "vitest";
import { contractLines } from "../../src/contract/contract-lines.ts";
import { renderSarif } from "../../src/report/sarif.ts";
import type { CheckResult, Report } from "../../src/report/report.ts";
import { withoutMarkdown } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";
import {
  acting,
  check,
  erroredCheck,
  failedCheck,
  finding,
  hostile,
  hostileReport,
  knownCheck,
  listTexts,
  makeReport,
  requirement,
  skippedCheck,
  staleEntry,
  warnedCheck,
} from "./reports.ts";

// Of draft 4, of which it uses nothing that later drafts read otherwise; one of its patterns is none of Unicode's.
const { $schema: _, id: __, ...schema } = sarifSchema;
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
ajvFormats.default(ajv);
const isLog = ajv.compile<Log>(schema);

/** The only run of the document, once the schema of the format has accepted it. */
function findRun(report: Report): Run {
  const log: unknown = JSON.parse(renderSarif(report));
  expect(isLog(log) ? [] : isLog.errors).toEqual([]);
  const [run] = isLog(log) ? log.runs : [];
  if (!run) throw new Error("the document has no run");
  return run;
}

function findResult(result: CheckResult): Result | undefined {
  return findRun(makeReport({ checks: [result] })).results?.[0];
}

test("makes a rule of each requirement that has checks, with its text, its section and its level", () => {
  const assumed = { ...requirement("scrape.other"), level: "assumed" as const };
  const unseen = { ...requirement("scrape.unseen"), checks: [] };
  const rules = findRun(makeReport({ requirements: [requirement(), assumed, unseen] })).tool.driver.rules;
  expect(rules?.map(({ id, defaultConfiguration }) => [id, defaultConfiguration?.level])).toEqual([
    ["scrape.response.markdown.required", "error"],
    ["scrape.other", "warning"],
  ]);
  expect(rules?.[0]).toMatchObject({
    shortDescription: { text: "Every scrape response has the field `markdown`." },
    help: { text: expect.stringContaining("“Resources and their fields / DataSpace”") },
    properties: { section: "Resources and their fields / DataSpace" },
  });
});

test("makes one result of each requirement that a check found violated, however often", () => {
  const findings = [finding(), { ...finding(), where: "body /images" }, { ...finding(), requirement: "scrape.other" }];
  const { results = [] } = findRun(makeReport({ checks: [{ ...failedCheck(), findings }] }));
  expect(results).toMatchObject([
    { ruleId: "scrape.response.markdown.required", ruleIndex: 0, level: "error", kind: "fail", occurrenceCount: 2 },
    { ruleId: "scrape.other", occurrenceCount: 1 },
  ]);
  expect(results[0]?.message.text).toMatch(/^body \/markdown: expected a string, received nothing\n\nCheck scrape\//);
  expect(results[1]).not.toHaveProperty("ruleIndex");
});

test("only warns of what is assumed", () => {
  expect(findResult(warnedCheck())).toMatchObject({ level: "warning", suppressions: [] });
});

test("suppresses an expected failure, with its reason", () => {
  expect(findResult(knownCheck())?.suppressions).toEqual([
    { kind: "external", status: "accepted", justification: "expected until 2026-12-31: the new renderer (team)" },
  ]);
});

function prints(result: CheckResult): unknown {
  return findResult(result)?.partialFingerprints;
}

test("tracks a finding by its check and requirement, whatever was sent and received", () => {
  const other = { ...finding(), where: "body /x", received: "7", exchange: "scrape/other" };
  expect(prints({ ...failedCheck(), findings: [other] })).toEqual(prints(failedCheck()));
  expect(prints(failedCheck("scrape/other"))).not.toEqual(prints(failedCheck()));
  const another = { ...failedCheck(), findings: [{ ...finding(), requirement: "a.b" }] };
  expect(prints(another)).not.toEqual(prints(failedCheck()));
  expect(prints(failedCheck())).toHaveProperty("primaryLocationLineHash");
});

test("shows the request and the answer of a finding", () => {
  expect(findResult(failedCheck())).toMatchObject({
    webRequest: { method: "POST", target: "http://target.example/sessions/s1/page/scrape", body: { text: "{}" } },
    webResponse: {
      statusCode: 200,
      headers: { "content-type": "application/json" },
      body: { text: '{"links":["a"]}' },
    },
  });
});

test("locates a finding at its line in the contract, and at its operation and check", () => {
  const { results = [], logicalLocations } = findRun(makeReport({ checks: [failedCheck()] }));
  const fullyQualifiedName = "page_scrape/scrape/markdown-present";
  expect(logicalLocations).toEqual([
    { name: "page_scrape", fullyQualifiedName: "page_scrape", kind: "resource" },
    { name: "scrape/markdown-present", fullyQualifiedName, kind: "member", parentIndex: 0 },
  ]);
  expect(results[0]?.locations?.[0]).toMatchObject({
    physicalLocation: { artifactLocation: { uri: "spec/openapi.yaml" }, region: { startLine: 1 } },
    logicalLocations: [{ fullyQualifiedName }],
  });
});

test("knows the line of each requirement that the contract says", () => {
  const lines = contractLines();
  const contract = readFileSync(new URL(import.meta.resolve("@cloud-browser/spec/openapi.yaml")), "utf8").split("\n");
  const textAt = (id: string): string | undefined => contract[(lines.get(id) ?? 0) - 1]?.trim();
  expect(textAt("service.offers-scrape")).toBe("operationId: page_scrape");
  expect(lines.size).toBeGreaterThan(200);
});

test("reports what was not judged and what needs attention as notifications, and of passes nothing", () => {
  const checks = [check("scrape/a"), erroredCheck("scrape/b"), skippedCheck("scrape/c"), skippedCheck("scrape/d")];
  const run = findRun(makeReport({ checks, expectationProblems: [staleEntry], verdict: "unfinished", exitCode: 3 }));
  expect(run.results).toEqual([]);
  expect(run.invocations).toMatchObject([
    {
      executionSuccessful: false,
      exitCode: 3,
      toolExecutionNotifications: [
        { level: "error", message: { text: "no response within 120 s" }, properties: { checks: ["scrape/b"] } },
        { level: "note", message: { text: "No session." }, properties: { checks: ["scrape/c", "scrape/d"] } },
      ],
      toolConfigurationNotifications: [{ level: "error", message: { text: staleEntry.sentence } }],
    },
  ]);
});

test("is what the schema wants, and safe, when every string of the report is hostile", () => {
  const run = findRun(hostileReport());
  expect(listTexts(run).filter((text) => acting.test(text))).toEqual([]);
  expect(hostile).toContain("](");
  expect(run.results?.map(({ message }) => message.text).join("\n")).not.toContain("](");
  expect(renderSarif(hostileReport())).not.toMatch(acting);
});

test("is what the schema wants for a run that finds something", async () => {
  const report = await judgeWithoutSocket(withoutMarkdown, { only: ["scrape/*"] });
  const { results = [] } = findRun(report);
  expect(results.map(({ ruleId }) => ruleId)).toContain("scrape.response.markdown.required");
});
