/** Replays of a session that was configured as ended, judged without a download. */
import { describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { Target } from "../../src/target/target.ts";
import { json, startServer, type TestServer } from "../server.ts";

const segment = "https://recordings.example/0.ts?signature=example";
const playlist = (...lines: readonly string[]): string => ["#EXTM3U", ...lines, "#EXT-X-ENDLIST", ""].join("\n");

/** A server whose replays have other fields. */
function replaying(fields: object): Promise<TestServer> {
  return startServer((answer, { url }) =>
    url.endsWith("/replay") && answer.status === 200
      ? json(200, { ...JSON.parse(answer.body), expires_at: "2056-01-01T00:00:00Z", ...fields })
      : answer,
  );
}

async function judgeRecording(fields: object, more: Partial<Target> = {}): Promise<Record<string, string>> {
  await using server = await replaying(fields);
  const only = ["replay/*", "recording/*"];
  const { checks } = await runConformance({ ...server.target, ...more }, { only });
  return Object.fromEntries(checks.flatMap(({ id, status }) => (status === "skip" ? [] : [[id, status]])));
}

const failing = (checks: Record<string, string>): string[] => Object.keys(checks).filter((id) => checks[id] === "fail");

describe("a replay fails by one check when", () => {
  test.for([
    ["it lists no segment", playlist("#EXT-X-TARGETDURATION:10"), 12_500],
    [
      "it lists relative addresses",
      playlist("#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:13", "#EXTINF:12.5,", "0.ts"),
      12_500,
    ],
  ] as const)("%s", async ([, playlist_content, video_duration_ms]) => {
    expect(failing(await judgeRecording({ playlist_content, video_duration_ms }))).toEqual([
      "recording/playlist-lists-segments",
    ]);
  });

  test("it lists other playlists, which is inferred to be wrong", async () => {
    const playlist_content = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n${segment}\n`;
    expect(failing(await judgeRecording({ playlist_content }))).toEqual(["recording/playlist-is-media"]);
  });

  test("its duration is in seconds", async () => {
    expect(failing(await judgeRecording({ video_duration_ms: 12 }))).toEqual(["recording/playlist-duration"]);
  });
});

test("a replay that agrees with itself passes", async () => {
  expect(await judgeRecording({})).toMatchObject({
    "recording/playlist-lists-segments": "pass",
    "recording/playlist-duration": "pass",
  });
});

test.for<Partial<Target>>([{ lacks: new Map([["ended-session", "No ended session was given."]]) }, { kind: "mock" }])(
  "of a session that need not have ended, and of a mock, nothing is said (%#)",
  async (target) => {
    const checks = await judgeRecording({ playlist_content: playlist(), video_duration_ms: 12 }, target);
    expect(Object.keys(checks).filter((id) => id.startsWith("recording/"))).toEqual([]);
  },
);
