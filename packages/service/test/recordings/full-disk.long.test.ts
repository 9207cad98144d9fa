import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import type { HealthReport } from "../../src/health/health.ts";
import type { Replay } from "@cloud-browser/recorder";
import { readAnswer } from "../running-service.ts";
import { startLimitedService, type LimitedService } from "./full-disk.ts";
import { readColors, sampleMs } from "../../../recorder/test/recording/video.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let data: string;
let service: LimitedService;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "cb-full-"));
  service = await startLimitedService(data);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(data, { recursive: true });
});

/** Patience with a busy machine. */
const busy = { timeout: 60_000, interval: 100 };

interface Driven extends AsyncDisposable {
  readonly id: string;
  readonly paint: (color: string) => Promise<void>;
}

async function drive(): Promise<Driven> {
  const { session_id: id, cdp_url } = await readAnswer<SessionView>(await service.ask("POST", "/control/sessions", {}));
  const browser = await chromium.connectOverCDP(cdp_url ?? "");
  const page: Page | undefined = browser.contexts()[0]?.pages()[0];
  return {
    id,
    paint: async (color) => page?.evaluate((value) => void (document.documentElement.style.background = value), color),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function end(id: string): Promise<SessionView> {
  return readAnswer<SessionView>(await service.ask("DELETE", `/control/sessions/${id}`));
}

/** Reads the replay as soon as it is there. */
async function readReplay(id: string): Promise<Replay> {
  return vi.waitFor(async () => {
    const response = await service.ask("GET", `/sessions/${id}/replay`);
    if (response.status !== 200) throw new Error(await response.text());
    return readAnswer<Replay>(response);
  }, busy);
}

/** The colours of a replay, by their moment in the session. */
async function shownIn(id: string, { video_start_ms }: Replay): Promise<(sessionMs: number) => string | undefined> {
  const shownColors = await readColors(join(data, "recordings", id, "replay", "replay.mp4"));
  return (sessionMs) => shownColors[Math.floor((sessionMs - video_start_ms) / sampleMs)];
}

it("continues recording when the disk has space again, shows a still picture meanwhile, and reports the gap", async () => {
  await using session = await drive();
  const { id } = session;
  await session.paint("red");
  await vi.waitFor(async () => expect((await service.view(id)).recording?.state).toBe("recording"), busy);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await service.setDiskFull(true);
  await session.paint("blue");
  await vi.waitFor(async () => expect((await service.view(id)).recording?.gaps).toHaveLength(1), busy);
  expect((await service.view(id)).recording).toMatchObject({
    state: "recording",
    detail: expect.stringContaining("is not being recorded"),
    gaps: [{ to_ms: null, reason: "write-failed" }],
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await session.paint("lime");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await service.setDiskFull(false);
  await vi.waitFor(async () => expect((await service.view(id)).recording?.gaps[0]?.to_ms).not.toBeNull(), busy);
  await session.paint("yellow");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { created_at, ended_at } = await end(id);
  const replay = await readReplay(id);
  const { recording } = await service.view(id);
  expect(recording?.state).toBe("ready");
  const [gap, ...more] = recording?.gaps ?? [];
  expect(more).toEqual([]);
  const { from_ms: fromMs = 0, to_ms: toMs } = gap ?? {};
  expect(toMs).toBeGreaterThan(fromMs + 1_000);
  const wallMs = Date.parse(ended_at ?? "") - Date.parse(created_at);
  expect(Math.abs(replay.video_start_ms + replay.video_duration_ms - wallMs)).toBeLessThan(1_000);
  const colorAt = await shownIn(id, replay);
  const middleMs = (fromMs + Number(toMs)) / 2;
  const lastMs = replay.video_start_ms + replay.video_duration_ms - 2 * sampleMs;
  expect([fromMs - 2 * sampleMs, middleMs, Number(toMs) + 2 * sampleMs, lastMs].map(colorAt)).toEqual([
    "red",
    "red",
    "lime",
    "yellow",
  ]);
});

it("retries encoding after a full disk, and reports it until then", async () => {
  await using session = await drive();
  const { id } = session;
  await session.paint("red");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await service.setDiskFull(true);
  await session.paint("blue");
  await vi.waitFor(async () => expect((await service.view(id)).recording?.gaps).toHaveLength(1), busy);
  // Its end can't be stored for now, either.
  await service.ask("DELETE", `/control/sessions/${id}`);
  const late = await vi.waitFor(async () => {
    const response = await service.ask("GET", `/sessions/${id}/replay`);
    expect(response.status).toBe(503);
    return response;
  }, busy);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThanOrEqual(0);
  expect(await readAnswer(late)).toEqual({
    detail: expect.stringMatching(
      /^The session has ended and its recording is being encoded; attempt \d+ failed \(EFBIG.+, the next is at 20/u,
    ),
  });
  const { state, recording } = await service.view(id);
  expect([state, recording?.state]).toEqual(["ended", expect.stringMatching(/^(?:retrying|encoding)$/u)]);
  await service.setDiskFull(false);
  const replay = await readReplay(id);
  const { created_at, ended_at } = await service.view(id);
  const wallMs = Date.parse(ended_at ?? "") - Date.parse(created_at);
  expect(Math.abs(replay.video_start_ms + replay.video_duration_ms - wallMs)).toBeLessThan(1_000);
  const colorAt = await shownIn(id, replay);
  // The newest picture was kept in memory.
  expect(colorAt(replay.video_start_ms + replay.video_duration_ms - 2 * sampleMs)).toBe("blue");
});

it("reports a full disk in its health, and to requests for a session", async () => {
  const health = async (): Promise<HealthReport> => readAnswer(await service.ask("GET", "/health"));
  await vi.waitFor(async () => expect(await health()).toMatchObject({ status: "ok" }), busy);
  await service.setDiskFull(true);
  const storage = expect.stringContaining("the data folder is not writable (EFBIG)");
  await vi.waitFor(async () => expect(await health()).toMatchObject({ status: "degraded", checks: { storage } }), busy);
  const refused = await service.ask("POST", "/control/sessions", {});
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  await service.setDiskFull(false);
  await vi.waitFor(async () => {
    const { status, checks } = await health();
    expect([status, ...Object.values(checks).filter((fault) => fault !== null)]).toEqual(["ok"]);
  }, busy);
  const { session_id } = await readAnswer<SessionView>(await service.ask("POST", "/control/sessions", {}));
  await end(session_id);
});

it("says of a session whose service died when it was last seen, after the next start", async () => {
  await using session = await drive();
  const { id } = session;
  await session.paint("red");
  const seenAtMs = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await service.kill();
  const diedAtMs = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  service = await startLimitedService(data);
  const { end_reason, ended_at, created_at } = await service.view(id);
  expect(end_reason).toBe("service-died");
  const endedAtMs = Date.parse(ended_at ?? "");
  expect(endedAtMs).toBeGreaterThan(Date.parse(created_at));
  expect(endedAtMs).toBeGreaterThan(seenAtMs);
  expect(endedAtMs).toBeLessThan(diedAtMs + 500);
});
