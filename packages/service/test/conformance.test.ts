import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { expect, test } from "vitest";
import { ffmpeg, seen, startConformanceSite } from "./conformance-site.ts";
import { startTestService } from "./running-service.ts";

test("the service conforms: every stated requirement that can be seen holds", { timeout: 300_000 }, async () => {
  await using running = await startTestService();
  await using site = await startConformanceSite();
  const { service, open, end } = running;
  const { session_id: sessionId } = await open({ url: `${site.url}/` });
  const ended = await open({ url: `${site.url}/` });
  await end(ended.session_id);
  const report = await runConformance(
    liveTarget({
      baseUrl: service.url,
      apiKey: service.apiKey,
      sessionId,
      endedSessionId: ended.session_id,
      openSession: async (url) => (await open({ url })).session_id,
      endSession: async (id) => void (await end(id)),
      query: `Open ${site.url}/`,
    }),
    { profile: "full", ffmpeg },
  );
  const unsound = report.checks.filter(({ status }) => status === "fail" || status === "error");
  expect(unsound.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
  const passed = new Set(report.checks.filter(({ status }) => status === "pass").map(({ id }) => id));
  expect([...passed]).toEqual(expect.arrayContaining(seen));
  expect(report.checks.filter(({ id }) => /^cookies\/.*-type$/.test(id)).map(({ status }) => status)).not.toContain(
    "fail",
  );
  expect(report.exitCode).toBe(0);
});
