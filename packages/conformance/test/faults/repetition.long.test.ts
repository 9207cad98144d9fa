import { describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { sometimesKeyFaults } from "./sometimes-keys.ts";
import { sometimesRequestFaults } from "./sometimes-requests.ts";
import { apiKey, endedSessionId, sessionId, startServer } from "../server.ts";

const limits = { closeGraceMs: 150 };

describe("a fault that shows only sometimes is found, and told by its requirement alone: a server that", () => {
  test.for([...sometimesKeyFaults, ...sometimesRequestFaults])(
    "$name",
    async ({ requirement, alter, profile = "free" }) => {
      await using server = await startServer(alter());
      const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
      const report = await runConformance(target, { profile, limits });
      const findings = report.checks.flatMap((check) => check.findings);
      expect(new Set(findings.map((finding) => finding.requirement))).toEqual(new Set([requirement]));
      const row = report.requirements.find(({ id }) => id === requirement);
      expect(row?.status).toBe("fail");
      expect(report.verdict).toBe(row?.level === "assumed" ? "conforming" : "not-conforming");
    },
  );
});
