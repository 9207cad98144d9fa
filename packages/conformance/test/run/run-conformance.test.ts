import { createServer } from "node:net";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import reportSchema from "../../src/report/report.schema.json" with { type: "json" };
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { prismTarget, type PrismTarget } from "../../src/run/mock.ts";
import { listen } from "../listen.ts";
import { apiKey, endedSessionId, json, sessionId, startServer, type Alter } from "../server.ts";

/** Short, since the tests' servers are near: only what never ends is waited for. */
const limits = { closeGraceMs: 150, timeoutMs: 2_000, streamTimeoutMs: 2_000 };

/** Judges a server as a person would: with its address, a key and sessions, and one billed run. */
async function judge(alter?: Alter, options: RunOptions = {}): Promise<Report> {
  await using server = await startServer(alter);
  const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
  return await runConformance(target, { profile: "full", limits, ...options });
}

const ajv = new Ajv2020({ strictTypes: false });
ajvFormats.default(ajv);
const validate = ajv.compile(reportSchema);

function expectValid(report: Report): void {
  validate(JSON.parse(JSON.stringify(report)));
  expect(validate.errors).toBeNull();
}

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
  const variants: Record<string, Alter | undefined> = {
    "as the contract's examples are": undefined,
    "with single newlines between events": inStream((body) => body.replaceAll("\n\n", "\n")),
    "with CRLF line ends": inStream((body) => body.replaceAll("\n", "\r\n")),
    "with comments, ids and a byte order mark": inStream(
      (body) => `\uFEFF: hello\n\n${body.replaceAll("data:", "id: 1\ndata:")}: bye\n`,
    ),
    "without a newline after the last event": inStream((body) => body.trimEnd()),
    "with more fields than are described": inScrape((body) => ({ ...body, took_ms: 12 })),
    "with more fields in events": inStream((body) => body.replaceAll('{"type"', '{"sequence":1,"type"')),
    "with 401 where we have 403": (answer) => (answer.status === 403 ? { ...answer, status: 401 } : answer),
    "with problem documents": (answer) =>
      answer.status >= 400 ? { ...answer, headers: { "Content-Type": "application/problem+json" } } : answer,
    "with a run that ends by an error": inStream(() => 'data: {"type":"error","error":{"code":7},"detail":null}\n\n'),
  };

  test.for(Object.entries(variants))("gets no finding that a sentence states, %s", async ([, alter]) => {
    const report = await judge(alter);
    expect(failedAsStated(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", exitCode: 0 });
    expectValid(report);
  });
});

describe("a server that breaks one sentence", () => {
  const faults: readonly { name: string; alter: Alter; check: string; requirement: string }[] = [
    {
      name: "and omits markdown",
      alter: inScrape(({ markdown: _, ...rest }) => rest),
      check: "scrape/markdown-present",
      requirement: "scrape.response.markdown.required",
    },
    {
      name: "and sends an event after done",
      alter: inStream((body) => `${body}data: {"type":"status","status":"idle"}\n\n`),
      check: "stream/nothing-after-done",
      requirement: "event.done.terminal",
    },
    {
      name: "and never sends a terminal event",
      alter: inStream((body) => body.replace(/data: \{"type":"done".*\n/, "")),
      check: "stream/one-terminal-event",
      requirement: "stream.one-terminal-event",
    },
    {
      name: "and leaves the stream open",
      alter: (answer, { url }) => (url.startsWith("/api") ? { ...answer, leaveOpen: answer.status === 200 } : answer),
      check: "stream/closes-after-done",
      requirement: "stream.closes-after-done",
    },
    {
      name: "and takes unknown properties",
      alter: (answer, { body }) => (body.includes("conformance_unknown") ? json(200, { markdown: "" }) : answer),
      check: "scrape/rejects-unknown-property",
      requirement: "scrape.unknown-property-rejected",
    },
    {
      name: "and lets everybody in",
      alter: (answer, { url }) =>
        answer.status === 403 && url.endsWith("/cookies") ? json(200, { cookies: [] }) : answer,
      check: "cookies/refuses-missing-key",
      requirement: "cookies.requires-authentication",
    },
  ];

  test.for(faults)("$name is not conforming", async ({ alter, check, requirement }) => {
    const report = await judge(alter);
    expect(report).toMatchObject({ verdict: "not-conforming", exitCode: 1 });
    expect(failed(report)).toContain(check);
    const findings = report.checks.flatMap(({ findings: all }) => all);
    expect(new Set(findings.map((finding) => finding.requirement))).toEqual(new Set([requirement]));
    expect(report.requirements.find(({ id }) => id === requirement)?.status).toBe("fail");
    expectValid(report);
  });

  test("is told by requirement, place, expectation and what came", async () => {
    const report = await judge(inScrape(({ markdown: _, ...rest }) => rest));
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
    const report = await judge(undefined, { concurrency: 32, signal: new AbortController().signal });
    expect(report.verdict).toBe("conforming");
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
  }
});

describe("a setup that is wrong", () => {
  test("is no fault of the target: an unknown session leaves the run unfinished", async () => {
    await using server = await startServer();
    const target = liveTarget({ baseUrl: server.url, apiKey, sessionId: "unknown" });
    const report = await runConformance(target, { limits });
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "unfinished", exitCode: 3 });
    expect(report.checks.find(({ id }) => id === "scrape/status-200")?.reason).toContain("Does the session exist?");
  });

  test("without an ended session the replay is skipped, with the reason", async () => {
    await using server = await startServer();
    const report = await runConformance(liveTarget({ baseUrl: server.url, apiKey, sessionId }), { limits });
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
  test("tells what the interface leaves open, and what a run cost", async () => {
    const report = await judge();
    const seen = new Map(report.observations.map(({ id, values }) => [id, values]));
    expect(seen.get("open.session.status-when-unknown")).toEqual(["404 application/json"]);
    expect(seen.get("open.session.status-without-credentials")).toEqual(["403 application/json"]);
    expect(seen.get("open.stream.blank-line")).toEqual(["yes"]);
    expect(report.summary).toMatchObject({ automationRuns: 1, costUsd: 0.0431 });
  });

  test("has no secret in it, even when the target repeats the key in every answer", async () => {
    const report = await judge((answer) => ({
      ...answer,
      headers: { ...answer.headers, "x-echo": apiKey, "set-cookie": "sid=cookie-secret" },
      body: answer.body.replace(/^\{/, `{"echo":"${apiKey}","link":"https://x.example/a?sig=url-secret",`),
    }));
    const text = JSON.stringify(report);
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

test("a recorded request shows its own query, so that it can be sent again", async () => {
  const report = await judge();
  const wrong = report.exchanges.find(({ id }) => id === "scrape/update-metadata-wrong");
  expect(wrong?.request.url).toMatch(/page\/scrape\?update_metadata=neither$/);
});

describe("a reason", () => {
  test("has no secret in it, even when the target blames the key itself", async () => {
    const report = await judge((answer, { url }) =>
      url.includes("/scrape") ? json(422, { detail: [{ loc: ["body", apiKey], msg: apiKey, type: "x" }] }) : answer,
    );
    expect(report.checks.some(({ reason }) => reason?.startsWith("It was rejected for"))).toBe(true);
    expect(JSON.stringify(report).includes(apiKey)).toBe(false);
  });

  test("of a requirement whose check failed on another one says so", async () => {
    const report = await judge(inStream((body) => `${body}data: {"type":"status","status":"idle"}\n\n`));
    const row = report.requirements.find(({ id }) => id === "stream.ends-after-terminal-event");
    expect(row).toMatchObject({
      status: "skip",
      reason: "Its check failed on another requirement: stream/nothing-after-done.",
    });
  });
});

describe("on the mock", () => {
  let prism: PrismTarget;
  let report: Report;
  beforeAll(async () => {
    prism = await prismTarget();
    report = await runConformance(prism.target);
  });
  afterAll(() => prism[Symbol.asyncDispose]());

  test("the suite conforms", () => {
    expect(failed(report)).toEqual([]);
    expect(report.verdict).toBe("conforming");
    expectValid(report);
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
