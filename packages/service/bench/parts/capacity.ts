import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";
import { z } from "zod";
import { playRound } from "../measuring/agent.ts";
import type { Figure } from "../measuring/figure.ts";
import { diffUsage, ProcessTree, sumUsage } from "@cloud-browser/testing/process-tree.ts";
import { startServiceProcess, type StartedService } from "../measuring/started-service.ts";
import { startSite } from "../pages/site.ts";

const replayForm = z.object({ video_start_ms: z.number(), video_duration_ms: z.number() });

/** Many recorded sessions at the pace of agents, driven over their CDP addresses from this process. */
export async function measureCapacity(count = 20, seconds = 60): Promise<Figure[]> {
  await using site = await startSite();
  const data = await mkdtemp(join(tmpdir(), "cb-bench-capacity-"));
  const browsers: Browser[] = [];
  try {
    await using service = await startServiceProcess(data, count);
    const tree = new ProcessTree(service.pid);
    const idle = tree.memory();
    const live: { readonly id: string; readonly createdMs: number; readonly run: () => Promise<void> }[] = [];
    const times: Record<"goto" | "click" | "snapshot", number[]> = { goto: [], click: [], snapshot: [] };
    const untilMs = { now: Infinity };
    for (let index = 0; index < count; index += 1) {
      const createdMs = performance.now();
      const { session_id: id, cdp_url: cdpUrl } = await service.open();
      const browser = await chromium.connectOverCDP(cdpUrl);
      browsers.push(browser);
      const page = browser.contexts()[0]?.pages()[0];
      if (!page) throw new Error("A session has a page.");
      const run = async (): Promise<void> => {
        await sleep(Math.random() * 9_000);
        for (let turn = index; performance.now() < untilMs.now; turn += 1) {
          await playRound(page, `${site.url}/page-${turn % 50}`, ignore, (what, fromMs, doneMs) =>
            times[what].push(doneMs - fromMs),
          );
        }
      };
      live.push({ id, createdMs, run });
    }
    const keptBefore = countPictures(service);
    const from = tree.sample();
    const driverFrom = process.cpuUsage();
    const fromMs = performance.now();
    untilMs.now = fromMs + seconds * 1_000;
    let peak = 0;
    const timer = setInterval(() => void tree.sample(), 1_000);
    const memory = setInterval(() => void (peak = Math.max(peak, tree.memory().all)), 10_000);
    await Promise.all(live.map(({ run }) => run()));
    clearInterval(timer);
    clearInterval(memory);
    peak = Math.max(peak, tree.memory().all);
    const cpuSeconds = sumUsage(diffUsage(from, tree.sample()));
    const driver = process.cpuUsage(driverFrom);
    const lasted = (performance.now() - fromMs) / 1_000;
    const pictures = countPictures(service) - keptBefore;
    const off: number[] = [];
    for (const { id, createdMs } of live) {
      const endedMs = performance.now();
      await service.ask("DELETE", `/control/sessions/${id}`);
      const wallMs = (endedMs + performance.now()) / 2 - createdMs;
      const slackMs = (performance.now() - endedMs) / 2;
      const { video_start_ms: start, video_duration_ms: duration } = await readReplay(service.ask, id);
      off.push(Math.max(0, Math.abs(start + duration - wallMs) - slackMs));
    }
    const title = `${count} recorded sessions`;
    return [
      { name: `${title}: click`, unit: "ms", goal: 300, of: "p95", values: times.click },
      { name: `${title}: goto`, unit: "ms", values: times.goto },
      { name: `${title}: snapshot`, unit: "ms", values: times.snapshot },
      {
        name: `${title}: processor of the service, encoders and browsers`,
        unit: "% of a core",
        values: [(cpuSeconds / lasted) * 100],
      },
      {
        name: `${title}: processor of the driver`,
        unit: "% of a core",
        values: [(driver.user + driver.system) / 1e4 / lasted],
      },
      {
        name: `${title}: pictures`,
        unit: "per session and minute",
        values: [(pictures / lasted / count) * 60],
      },
      { name: `${title}: memory (PSS)`, unit: "MB", goal: 4_000, values: [peak / 1e6] },
      {
        name: `${title}: memory per session beyond the idle service`,
        unit: "MB",
        goal: 60,
        values: [(peak - idle.all) / 1e6 / count],
      },
      { name: `${title}: length of the replay against the wall clock`, unit: "ms", goal: 300, of: "max", values: off },
    ];
  } finally {
    await Promise.allSettled(browsers.map((browser) => browser.close()));
    await rm(data, { recursive: true, force: true });
  }
}

/** Counts the pictures of all sessions that are safe. */
const countPictures = ({ pictureMoments }: StartedService): number =>
  [...pictureMoments.values()].reduce((sum, { length }) => sum + length, 0);

async function readReplay(
  ask: (method: string, path: string) => Promise<Response>,
  id: string,
): Promise<z.infer<typeof replayForm>> {
  for (const until = performance.now() + 120_000; ; await sleep(200)) {
    const response = await ask("GET", `/sessions/${id}/replay`);
    if (response.ok) return replayForm.parse(await response.json());
    const text = await response.text();
    if (performance.now() > until) throw new Error(`No replay: ${text}`);
  }
}

const ignore = (): void => {};
