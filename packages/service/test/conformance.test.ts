import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { expect, test } from "vitest";
import { startConformanceSite } from "./conformance-site.ts";
import { startTestService } from "./running-service.ts";

/** One check of each kind; all of them are in the long test. */
const only = [
  ...["scrape", "cookies", "replay"].flatMap((operation) =>
    ["status-200", "*-type", "*-present", "refuses-missing-key", "refuses-wrong-key"].map(
      (check) => `${operation}/${check}`,
    ),
  ),
  "replay/expires_at-valid",
  "scrape/rejects-unknown-property",
  "scrape/rejects-missing-body",
  "replay/playlist_content-hls",
  "event/*",
  "stream/*",
];

test("the service conforms in a check of each kind", async () => {
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
    { profile: "full", only, ffmpeg: false },
  );
  const unsound = report.checks.filter(({ status }) => status === "fail" || status === "error");
  expect(unsound.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
  const passed = new Set(report.checks.filter(({ status }) => status === "pass").map(({ id }) => id));
  expect([...passed]).toEqual(expect.arrayContaining(["event/done-metadata-present", "stream/closes-after-done"]));
  expect(report.checks.filter(({ id }) => /^cookies\/.*-type$/.test(id)).map(({ status }) => status)).not.toContain(
    "fail",
  );
  expect(report.exitCode).toBe(0);
});
