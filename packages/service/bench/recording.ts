// What recording costs: sessions of a pace with and without it, side by side.
// Usage: node --conditions=@cloud-browser/source bench/recording.ts [still|agent|moving] [sessions] [seconds] [executable of a Chromium]
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BrowserPool } from "../src/browsers/browser-pool.ts";
import { systemClock } from "../src/clock.ts";
import { parseJournal, type JournalRecord } from "../src/recording/journal-format.ts";
import { Recordings } from "../src/recording/recordings.ts";
import { ActivePage } from "../src/sessions/active-page.ts";
import { pageOf, round, type Pace } from "./recording/agent.ts";
import { ProcessTree } from "./recording/processor-time.ts";

const [, , paceGiven = "agent", sessionsGiven = "4", secondsGiven = "30", executable] = process.argv;
const pace: Pace = paceGiven === "still" || paceGiven === "moving" ? paceGiven : "agent";
const [sessions, seconds] = [Number(sessionsGiven), Number(secondsGiven)];
const viewport = { width: 1_280, height: 720 };

const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(pageOf(pace)));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;

interface Cost {
  /** Of one core: of this process, of encoders, of browsers, of all. */
  readonly percent: readonly [own: number, encoders: number, browsers: number, all: number];
  readonly megabytes: number;
}

const percentile = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
const clicksMs: number[] = [];
const seenMs: number[] = [];
const finishedMs: number[] = [];
const journal: Record<string, JournalRecord[]> = {};
let journalBytes = 0;

async function run(isRecorded: boolean): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), "cb-bench-"));
  const pool = await BrowserPool.start(executable === undefined ? {} : { binary: { executable } });
  const recordings = await Recordings.open({
    folder,
    clock: systemClock,
    secret: Buffer.alloc(32),
    publicUrl: () => url,
    onWarning: console.warn,
  });
  const tree = new ProcessTree();
  const timer = setInterval(() => tree.sample(), 1_000);
  const session = async (id: string, started: Promise<unknown>): Promise<() => Promise<void>> => {
    const space = await pool.open({ viewport });
    const { context } = space;
    const page = await context.newPage();
    await page.goto(url);
    return async () => {
      await started;
      const origin = performance.now();
      const what = { id, startedAtMs: Date.now(), context, activePage: new ActivePage(context), viewport };
      const recorder = isRecorded ? await recordings.begin(what) : undefined;
      const clicks: [number, number][] = [];
      // Sessions are not in step.
      await sleep(Math.random() * 3_000);
      while (performance.now() - origin < seconds * 1_000 - (pace === "still" ? 0 : 10_000)) {
        if (pace === "still") await sleep(500);
        else
          await round(
            page,
            url,
            () => recorder?.stir(),
            (a, b) => clicks.push([a - origin, b - origin]),
          );
      }
      await sleep(Math.max(0, seconds * 1_000 - (performance.now() - origin)));
      clicksMs.push(...clicks.map(([a, b]) => (isRecorded ? b - a : NaN)).filter((ms) => !Number.isNaN(ms)));
      if (recorder) {
        await keepJournal(folder, id);
        const endMs = performance.now();
        await recorder.end();
        await recordings.replay(id, 60_000);
        finishedMs.push(performance.now() - endMs);
        const pictures = (journal[id] ?? []).filter(({ kind }) => kind === "picture");
        for (const [fromMs, doneMs] of clicks) {
          const shown = pictures.find(({ atMs }) => atMs >= fromMs);
          if (shown) seenMs.push(Math.max(0, shown.atMs - doneMs));
        }
      }
      await space.close();
    };
  };
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const ready = await Promise.all(Array.from({ length: sessions }, (_, index) => session(`session-${index}`, started)));
  await sleep(2_000);
  const from = tree.sample();
  start();
  await Promise.all(ready.map((live) => live()));
  const to = tree.sample();
  clearInterval(timer);
  await recordings.close();
  await pool.close();
  await rm(folder, { recursive: true });
  const percent = (["own", "encoders", "browsers"] as const).map(
    (who) => ((to[who] - from[who]) / seconds / sessions) * 100,
  );
  const [own = 0, encoders = 0, browsers = 0] = percent;
  return { percent: [own, encoders, browsers, own + encoders + browsers], megabytes: to.bytes / 1e6 / sessions };
}

/** Reads what was captured before it is encoded; what was encoded already is left out. */
async function keepJournal(folder: string, id: string): Promise<void> {
  for (const name of (await readdir(join(folder, id))).filter((one) => one.endsWith(".journal"))) {
    const bytes = await readFile(join(folder, id, name));
    journalBytes += bytes.length;
    (journal[id] ??= []).push(...parseJournal(bytes));
  }
}

const without = await run(false);
const recorded = await run(true);
server.close();

const one = (value: number): string => value.toFixed(1);
const listed = ({ percent: [own, encoders, browsers, all] }: Cost): string =>
  `${one(all)} % (this process ${one(own)}, encoders ${one(encoders)}, browsers ${one(browsers)})`;
const more = recorded.percent[3] - without.percent[3];
const pictures = Object.values(journal)
  .flat()
  .filter(({ kind }) => kind === "picture").length;
console.log(`${sessions} sessions, ${pace}, ${seconds} s; per session:`);
console.log(`  processor, of a core: ${listed(without)} without`);
console.log(
  `    ${listed(recorded)} with recording: ${one(more)} more, ${one((more / without.percent[3]) * 100)} % of the session's`,
);
console.log(`  memory: ${one(without.megabytes)} MB without, ${one(recorded.megabytes)} MB with recording`);
console.log(
  `  journal (of up to 32 s): ${one(journalBytes / 1e6 / sessions / (Math.min(seconds, 32) / 60))} MB/min, ${one(pictures / sessions)} pictures`,
);
console.log(
  `  replay after the end: median ${one(percentile(finishedMs, 0.5))} ms, longest ${one(Math.max(...finishedMs))} ms`,
);
if (clicksMs.length > 0) {
  console.log(`  click: median ${one(percentile(clicksMs, 0.5))} ms, p95 ${one(percentile(clicksMs, 0.95))} ms`);
  console.log(
    `  seen after the click: median ${one(percentile(seenMs, 0.5))} ms, p95 ${one(percentile(seenMs, 0.95))} ms, longest ${one(Math.max(...seenMs))} ms`,
  );
}
