/** The recording of an ended session that was given: nothing can be opened, and it is downloaded and judged all the same. */
import { describe, expect, test } from "vitest";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import type { Report } from "../../src/report/report.ts";
import { Browser } from "../pages/browser.ts";
import { recordingFaults } from "../pages/faulty-servers/recordings.ts";
import { replayFaults } from "../pages/faulty-servers/replays.ts";
import { segmentFaults } from "../pages/faulty-servers/segments.ts";
import { correctTwists } from "../pages/correct-twists.ts";
import { withStatus } from "../pages/run-suite.ts";
import { apiKey, SiteServer, type Twist } from "../pages/site-server.ts";

/** Judges a server by two sessions and a key, as most users have to. */
async function judgeRecording(twist: Twist, options: RunOptions = {}): Promise<Report> {
  await using server = await SiteServer.start(twist);
  server.sessions.set("given-open", { browser: new Browser(), ended: false });
  server.sessions.set("given-ended", { browser: new Browser(), ended: true });
  const target = liveTarget({ baseUrl: server.url, apiKey, sessionId: "given-open", endedSessionId: "given-ended" });
  return await runConformance(target, { only: ["recording/*", "replay/*"], ...options });
}

const complaints = (report: Report): string[] =>
  report.checks.flatMap(({ id, status, level, reason = "", findings }) =>
    status === "error" || (status === "fail" && level === "stated")
      ? [`${id}: ${reason}${JSON.stringify(findings)}`]
      : [],
  );

/** Checks that need a session of the suite's own: its pictures, its clock, how long it was open. */
const onOwnSession = new Set([
  "recording/of-its-session",
  "recording/shows-the-page",
  "recording/shows-changes",
  "recording/keeps-time",
]);

describe("a recording of a server that conforms", () => {
  test("is downloaded, and judged by every check that needs no known page", async () => {
    const report = await judgeRecording({});
    expect(complaints(report)).toEqual([]);
    const later = ["recording/addresses-expire", "recording/addresses-expire-as-told"];
    const skipped = withStatus(report, "skip").filter((id) => id.startsWith("recording/"));
    expect(new Set(skipped)).toEqual(new Set([...onOwnSession, "recording/starts-within-session", ...later]));
    expect(report.exchanges.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["replay/mp4", "replay/segment-1", "replay/segment-2", "replay/last-mp4"]),
    );
  });

  const usual = Object.entries(correctTwists).filter(
    ([, { replay, file, slowRecording }]) => replay ?? file ?? slowRecording,
  );
  test.for(usual)("gets no finding %s", async ([, twist]) => {
    expect(complaints(await judgeRecording(twist, { only: ["recording/*"] }))).toEqual([]);
  });
});

describe("a recording of a server that", () => {
  /** An expiry is waited for in pages.test.ts; the status of the replay has a check of its own. */
  const elsewhere = new Set([...onOwnSession, "recording/addresses-expire", "recording/exists"]);
  const faults = [...recordingFaults, ...replayFaults, ...segmentFaults].filter(({ check }) => !elsewhere.has(check));

  test.for(faults)("$name fails $check", async ({ twist, check, requirement }) => {
    const report = await judgeRecording(twist, { only: [check] });
    const findings = report.checks.flatMap((result) => result.findings);
    expect([...new Set(findings.map((finding) => finding.requirement))]).toEqual([requirement]);
  });
});

const listIds = (report: Report): string[] =>
  report.exchanges.map(({ id }) => id).filter((id) => id.startsWith("replay/"));
const findStatus = (report: Report, id: string): string | undefined =>
  report.checks.find((check) => check.id === id)?.status;

describe("that is not ready", () => {
  const only = ["replay/status-200", "recording/mp4-is-mp4"];
  test("is asked for again, and the last answer decides", async () => {
    const report = await judgeRecording({ slowRecording: 2 }, { only });
    expect(listIds(report)).toEqual([
      "replay/read-early",
      "replay/wait-1",
      "replay/wait-2",
      "replay/read",
      "replay/mp4",
      "replay/segment-1",
      "replay/segment-2",
    ]);
    expect(only.map((id) => findStatus(report, id))).toEqual(["pass", "pass"]);
  });

  test("within the time that is given, is asked for no longer, and nobody's fault is proven", async () => {
    const report = await judgeRecording({ slowRecording: 1000 }, { only, pageTimeouts: { recordingReady: 300 } });
    const ids = listIds(report);
    const waits = ids.slice(1, -1);
    expect([ids[0], ids.at(-1)]).toEqual(["replay/read-early", "replay/read"]);
    // How many attempts fall within the time depends on the machine; they are no more than the delays between them allow.
    expect(waits).toEqual(["replay/wait-1", "replay/wait-2", "replay/wait-3"].slice(0, Math.max(1, waits.length)));
    expect(withStatus(report, "fail")).toEqual([]);
    expect(only.map((id) => findStatus(report, id))).toEqual(["error", "skip"]);
  });

  test("is asked for once where there is no time", async () => {
    const report = await judgeRecording({ slowRecording: 1000 }, { only, pageTimeouts: { recordingReady: 0 } });
    expect(listIds(report)).toEqual(["replay/read"]);
  });

  test("is not asked for again where no waiting helps: the key is refused", async () => {
    const report = await judgeRecording({ replayStatus: 403 }, { only });
    expect(listIds(report)).toEqual(["replay/read"]);
  });
});

describe("at an address that can't be reached from here", () => {
  const only = ["recording/mp4-downloads", "recording/segments-download", "recording/addresses-reachable"];

  test("is warned of, asked for once, and not called a fault", async () => {
    const report = await judgeRecording(
      { replay: (replay) => JSON.parse(JSON.stringify(replay).replaceAll(/127.0.0.1:\d+/g, "127.0.0.1:1")) },
      { only },
    );
    expect(report.verdict).toBe("nothing-checked");
    expect(withStatus(report, "fail")).toEqual(["recording/addresses-reachable"]);
    expect(report.exchanges.map(({ id }) => id)).toEqual(["replay/read", "replay/mp4"]);
  });

  test("for documentation, as servers for tests give, is not asked for", async () => {
    const report = await judgeRecording(
      { replay: (replay) => JSON.parse(JSON.stringify(replay).replaceAll(/127.0.0.1:\d+/g, "store.example")) },
      { only },
    );
    expect(report.exchanges.map(({ id }) => id)).toEqual(["replay/read"]);
    expect(report.checks.map(({ status, reason }) => [status, reason])).toEqual(
      only.map(() => ["skip", "The addresses are at names that are reserved for documentation."]),
    );
  });
});
