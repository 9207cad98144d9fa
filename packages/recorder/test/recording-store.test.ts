import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Recordings } from "../src/recordings/recordings.ts";
import type { RecordingsOptions } from "../src/recordings/recordings-options.ts";
import { serveRecording } from "../src/recordings/serve-recording.ts";
import { leaveBehind, still, type Moments } from "./recording/left-behind.ts";
import { SetClock } from "./recording/set-clock.ts";
import { makePlainJpeg } from "./recording/video.ts";

const startedAtMs = Date.UTC(2026, 0, 2, 3, 4, 5);
/** What is left of each session: from 137 ms to 6,137 ms. */
const lengthMs = 6_137;
const endedAtMs = startedAtMs + lengthMs;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const secret = Buffer.from("a secret that nobody is ever told");

let moments: Moments;
let folder: string;
let clock: SetClock;
let stores: Recordings[];
let warnings: string[];

beforeAll(async () => {
  const [red, blue] = await Promise.all([makePlainJpeg("red"), makePlainJpeg("blue")]);
  moments = [
    [137, red],
    [2_000, blue],
    [lengthMs, still],
  ];
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-store-"));
  clock = new SetClock(endedAtMs + 1_000);
  stores = [];
  warnings = [];
});
afterEach(async () => {
  await Promise.all(stores.map((recordings) => recordings.close()));
  await rm(folder, { recursive: true });
});

const onWarning = (id: string, what: string): void => void warnings.push(`${id} ${what}`);

async function open(options: Partial<RecordingsOptions> = {}): Promise<Recordings> {
  const recordings = await Recordings.open({
    folder,
    clock,
    secret,
    publicUrl: () => "http://127.0.0.1:8080/",
    onWarning,
    ...options,
  });
  stores.push(recordings);
  return recordings;
}

async function makeFinished(id = "one", options: Partial<RecordingsOptions> = {}): Promise<Recordings> {
  await leaveBehind(folder, id, startedAtMs, moments);
  const recordings = await open(options);
  await recordings.recover();
  return recordings;
}

const get = (recordings: Recordings, address: string, init?: RequestInit): Promise<Response> =>
  serveRecording(recordings, new Request(address, init));

/** Patience with a busy machine. */
const busy = { timeout: 60_000 };

describe("a replay", () => {
  it("has the five fields of the interface, and no other", async () => {
    const replay = await (await makeFinished()).replay("one");
    expect(replay).toEqual({
      mp4_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:8080\/recordings\/one\/replay\.mp4\?expires=\d+&signature=[\w-]{43}$/u,
      ),
      playlist_content: expect.stringContaining("#EXTM3U"),
      expires_at: new Date(clock.now() + hourMs).toISOString().replace("Z", "+00:00"),
      video_start_ms: 137,
      video_duration_ms: 6_000,
    });
    const [first = "", second = ""] = replay.playlist_content.match(/http\S+/gu) ?? [];
    expect(replay.playlist_content).toBe(
      `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXTINF:4.000,\n${first}\n#EXTINF:2.000,\n${second}\n#EXT-X-ENDLIST\n`,
    );
  });

  it("can be fetched by its addresses, and by nothing else than them", async () => {
    const recordings = await makeFinished();
    const { mp4_url, playlist_content } = await recordings.replay("one");
    for (const [address, type] of [
      [mp4_url, "video/mp4"],
      ...(playlist_content.match(/http\S+/gu) ?? []).map((one) => [one, "video/mp2t"]),
    ]) {
      const response = await get(recordings, address ?? "");
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
      expect((await response.bytes()).length).toBe(Number(response.headers.get("content-length")));
    }
  });

  it("does not exist for unknown sessions", async () => {
    await expect((await open()).replay("nobody")).rejects.toMatchObject({ code: "unknown-session" });
  });

  it("is not ready before it is finished, and is waited for as long as one asks", async () => {
    await leaveBehind(folder, "one", startedAtMs, moments);
    const recordings = await open();
    await expect(recordings.replay("one", 10_000)).rejects.toMatchObject({ code: "recording-not-ready" });
    const recovered = recordings.recover();
    await expect(recordings.replay("one", 0)).rejects.toMatchObject({ code: "recording-not-ready" });
    expect(await recordings.replay("one", 30_000)).toMatchObject({ video_duration_ms: 6_000 });
    await recovered;
  });

  it("of a session without a picture is reported as empty", async () => {
    await leaveBehind(folder, "one", startedAtMs, []);
    const recordings = await open();
    await recordings.recover();
    await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-empty" });
    expect(recordings.view("one")).toMatchObject({ state: "empty" });
  });

  it("that can't be encoded is reported as delayed, and is ready once there is an encoder", async () => {
    await leaveBehind(folder, "one", startedAtMs, moments);
    const broken = await open({ ffmpeg: "/bin/false" });
    await broken.recover();
    await expect(broken.replay("one")).rejects.toMatchObject({ code: "recording-delayed" });
    expect(warnings[0]).toContain("one could not be encoded (attempt 1), retrying at 2026-01-02T03:04:");
    await broken.close();
    const mended = await open();
    await mended.recover();
    expect(await mended.replay("one")).toMatchObject({ video_duration_ms: 6_000 });
  });

  it("is the same after a restart", async () => {
    const first = await makeFinished();
    const replay = await first.replay("one");
    await first.close();
    const second = await open();
    expect(await second.replay("one")).toEqual(replay);
    expect((await get(second, replay.mp4_url)).status).toBe(200);
  });
});

describe("a presigned URL", () => {
  it("is refused at its expiry, and good just before", async () => {
    const recordings = await makeFinished("one", { urlTtlMs: 60_000 });
    const { mp4_url, expires_at } = await recordings.replay("one");
    clock.set(Date.parse(expires_at) - 1);
    expect((await get(recordings, mp4_url)).status).toBe(200);
    clock.set(Date.parse(expires_at));
    const answer = await get(recordings, mp4_url);
    expect([answer.status, await answer.json()]).toEqual([403, { detail: expect.stringContaining("expired") }]);
  });

  it("never holds longer than the recording", async () => {
    const recordings = await makeFinished();
    clock.set(endedAtMs + dayMs - 5);
    expect(Date.parse((await recordings.replay("one")).expires_at)).toBe(endedAtMs + dayMs);
  });

  it("is void under another secret", async () => {
    const recordings = await makeFinished();
    const { mp4_url } = await recordings.replay("one");
    expect((await get(await open({ secret: Buffer.alloc(32) }), mp4_url)).status).toBe(403);
  });

  it("is refused when any character of its session, file, expiry or signature is another one", async () => {
    const recordings = await makeFinished();
    await leaveBehind(folder, "onf", startedAtMs, moments);
    const { mp4_url } = await recordings.replay("one");
    const from = mp4_url.indexOf("one/");
    for (let at = from; at < mp4_url.length; at += 1) {
      const other = mp4_url[at] === "1" ? "2" : "1";
      const { status } = await get(recordings, `${mp4_url.slice(0, at)}${other}${mp4_url.slice(at + 1)}`);
      expect([403, 404], `character ${at}`).toContain(status);
      expect(status).toBe(403);
    }
  });

  it.each<[string, (address: URL) => void]>([
    ["of a foreign session", (address) => void (address.pathname = address.pathname.replace("/one/", "/two/"))],
    [
      "of a foreign file",
      (address) => void (address.pathname = address.pathname.replace("replay.mp4", "segment-000000.ts")),
    ],
    ["without a signature", (address) => address.searchParams.delete("signature")],
    ["without an expiry", (address) => address.searchParams.delete("expires")],
    ["with two expiries", (address) => address.searchParams.append("expires", "99999999999999")],
    ["with a later expiry", (address) => address.searchParams.set("expires", String(startedAtMs * 2))],
    [
      "with the same expiry in other digits",
      (address) => address.searchParams.set("expires", `0${address.searchParams.get("expires")}`),
    ],
    [
      "with a padded signature",
      (address) => address.searchParams.set("signature", `${address.searchParams.get("signature")}=`),
    ],
    ["with an empty signature", (address) => address.searchParams.set("signature", "")],
    ["out of its folder", (address) => void (address.pathname = "/recordings/one/..%2Frecording.json")],
    ["out of all folders", (address) => void (address.pathname = "/recordings/..%2F..%2Fetc/passwd")],
    ["with a backslash", (address) => void (address.pathname = "/recordings/one%5C..%5Ctwo/replay.mp4")],
    ["with a null byte", (address) => void (address.pathname = "/recordings/one/replay.mp4%00.ts")],
    ["of the state", (address) => void (address.pathname = "/recordings/one/recording.json")],
  ])("%s is refused", async (_, change) => {
    const recordings = await makeFinished();
    const address = new URL((await recordings.replay("one")).mp4_url);
    change(address);
    expect((await get(recordings, address.href)).status).toBe(403);
  });

  it("may be read by pages of any origin, and changed by none", async () => {
    const recordings = await makeFinished();
    const { mp4_url } = await recordings.replay("one");
    const head = await get(recordings, mp4_url, { method: "HEAD" });
    expect([head.status, head.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(head.headers.get("access-control-expose-headers")).toContain("content-range");
    const preflight = await get(recordings, mp4_url, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringContaining("range"),
    ]);
    expect((await get(recordings, mp4_url, { method: "DELETE" })).status).toBe(405);
  });

  it("appears in no inspection of the recordings, nor does the secret", async () => {
    const recordings = await makeFinished();
    expect(inspect(recordings, { depth: 9, showHidden: true })).not.toMatch(/secret|signature|97, 32, 115|61 20 73/u);
  });
});

describe("a recording", () => {
  it("is deleted 24 hours after the end of its session, not a moment before", async () => {
    const recordings = await makeFinished();
    const { mp4_url } = await recordings.replay("one");
    clock.set(endedAtMs + dayMs - 1);
    expect(await readdir(join(folder, "one"))).toContain("replay");
    await recordings.replay("one");
    clock.set(endedAtMs + dayMs);
    await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-deleted" });
    expect((await get(recordings, mp4_url)).status).toBe(403);
    await vi.waitFor(async () => expect(await readdir(join(folder, "one"))).toEqual(["recording.json"]), busy);
  });

  it("is kept as long as its session says, also when the next process finishes it", async () => {
    await leaveBehind(folder, "one", startedAtMs, moments, { retentionMs: 60_000 });
    const recordings = await open();
    await recordings.recover();
    expect(recordings.view("one")?.delete_at).toBe(new Date(endedAtMs + 60_000).toISOString());
    clock.set(endedAtMs + 60_000);
    await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-deleted" });
    await vi.waitFor(async () => expect(await readdir(join(folder, "one"))).toEqual(["recording.json"]), busy);
  });

  it("is deleted at the next start when its time came while the service was down", async () => {
    await (await makeFinished()).close();
    clock.set(endedAtMs + dayMs + 5);
    const recordings = await open();
    await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-deleted" });
    await vi.waitFor(async () => expect(await readdir(join(folder, "one"))).toEqual(["recording.json"]), busy);
  });

  it("is known to have been deleted for a week, then forgotten", async () => {
    await (await makeFinished()).close();
    const recordings = await open();
    clock.set(endedAtMs + dayMs);
    await vi.waitFor(async () => expect(await readdir(join(folder, "one"))).toEqual(["recording.json"]), busy);
    await vi.waitFor(() => expect(clock.waiting).toBe(1), busy);
    clock.set(endedAtMs + 8 * dayMs - 1);
    await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-deleted" });
    clock.set(endedAtMs + 8 * dayMs);
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), busy);
    await expect(recordings.replay("one")).rejects.toMatchObject({ code: "unknown-session" });
  });

  it("that could never be encoded is deleted in its time, too", async () => {
    await leaveBehind(folder, "one", startedAtMs, moments);
    const recordings = await open({ ffmpeg: "/bin/false" });
    await recordings.recover();
    clock.set(endedAtMs + dayMs);
    await vi.waitFor(async () => expect(await readdir(join(folder, "one"))).toEqual(["recording.json"]), busy);
  });

  it("is finished once, when two of its halves were left at different stages", async () => {
    const own = await leaveBehind(folder, "one", startedAtMs, moments, { chunkMs: 4_000 });
    await writeFile(join(own, "draft-abandoned.mp4"), "half");
    await mkdir(join(own, "draft-abandoned"));
    const first = await open();
    const recovering = first.recover();
    // It is there only until the other half is: looked for often, and for long on a busy machine.
    const half = async (): Promise<void> => expect(await readdir(own)).toContain("chunk-000000000137.mp4");
    await vi.waitFor(half, { timeout: 60_000, interval: 1 });
    await first.close(0);
    await recovering;
    const second = await open();
    await second.recover();
    expect(await second.replay("one")).toMatchObject({ video_start_ms: 137, video_duration_ms: 6_000 });
    expect((await readdir(own)).sort()).toEqual(["recording.json", "replay"]);
    expect(warnings).toEqual([]);
  });

  it("whose state is gone is kept for a day, and deleted then", async () => {
    await mkdir(join(folder, "odd"));
    await writeFile(join(folder, "odd", "recording.json"), "{");
    clock.set(Date.now());
    const recordings = await open();
    await expect(recordings.replay("odd")).rejects.toMatchObject({ code: "recording-failed" });
    expect(warnings).toHaveLength(1);
    clock.set(Date.now() + dayMs + 1_000);
    await vi.waitFor(
      async () => expect(await readFile(join(folder, "odd", "recording.json"), "utf8")).toContain('"deleted"'),
      busy,
    );
  });
});
