import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { startSite } from "@cloud-browser/testing/site.ts";
import { expect, test, vi } from "vitest";
import type { SessionView } from "../../../src/control/session-view.ts";
import { ask } from "../../command-line.ts";
import { allEvents } from "../../runs/reading.ts";
import { lastPictureMs } from "../../storage/recordings/shipped-pictures.ts";
import { askNode, openOn, startCluster, type TestNode } from "../cluster.ts";
import { startBucket } from "./test-bucket.ts";

/** Longer than any lease. */
const patience = { timeout: 120_000, interval: 250 };

/** Has a process of Node.js begin with its clock set by so much. */
function clockSetBy(ms: number): Readonly<Record<string, string>> {
  const preload = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
    static now() { return Real.now() + ${ms}; }
  };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
}

const minute = 60_000;

const view = (at: TestNode, id: string): Promise<SessionView> =>
  ask<SessionView>(at.served, "GET", `/control/sessions/${id}`);

test("nodes whose clocks are a minute apart end nothing of each other, and lose nothing acknowledged", async () => {
  await using site = await startSite({
    "/": "<title>Clock</title><h1></h1><script>setInterval(() => document.querySelector('h1').textContent = performance.now(), 100)</script>",
  });
  await using bucket = await startBucket();
  await using cluster = await startCluster(0);
  const args = bucket.args();
  const ahead = await cluster.add({ args, env: clockSetBy(minute) });
  const behind = await cluster.add({ args, env: clockSetBy(-minute) });
  const nodes = [ahead, behind];
  const open = async (at: TestNode): Promise<string> => (await openOn(at, `${site.url}/`)).session_id;
  const ids = [await open(ahead), await open(behind)];
  for (const [index, id] of ids.entries()) {
    const sinceMs = Date.parse((await view(behind, id)).created_at) - Date.now();
    expect(Math.abs(sinceMs - (index === 0 ? minute : -minute))).toBeLessThan(minute / 2);
  }

  // For several leases every node gives the same view of each session.
  await delay(15_000);
  for (const id of ids) {
    for (const node of nodes) {
      expect(await view(node, id)).toMatchObject({ state: "active" });
      expect((await askNode(node, "POST", `/sessions/${id}/page/scrape`, {})).status).toBe(200);
    }
  }
  expect(await cluster.query("SELECT name FROM leases WHERE revoked")).toEqual([]);
  const [own = "", lost = ""] = ids;
  const ended = await ask<SessionView>(behind.served, "DELETE", `/control/sessions/${own}`);
  expect(ended).toMatchObject({ end_reason: "requested" });
  expect(Date.parse(ended.ended_at ?? "")).toBeGreaterThan(Date.parse(ended.created_at));

  // What the one that is behind had is finished by the one that is ahead.
  const run = await askNode(behind, "POST", "/api/automation/start", { query: "wait 100 seconds" });
  const thread = run.headers.get("x-service-run-id") ?? "";
  behind.served.process.kill("SIGKILL");
  await behind.served.ended;
  await run.body?.cancel().catch(() => undefined);
  const shipped = await lastPictureMs(bucket.objects, lost);
  await rm(behind.place.data, { recursive: true, force: true });
  await vi.waitFor(async () => expect(await view(ahead, lost)).toMatchObject({ end_reason: "host-lost" }), patience);
  const { created_at: created, ended_at: end } = await view(ahead, lost);
  expect(Date.parse(end ?? "")).toBeGreaterThanOrEqual(Date.parse(created));
  const events = await allEvents(await askNode(ahead, "GET", `/control/runs/${thread}/events`));
  expect(events.filter(({ id }) => id === "end")).toMatchObject([{ event: { error: "host_lost" } }]);
  for (const id of ids) {
    const replay = await vi.waitFor(
      () =>
        ask<{ mp4_url: string; video_start_ms: number; video_duration_ms: number }>(
          ahead.served,
          "GET",
          `/sessions/${id}/replay`,
        ),
      patience,
    );
    expect((await fetch(replay.mp4_url, { headers: { range: "bytes=4-7" } })).status).toBe(206);
    const least = id === lost ? (shipped ?? Infinity) : 15_000;
    expect(replay.video_start_ms + replay.video_duration_ms).toBeGreaterThanOrEqual(least);
  }
});
