import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { playRound } from "../measuring/agent.ts";
import { percentile, type Figure } from "../measuring/figure.ts";
import { listDescendants, ProcessTree } from "@cloud-browser/testing/process-tree.ts";
import { startServiceProcess, type StartedService } from "../measuring/started-service.ts";
import { startSite } from "../pages/site.ts";

/** How many sessions a wave has. */
const count = 16;
/** Waves that fill caches, compile code and start browsers. */
const warmUps = 2;
/** What the last third of the waves may have more than the first, as a part of it. */
const tolerance = 0.1;

/** What a service holds while no session is open and all replays are there. */
interface AtRest {
  readonly memoryMb: number;
  readonly ownMb: number;
  readonly files: number;
  readonly processes: number;
}

/**
 * Waves of 16 sessions that are opened, driven, read, recorded and ended, for so many minutes: what the service holds
 * between them neither grows nor piles up.
 */
export async function measureEndurance(minutes = 60): Promise<Figure[]> {
  await using site = await startSite();
  const data = await mkdtemp(join(tmpdir(), "cb-bench-endurance-"));
  try {
    await using service = await startServiceProcess(data, count);
    const waves: AtRest[] = [];
    const failures: string[] = [];
    const untilMs = performance.now() + minutes * 60_000;
    for (let wave = 1; performance.now() < untilMs; wave += 1) {
      const sessions = Array.from({ length: count }, (_, index) => live(service, `${site.url}/page-${index}`));
      for (const result of await Promise.allSettled(sessions)) {
        if (result.status === "rejected") failures.push(String(result.reason));
      }
      const now = atRest(service.pid);
      if (wave > warmUps) waves.push(now);
      console.error(`  wave ${wave}: ${JSON.stringify(now)}, ${failures.length} sessions failed`);
    }
    for (const failure of new Set(failures)) console.error(`  ${failure}`);
    return [
      {
        name: `sessions, ${count} at a time, that failed`,
        unit: "of all",
        goal: 0,
        values: [failures.length],
        digits: 0,
      },
      ...growth(waves, "memoryMb", "memory between waves (PSS)", "MB"),
      ...growth(waves, "ownMb", "memory of the service's own process", "MB"),
      ...growth(waves, "files", "open files of the service", "files"),
      ...growth(waves, "processes", "processes of the service", "processes"),
    ];
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** One session from its creation to its replay. */
async function live(service: StartedService, url: string): Promise<void> {
  const { session_id: id, cdp_url: cdpUrl } = await service.open();
  try {
    await drive(service, id, cdpUrl, url);
  } finally {
    await expectStatus(200, await service.ask("DELETE", `/control/sessions/${id}`));
  }
  for (const lateMs = performance.now() + 120_000; performance.now() < lateMs; await sleep(200)) {
    const replay = await service.ask("GET", `/sessions/${id}/replay`);
    await replay.body?.cancel();
    if (replay.ok) return;
  }
  throw new Error("No replay within 2 minutes.");
}

/** Drives a session for one round, and reads it. */
async function drive({ ask }: StartedService, id: string, cdpUrl: string, url: string): Promise<void> {
  await using browser = await chromium.connectOverCDP(cdpUrl);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("A session has a page.");
  await playRound(
    page,
    url,
    () => {},
    () => {},
  );
  await expectStatus(200, await ask("POST", `/sessions/${id}/page/scrape`, {}));
  await expectStatus(200, await ask("GET", `/sessions/${id}/cookies`));
}

async function expectStatus(status: number, response: Response): Promise<void> {
  const text = await response.text();
  if (response.status !== status) throw new Error(`HTTP ${response.status}: ${text.slice(0, 200)}`);
}

function atRest(pid: number): AtRest {
  const { all, children } = new ProcessTree(pid).memory();
  return {
    memoryMb: Math.round(all / 1e6),
    ownMb: Math.round((all - children) / 1e6),
    files: readdirSync(`/proc/${pid}/fd`).length,
    processes: listDescendants(pid).length,
  };
}

/** Medians of the first and of the last third of the waves; the last may not be more than the first, but for noise. */
function growth(waves: readonly AtRest[], key: keyof AtRest, name: string, unit: string): Figure[] {
  const third = Math.max(1, Math.floor(waves.length / 3));
  const first = waves.slice(0, third).map((wave) => wave[key]);
  const goal = Math.ceil(percentile(first, 0.5) * (1 + tolerance));
  return [
    { name: `${name}, first third of the waves`, unit, values: first, digits: 0 },
    { name: `${name}, last third`, unit, goal, values: waves.slice(-third).map((wave) => wave[key]), digits: 0 },
  ];
}
