import { createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { listen } from "../listen.ts";
import { schemaProblems } from "../report/schema.ts";
import { groupByMark } from "../../src/report/verdict.ts";
import { apiKey, json, sessionId, startServer, withoutMarkdown, type Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const listFailed = (report: Report): string[] =>
  report.checks.filter((check) => check.status === "fail").map((check) => check.id);

const inStream =
  (change: (body: string) => string): Alter =>
  (answer, { url }) =>
    url.startsWith("/api/automation") && answer.status === 200 ? { ...answer, body: change(answer.body) } : answer;

const unauthorized: Alter = (answer) => (answer.status === 403 ? { ...answer, status: 401 } : answer);

const afterDone = inStream((body) => `${body}data: {"type":"status","status":"idle"}\n\n`);

/** Further servers that conform, and that break one sentence each, are judged in `kills/kill-table.long.test.ts`. */
describe("a server that conforms", () => {
  const decorated = inStream((body) =>
    `\uFEFF: hello\n\n${body.replaceAll("data:", "id: 1\ndata:")}`.trimEnd().replaceAll("\n", "\r\n"),
  );
  const variants: readonly (readonly [differs: string, operation: string, alter: Alter])[] = [
    ["with comments, ids, CRLF, a byte order mark, and no line end last", "automation_start", decorated],
    ["with 401 where we have 403", "*", unauthorized],
  ];

  test.for(variants)("gets no finding that a sentence states, %s", async ([, operation, alter]) => {
    const report = await judgeWithoutSocket(alter, { only: [`operation:${operation}`] });
    expect(groupByMark(report.checks).fail).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", exitCode: 0 });
    expect(schemaProblems(report)).toBeNull();
  });
});

describe("a server that breaks one sentence", () => {
  test("is not conforming, and no other requirement fails", async () => {
    const report = await judgeWithoutSocket(afterDone, { only: ["operation:automation_start"] });
    expect(report).toMatchObject({ verdict: "not-conforming", exitCode: 1 });
    expect(listFailed(report)).toContain("stream/nothing-after-done");
    const findings = report.checks.flatMap(({ findings: all }) => all);
    expect(new Set(findings.map(({ requirement }) => requirement))).toEqual(new Set(["event.done.terminal"]));
    expect(report.requirements.find(({ id }) => id === "event.done.terminal")?.status).toBe("fail");
    expect(schemaProblems(report)).toBeNull();
  });

  test("and leaves the stream open is not conforming", async () => {
    const check = "stream/closes-after-done";
    await using server = await startServer((answer, { url }) =>
      url.startsWith("/api") ? { ...answer, leaveOpen: answer.status === 200 } : answer,
    );
    const report = await runConformance(server.target, {
      profile: "full",
      only: ["operation:automation_start"],
      limits: { closeGraceMs: 150 }, // every stream is left open
    });
    expect(report).toMatchObject({ verdict: "not-conforming", exitCode: 1 });
    const findings = report.checks.flatMap(({ id, findings: all }) => all.map(({ requirement }) => [id, requirement]));
    expect(findings).toEqual([[check, "stream.closes-after-done"]]);
  });

  test("is told by requirement, place, expectation and what came", async () => {
    const report = await judgeWithoutSocket(withoutMarkdown, { only: ["scrape/markdown-present"] });
    expect(report.checks.find(({ id }) => id === "scrape/markdown-present")?.findings[0]).toEqual({
      requirement: "scrape.response.markdown.required",
      where: "body /markdown",
      expected: "a string",
      received: "nothing",
      exchange: "scrape/defaults",
    });
  });
});

test("many requests at a time make Node.js warn of nothing", async () => {
  const warnings: string[] = [];
  const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
  process.on("warning", note);
  try {
    await using server = await startServer();
    const { signal } = new AbortController();
    const report = await runConformance(server.target, { profile: "full", concurrency: 32, signal });
    expect(report.verdict).toBe("conforming");
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
  }
});

describe("a setup that is wrong", () => {
  test("is no fault of the target: an unknown session leaves the run unfinished", async () => {
    const report = await judgeWithoutSocket(undefined, { profile: "free", sessions: { sessionId: "unknown" } });
    expect(listFailed(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "unfinished", exitCode: 3 });
    expect(report.checks.find(({ id }) => id === "scrape/status-200")?.reason).toContain("Does the session exist?");
  });

  test("without an ended session the replay is skipped, with the reason", async () => {
    const only = ["operation:session_replay", "cookies/*"];
    const report = await judgeWithoutSocket(undefined, { profile: "free", sessions: { sessionId }, only });
    const status = report.checks.find(({ id }) => id === "replay/status-200");
    expect(status).toMatchObject({ status: "skip", reason: expect.stringContaining("--ended-session-id") });
    expect(report.verdict).toBe("conforming");
  });

  test("an address where nobody listens is an error that names it", async () => {
    const free = createServer();
    const baseUrl = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    const target = liveTarget({ baseUrl, apiKey, sessionId });
    await expect(runConformance(target)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(baseUrl),
    });
  });
});

describe("a report of a live target", () => {
  let report: Report;
  beforeAll(async () => {
    report = await judgeWithoutSocket();
  });

  test("tells what the interface leaves open, and what a run cost", () => {
    const valuesById = new Map(report.observations.map(({ id, values }) => [id, values]));
    expect(valuesById.get("open.session.status-when-unknown")).toEqual(["404 application/json"]);
    expect(valuesById.get("open.session.status-without-credentials")).toEqual(["403 application/json"]);
    expect(valuesById.get("open.stream.blank-line")).toEqual([
      "between events: 1 blank line",
      "after the last event: 1 blank line",
    ]);
    expect(report.summary).toMatchObject({ automationRuns: 1, costUsd: 0.0431 });
  });

  test("conforms, and follows the schema", () => {
    expect(listFailed(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", exitCode: 0 });
    expect(schemaProblems(report)).toBeNull();
  });

  test("shows the query of a request, so that it can be sent again", () => {
    const wrong = report.exchanges.find(({ id }) => id === "scrape/update-metadata-wrong");
    expect(wrong?.request.url).toMatch(/page\/scrape\?update_metadata=neither$/);
  });

  test("has no secret in it, even when the target repeats the key in every answer", async () => {
    const echoReport = await judgeWithoutSocket((answer) => ({
      ...answer,
      headers: { ...answer.headers, "x-echo": apiKey, "set-cookie": "sid=cookie-secret" },
      body: answer.body.replace(/^\{/, `{"echo":"${apiKey}","link":"https://x.example/a?sig=url-secret",`),
    }));
    const text = JSON.stringify(echoReport);
    const secrets = [apiKey, "cookie-secret", "url-secret", "example-session-value", "signature=", "token=example"];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

/** Repeats the key in what is wrong with a scrape. */
const blaming: Alter = (answer, { url }) =>
  url.includes("/scrape") ? json(422, { detail: [{ loc: ["body", apiKey], msg: apiKey, type: "x" }] }) : answer;

describe("a reason", () => {
  test("has no secret in it, even when the target blames the key itself", async () => {
    const report = await judgeWithoutSocket(blaming, { only: ["operation:page_scrape"] });
    expect(report.checks.some(({ reason }) => reason?.startsWith("It was rejected for"))).toBe(true);
    expect(JSON.stringify(report).includes(apiKey)).toBe(false);
  });

  test("of a requirement whose check failed on another one says so", async () => {
    const report = await judgeWithoutSocket(afterDone, { only: ["stream/*"] });
    const row = report.requirements.find(({ id }) => id === "stream.ends-after-terminal-event");
    expect(row).toMatchObject({ status: "skip", reason: expect.stringContaining("stream/nothing-after-done") });
  });
});
