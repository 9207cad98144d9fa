import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { z } from "zod";
import { probe } from "../../../recorder/test/recording/video.ts";
import type { Figure } from "../measuring/figure.ts";
import { listDescendants, ProcessTree, sumUsage } from "@cloud-browser/testing/process-tree.ts";
import { startServiceProcess, type StartedService } from "../measuring/started-service.ts";
import { startSite, type Site } from "../pages/site.ts";

const replayForm = z.object({ mp4_url: z.string(), video_start_ms: z.number(), video_duration_ms: z.number() });
/** Latest moment of the death after the sessions are open, in milliseconds. */
const latestMs = 15_000;
/** How long a browser may outlive the service. */
const outliveMs = 5_000;

interface Death {
  readonly readyMs: number;
  readonly processorMs: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly survivors: number;
}

/** Kills the service at random moments while it records two sessions, and starts it again on the same folder. */
export async function measureKill(deaths = 25): Promise<Figure[]> {
  await using site = await startSite();
  const all: Death[] = [];
  for (let index = 0; index < deaths; index += 1) {
    const data = await mkdtemp(join(tmpdir(), "cb-bench-kill-"));
    try {
      const death = await dieAndRecover(data, site, index);
      all.push(death);
      console.error(`  death ${index + 1}: ${JSON.stringify(death)}`);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  }
  const sum = (what: keyof Death): number[] => [all.reduce((total, one) => total + one[what], 0)];
  return [
    {
      name: "kill -9 to both replays readable, from the start of the new process",
      unit: "s",
      goal: 5,
      of: "max",
      values: all.map(({ readyMs }) => readyMs / 1_000),
    },
    {
      name: "processor time of the new process, its encoders and its browser until then",
      unit: "s",
      values: all.map(({ processorMs }) => processorMs / 1_000),
    },
    { name: "acknowledged pictures, all deaths", unit: "pictures", digits: 0, values: sum("acknowledged") },
    { name: "of them not in the replays", unit: "pictures", goal: 0, digits: 0, values: sum("lost") },
    { name: "processes left by the dead services", unit: "processes", goal: 0, digits: 0, values: sum("survivors") },
  ];
}

async function dieAndRecover(data: string, site: Site, index: number): Promise<Death> {
  const first = await startServiceProcess(data);
  const ids: string[] = [];
  // One of a page that moves, one of a page that does not.
  for (const page of [3, 1]) {
    const { session_id: id, cdp_url: cdpUrl } = await first.open({ url: `${site.url}/page-${page}` });
    ids.push(id);
    // The first picture of each before that of the next: so it is known whose they are.
    while (first.pictureMoments.size < ids.length) await sleep(20);
    void actUntilItDies(cdpUrl).catch(() => undefined);
  }
  await sleep(Math.random() * latestMs);
  // Every third one dies while a session ends.
  const [endedId] = ids;
  if (index % 3 === 2 && endedId !== undefined) {
    first.ask("DELETE", `/control/sessions/${endedId}`).catch(() => undefined);
    await sleep(Math.random() * 1_500);
  }
  const browsers = listDescendants(first.pid);
  await first.kill();
  const from = performance.now();
  await using second = await startServiceProcess(data);
  const replays = await Promise.all(ids.map((id) => findReplay(second, id)));
  const readyMs = performance.now() - from;
  const processorMs = sumUsage(new ProcessTree(second.pid).sample()) * 1_000;
  let [acknowledged, lost] = [0, 0];
  for (const [session, replay] of replays.entries()) {
    const moments = first.pictureMoments.get(session) ?? [];
    acknowledged += moments.length;
    lost += replay ? await countMissing(moments, replay, data) : moments.length;
  }
  return { readyMs, processorMs, acknowledged, lost, survivors: await countSurvivors(browsers, from) };
}

async function actUntilItDies(cdpUrl: string): Promise<void> {
  const browser = await chromium.connectOverCDP(cdpUrl);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) return;
  for (let down = true; ; down = !down) {
    await page.mouse.wheel(0, down ? 300 : -300);
    await sleep(200 + Math.random() * 1_500);
    await page.click("#send");
    await sleep(200 + Math.random() * 1_500);
  }
}

/** The replay, as soon as the first bytes of its MP4 can be read; undefined when there is none. */
async function findReplay(service: StartedService, id: string): Promise<z.infer<typeof replayForm> | undefined> {
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(50)) {
    const response = await service.ask("GET", `/sessions/${id}/replay`);
    if (!response.ok) {
      await response.body?.cancel();
      continue;
    }
    const replay = replayForm.parse(await response.json());
    const file = await fetch(replay.mp4_url, { headers: { range: "bytes=0-99" } });
    await file.arrayBuffer();
    if (file.status !== 206) throw new Error(`The MP4 can't be read: ${file.status}.`);
    return replay;
  }
  return undefined;
}

/** Counts the pictures that have no frame of their moment in the MP4. Of several within a millisecond only one can be there. */
async function countMissing(
  moments: readonly number[],
  replay: z.infer<typeof replayForm>,
  data: string,
): Promise<number> {
  const path = join(data, "fetched.mp4");
  await writeFile(path, Buffer.from(await (await fetch(replay.mp4_url)).arrayBuffer()));
  const frames = (await probe(path)).packets.map(({ atMs }) => atMs + replay.video_start_ms);
  const lost = moments.filter((moment) => !frames.some((atMs) => Math.abs(atMs - moment) <= 1.5));
  if (lost.length > 0) console.error(`  no frame at ${lost.join(", ")}; frames: ${frames.map(Math.round).join(", ")}`);
  return lost.length;
}

async function countSurvivors(pids: readonly number[], from: number): Promise<number> {
  for (;;) {
    const running = new Set(await readdir("/proc"));
    const survivors = pids.filter((pid) => running.has(String(pid))).length;
    if (survivors === 0 || performance.now() - from > outliveMs) return survivors;
    await sleep(100);
  }
}
