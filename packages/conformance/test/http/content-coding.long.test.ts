import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { apiKey, endedSessionId, sessionId, startServer, type Alter, type Manners } from "../server.ts";

/** Prefix of a body that is to be compressed. */
const mark = "gzip:";

const packs: NonNullable<Manners["pieces"]> = (body) => [
  body.startsWith(mark) ? gzipSync(body.slice(mark.length)) : body,
];
const gzip: Alter = (answer) => ({
  ...answer,
  headers: { ...answer.headers, "content-encoding": "gzip" },
  body: `${mark}${answer.body}`,
});

async function judged(alter: Alter): Promise<Report> {
  await using server = await startServer(alter, { pieces: packs });
  const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
  return await runConformance(target, { profile: "full", limits: { timeoutMs: 60_000, streamTimeoutMs: 60_000 } });
}

describe("a server that packs its answers", () => {
  test("unless it is asked not to conforms", async () => {
    const report = await judged((answer, asked) =>
      asked.headers["accept-encoding"] === "identity" ? answer : gzip(answer, asked),
    );
    expect(report.verdict).toBe("conforming");
  });

  test("although it is asked not to is not judged, and not blamed", async () => {
    const report = await judged(gzip);
    expect(report.checks.filter(({ status }) => status === "fail")).toEqual([]);
    expect(report.verdict).toBe("unfinished");
    const reasons = report.checks
      .filter(({ status }) => status === "error")
      .map(({ id, reason }) => `${id}: ${reason}`);
    expect(reasons).toContainEqual(expect.stringMatching(/^cookies\/json: .*content coding/));
    expect(reasons).toContainEqual(expect.stringMatching(/^stream\/one-terminal-event: .*content coding/));
  });
});
