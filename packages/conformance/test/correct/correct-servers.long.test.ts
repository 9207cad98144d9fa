import { describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { correctAnswers } from "./answers.ts";
import { correctStreams } from "./streams.ts";
import { apiKey, endedSessionId, sessionId, startServer } from "../server.ts";

/** Short: only a stream that is left open is waited for. */
const limits = { closeGraceMs: 150 };

describe("no finding that a sentence states for a correct server that", () => {
  test.for(Object.entries({ ...correctStreams, ...correctAnswers }))("%s", async ([, { alter, manners }]) => {
    await using server = await startServer(alter, manners);
    const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
    const report = await runConformance(target, { profile: "full", limits });
    // What is only assumed is counted and decides nothing: an owner may pin the reading that forbids it.
    const wrong = report.checks.filter(
      ({ status, level }) => status === "error" || (status === "fail" && level === "stated"),
    );
    expect(wrong.map(({ id, reason, findings }) => ({ id, reason, findings: findings.slice(0, 1) }))).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", exitCode: 0, summary: { automationRuns: 1 } });
  });
});
