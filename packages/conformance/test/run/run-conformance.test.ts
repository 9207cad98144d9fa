import { createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { listen } from "../listen.ts";
import { schemaProblems } from "../report/schema.ts";
import { apiKey, json, sessionId, startServer, type Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const failed = (report: Report): string[] =>
  report.checks.filter((check) => check.status === "fail").map((check) => check.id);

/** Those that decide the verdict: what is only assumed is counted, and decides nothing. */
const failedAsStated = (report: Report): string[] =>
  report.checks.filter((check) => check.status === "fail" && check.level === "stated").map((check) => check.id);

const inStream =
  (change: (body: string) => string): Alter =>
  (answer, { url }) =>
    url.startsWith("/api/automation") && answer.status === 200 ? { ...answer, body: change(answer.body) } : answer;

const inScrape =
  (change: (body: Record<string, unknown>) => unknown): Alter =>
  (answer, { url }) => {
    if (!url.includes("/scrape") || answer.status !== 200) return answer;
    const body: Record<string, unknown> = JSON.parse(answer.body);
    return { ...answer, body: JSON.stringify(change(body)) };
  };

describe("a server that conforms", () => {
  /** Servers that differ in the answers of one operation, or of all. */
  const variants: readonly (readonly [differs: string, operation: string, alter: Alter])[] = [
    ["with single newlines between events", "automation_start", inStream((body) => body.replaceAll("\n\n", "\n"))],
    ["with CRLF line ends", "automation_start", inStream((body) => body.replaceAll("\n", "\r\n"))],
    [
      "with comments, ids and a byte order mark",
      "automation_start",
      inStream((body) => `\uFEFF: hello\n\n${body.replaceAll("data:", "id: 1\ndata:")}: bye\n`),
    ],
    ["without a newline after the last event", "automation_start", inStream((body) => body.trimEnd())],
    ["with more fields than are described", "page_scrape", inScrape((body) => ({ ...body, took_ms: 12 }))],
    [
      "with more fields in events",
      "automation_start",
      inStream((body) => body.replaceAll('{"type"', '{"sequence":1,"type"')),
    ],
    ["with 401 where we have 403", "*", (answer) => (answer.status === 403 ? { ...answer, status: 401 } : answer)],
    [
      "with problem documents",
      "*",
      (answer) =>
        answer.status >= 400 ? { ...answer, headers: { "Content-Type": "application/problem+json" } } : answer,
    ],
    [
      "with a run that ends by an error",
      "automation_start",
      inStream(() => 'data: {"type":"error","error":{"code":7},"detail":null}\n\n'),
    ],
  ];

  test.for(variants)("gets no finding that a sentence states, %s", async ([, operation, alter]) => {
    const report = await judgeWithoutSocket(alter, { only: [`operation:${operation}`] });
    expect(failedAsStated(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", exitCode: 0 });
    expect(schemaProblems(report)).toBeNull();
  });
});

describe("a server that breaks one sentence", () => {
  const faults: readonly { name: string; operation: string; alter: Alter; check: string; requirement: string }[] = [
    {
      name: "and omits markdown",
      operation: "page_scrape",
      alter: inScrape(({ markdown: _, ...rest }) => rest),
      check: "scrape/markdown-present",
      requirement: "scrape.response.markdown.required",
    },
    {
      name: "and sends an event after done",
      operation: "automation_start",
      alter: inStream((body) => `${body}data: {"type":"status","status":"idle"}\n\n`),
      check: "stream/nothing-after-done",
      requirement: "event.done.terminal",
    },
    {
      name: "and never sends a terminal event",
      operation: "automation_start",
      alter: inStream((body) => body.replace(/data: \{"type":"done".*\n/, "")),
      check: "stream/one-terminal-event",
      requirement: "stream.one-terminal-event",
    },
    {
      name: "and takes unknown properties",
      operation: "page_scrape",
      alter: (answer, { body }) => (body.includes("conformance_unknown") ? json(200, { markdown: "" }) : answer),
      check: "scrape/rejects-unknown-property",
      requirement: "scrape.unknown-property-rejected",
    },
    {
      name: "and lets everybody in",
      operation: "session_cookies",
      alter: (answer, { url }) =>
        answer.status === 403 && url.endsWith("/cookies") ? json(200, { cookies: [] }) : answer,
      check: "cookies/refuses-missing-key",
      requirement: "cookies.requires-authentication",
    },
  ];

  test.for(faults)("$name is not conforming", async ({ operation, alter, check, requirement }) => {
    const report = await judgeWithoutSocket(alter, { only: [`operation:${operation}`] });
    expect(report).toMatchObject({ verdict: "not-conforming", exitCode: 1 });
    expect(failed(report)).toContain(check);
    const findings = report.checks.flatMap(({ findings: all }) => all);
    expect(new Set(findings.map((finding) => finding.requirement))).toEqual(new Set([requirement]));
    expect(report.requirements.find(({ id }) => id === requirement)?.status).toBe("fail");
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
    const withoutMarkdown = inScrape(({ markdown: _, ...rest }) => rest);
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
    expect(failed(report)).toEqual([]);
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
    const seen = new Map(report.observations.map(({ id, values }) => [id, values]));
    expect(seen.get("open.session.status-when-unknown")).toEqual(["404 application/json"]);
    expect(seen.get("open.session.status-without-credentials")).toEqual(["403 application/json"]);
    expect(seen.get("open.stream.blank-line")).toEqual([
      "between events: 1 blank line",
      "after the last event: 1 blank line",
    ]);
    expect(report.summary).toMatchObject({ automationRuns: 1, costUsd: 0.0431 });
  });

  test("conforms, and follows the schema", () => {
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", exitCode: 0 });
    expect(schemaProblems(report)).toBeNull();
  });

  test("shows the query of a request, so that it can be sent again", () => {
    const wrong = report.exchanges.find(({ id }) => id === "scrape/update-metadata-wrong");
    expect(wrong?.request.url).toMatch(/page\/scrape\?update_metadata=neither$/);
  });

  test("has no secret in it, even when the target repeats the key in every answer", async () => {
    const told = await judgeWithoutSocket((answer) => ({
      ...answer,
      headers: { ...answer.headers, "x-echo": apiKey, "set-cookie": "sid=cookie-secret" },
      body: answer.body.replace(/^\{/, `{"echo":"${apiKey}","link":"https://x.example/a?sig=url-secret",`),
    }));
    const text = JSON.stringify(told);
    for (const secret of [
      apiKey,
      "cookie-secret",
      "url-secret",
      "example-session-value",
      "signature=",
      "token=example",
    ]) {
      expect(text).not.toContain(secret);
    }
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
    const after = inStream((body) => `${body}data: {"type":"status","status":"idle"}\n\n`);
    const report = await judgeWithoutSocket(after, { only: ["stream/*"] });
    const row = report.requirements.find(({ id }) => id === "stream.ends-after-terminal-event");
    expect(row).toMatchObject({
      status: "skip",
      reason: "Its check failed on another requirement: stream/nothing-after-done.",
    });
  });
});
