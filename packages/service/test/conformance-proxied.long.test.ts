/** The service itself behind a proxy that breaks one sentence about pages or recordings: each fault is found by its requirement. */
import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageFaults } from "../../conformance/test/pages/faulty-servers/faulty-servers.ts";
import { ofSegments, proxyFaults, simulatedOnly } from "../../conformance/test/pages/proxy-faults.ts";
import { TwistProxy } from "../../conformance/test/pages/twist-proxy.ts";
import { startTestService, type TestService } from "./running-service.ts";

let running: TestService;

beforeAll(async () => {
  running = await startTestService();
});
afterAll(async () => running[Symbol.asyncDispose]());

/** Length of a recording of more than one segment, in milliseconds: the service cuts them every four seconds. */
const longMs = 10_000;

/** Requirements that findings name, of the checks that need a known page or a recording. */
async function blamed(
  fault: Pick<(typeof proxyFaults)[number], "twist" | "check">,
  recording = 2_000,
): Promise<string[]> {
  await using proxy = await TwistProxy.start(running.service.url, fault.twist);
  const target = liveTarget({
    baseUrl: proxy.url,
    apiKey: running.service.apiKey,
    sessionId: "none",
    openSession: async (url) => (await running.open({ url })).session_id,
    endSession: async (id) => void (await running.end(id)),
  });
  const only = [fault.check.startsWith("page/") ? "page/*" : "recording/*"];
  const report = await runConformance(target, { only, pageTimeouts: { change: 300, recording }, ffmpeg: false });
  const follows = report.checks.find(({ id }) => id === "recording/segments-follow")?.status;
  if (recording === longMs && follows === "skip") throw new Error("the recording has one segment only");
  return [...new Set(report.checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)))];
}

test("there are at least 60 faults, and those left out are faults", () => {
  expect(proxyFaults.length).toBeGreaterThanOrEqual(60);
  const names = new Set(pageFaults.map(({ name }) => name));
  expect([...simulatedOnly].filter((name) => !names.has(name))).toEqual([]);
});

test.for([{ check: "page/scrape" }, { check: "recording/mp4" }])(
  "behind a proxy that changes nothing the service conforms: $check",
  async ({ check }) => {
    expect(await blamed({ twist: {}, check })).toEqual([]);
  },
);

test("behind a proxy that changes nothing a recording of several segments conforms", async () => {
  expect(await blamed({ twist: {}, check: "recording/segments-follow" }, longMs)).toEqual([]);
});

test.for(proxyFaults)("a proxy that $name is found by $requirement", async ({ name, twist, check, requirement }) => {
  expect(await blamed({ twist, check }, ofSegments.has(name) ? longMs : undefined)).toContain(requirement);
});
