/** Replays of a session that was configured as ended, judged without a download. The kill table has those that break a sentence. */
import { expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { Target } from "../../src/target/target.ts";
import { json, startServer } from "../server.ts";

/** Judges a server whose replays have other fields. */
async function judgeRecording(fields: object, more: Partial<Target> = {}): Promise<Record<string, string>> {
  await using server = await startServer((answer, { url }) =>
    url.endsWith("/replay") && answer.status === 200
      ? json(200, { ...JSON.parse(answer.body), expires_at: "2056-01-01T00:00:00Z", ...fields })
      : answer,
  );
  const only = ["replay/*", "recording/*"];
  const { checks } = await runConformance({ ...server.target, ...more }, { only });
  return Object.fromEntries(checks.flatMap(({ id, status }) => (status === "skip" ? [] : [[id, status]])));
}

test("a replay that agrees with itself passes", async () => {
  expect(await judgeRecording({})).toMatchObject({
    "recording/playlist-lists-segments": "pass",
    "recording/playlist-duration": "pass",
  });
});

test.for<Partial<Target>>([{ lacks: new Map([["ended-session", "No ended session was given."]]) }, { kind: "mock" }])(
  "of a session that need not have ended, and of a mock, nothing is said (%#)",
  async (target) => {
    const checks = await judgeRecording(
      { playlist_content: "#EXTM3U\n#EXT-X-ENDLIST\n", video_duration_ms: 12 },
      target,
    );
    expect(Object.keys(checks).filter((id) => id.startsWith("recording/"))).toEqual([]);
  },
);
