import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { expect, test } from "vitest";
import { startTestService } from "./running-service.ts";

test("the service conforms: every stated requirement that can be seen holds", { timeout: 300_000 }, async () => {
  await using running = await startTestService();
  const { service, open, end } = running;
  const { session_id: sessionId } = await open();
  const ended = await open();
  await end(ended.session_id);
  const report = await runConformance(
    liveTarget({
      baseUrl: service.url,
      apiKey: service.apiKey,
      sessionId,
      endedSessionId: ended.session_id,
      openSession: async (url) => (await open({ url })).session_id,
      endSession: async (id) => void (await end(id)),
      query: "Open about:blank",
    }),
    { profile: "full" },
  );
  const unsound = report.checks.filter(({ status }) => status === "fail" || status === "error");
  expect(unsound.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
  expect(report.exitCode).toBe(0);
});
