import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { expect, test } from "vitest";
import { startTestService } from "./running-service.ts";
import { startSite } from "@cloud-browser/testing/site.ts";

/** With a cookie of each kind, so that their fields can be judged; with what a scrape can extract. */
const page = `<!doctype html><title>Teas</title><link rel="icon" href="/icon.png"><h1>Teas</h1><img src="/tea.png" alt="Tea">
<script type="application/ld+json">{"@type": "Product", "name": "Green tea"}</script>`;
const cookies = [
  "plain=a; Path=/",
  "lasting=b; Path=/; Max-Age=3600; SameSite=Lax",
  "hidden=c; Path=/; HttpOnly; SameSite=Strict",
];

/** Decodes the recording, so that it can be told what it shows. */
const ffmpeg = fileURLToPath(new URL("../../ffmpeg-linux-x64/ffmpeg", import.meta.url));
const onPictures = existsSync(ffmpeg) ? ["recording/shows-the-page", "recording/keeps-time"] : [];

test("the service conforms: every stated requirement that can be seen holds", { timeout: 300_000 }, async () => {
  await using running = await startTestService();
  await using site = await startSite({
    "/": (_, response) => response.writeHead(200, { "content-type": "text/html", "set-cookie": cookies }).end(page),
  });
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
  expect([...passed]).toEqual(
    expect.arrayContaining(["event/done-metadata-present", "stream/closes-after-done", ...onPictures]),
  );
  expect(report.checks.filter(({ id }) => /^cookies\/.*-type$/.test(id)).map(({ status }) => status)).not.toContain(
    "fail",
  );
  expect(report.exitCode).toBe(0);
});
