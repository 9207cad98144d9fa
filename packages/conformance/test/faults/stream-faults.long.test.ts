import { describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { streamServerFaults } from "./stream-servers.ts";
import { apiKey, sessionId, startServer } from "../server.ts";

const limits = { closeGraceMs: 150 };

describe("each sentence about the stream is judged, and told by its requirement alone: a stream that", () => {
  test.for(streamServerFaults)("$name", async ({ requirement, change, bytes, breaksOff = false, readings = {} }) => {
    await using server = await startServer(
      (answer, { url }) => (url.startsWith("/api") && answer.status === 200 ? change(answer) : answer),
      {
        pieces: (body) => (bytes ? [bytes(body)] : [body]),
        breaksOff: ({ url }) => breaksOff && url.startsWith("/api"),
      },
    );
    const target = liveTarget({ baseUrl: server.url, apiKey, sessionId });
    const only = ["stream/*", "event/*", "automation/status-200", "automation/content-type"];
    const report = await runConformance(target, { profile: "full", only, limits, readings });
    const stated = report.checks.filter(({ level }) => level === "stated").flatMap(({ findings }) => findings);
    expect(new Set(stated.map((finding) => finding.requirement))).toEqual(new Set([requirement]));
    expect(report.verdict).toBe("not-conforming");
  });
});
