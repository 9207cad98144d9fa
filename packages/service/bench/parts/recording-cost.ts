import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { Journal, type Recorder, Recordings, systemClock } from "@cloud-browser/recorder";
import { playRound } from "../measuring/agent.ts";
import type { Figure } from "../measuring/figure.ts";
import { diffUsage, ProcessTree, sumUsage, type Usage } from "@cloud-browser/testing/process-tree.ts";
import { startSite, type Site } from "../pages/site.ts";

type Pace = "still" | "agent";

/** What a run cost, and what it saw. */
interface Run {
  /** Seconds of a processor per second and session, in percent of a core. */
  readonly percent: Usage;
  /** From the end of an action to the picture that shows it, in milliseconds. */
  readonly seenMs: readonly number[];
  /** From the end of a session to its replay, in milliseconds. */
  readonly finishedMs: readonly number[];
  readonly pictures: number;
}

/** When the pictures of each recording were safe. Somebody who watched them would make the recording a closer one. */
const keptMs = new Map<Journal, number[]>();
// oxlint-disable-next-line typescript/unbound-method -- It is called with its journal.
const { picture } = Journal.prototype;
Journal.prototype.picture = async function (atMs, jpeg) {
  await picture.call(this, atMs, jpeg);
  keptMs.set(this, [...(keptMs.get(this) ?? []), performance.now()]);
};

const viewport = { width: 1_280, height: 720 };
const sessions = 3;

/** What recording costs: the same sessions with and without it, one run after the other; the cheapest run of each counts. */
export async function measureRecording(runs = 2, seconds = 62): Promise<Figure[]> {
  await using site = await startSite();
  const figures: Figure[] = [];
  for (const pace of ["still", "agent"] as const) {
    const [bare, recorded]: [Run[], Run[]] = [[], []];
    for (let index = 0; index < runs; index += 1) {
      bare.push(await runSessions(site, pace, false, seconds));
      recorded.push(await runSessions(site, pace, true, seconds));
    }
    figures.push(...listFigures(pace, bare, recorded));
  }
  return figures;
}

function listFigures(pace: Pace, bare: readonly Run[], recorded: readonly Run[]): Figure[] {
  const cost = ({ percent }: Run): number => sumUsage(percent);
  const cheapest = (all: readonly Run[]): Run | undefined => all.toSorted((a, b) => cost(a) - cost(b))[0];
  const [base, with_] = [cheapest(bare), cheapest(recorded)];
  if (!base || !with_) return [];
  const more = cost(with_) - cost(base);
  const name = pace === "still" ? "recording, still page" : "recording, agent's pace";
  const unit = "% of a core";
  const part = (who: keyof Usage): Figure => ({
    name: `${name}: ${who === "own" ? "own process" : who}`,
    unit,
    values: [with_.percent[who] - base.percent[who]],
  });
  return [
    { name: `${name}: the session without`, unit, values: bare.map(cost) },
    { name: `${name}: the session with it`, unit, values: recorded.map(cost) },
    { name: `${name}: what it adds`, unit, ...(pace === "still" ? { goal: 2 } : {}), values: [more] },
    part("own"),
    part("encoders"),
    part("browsers"),
    ...(pace === "still"
      ? []
      : [
          { name: `${name}: what it adds`, unit: "% of the session's", goal: 25, values: [(more / cost(base)) * 100] },
          {
            name: `${name}: action to its picture`,
            unit: "ms",
            goal: 200,
            of: "p95" as const,
            values: recorded.flatMap(({ seenMs }) => seenMs),
          },
          { name: `${name}: pictures`, unit: "per minute", values: recorded.map(({ pictures }) => pictures) },
        ]),
    {
      name: `${name}: end to replay, ${sessions} at once`,
      unit: "ms",
      values: recorded.flatMap((run) => run.finishedMs),
    },
  ];
}

async function runSessions(site: Site, pace: Pace, isRecorded: boolean, seconds: number): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "cb-bench-recording-"));
  const pool = await BrowserPool.start();
  const recordings = await Recordings.open({
    folder,
    clock: systemClock,
    secret: Buffer.alloc(32),
    publicUrl: () => site.url,
    onWarning: (_, what) => console.error(what),
  });
  let pictures = 0;
  const tree = new ProcessTree();
  const timer = setInterval(() => void tree.sample(), 1_000);
  const [seenMs, finishedMs]: [number[], number[]] = [[], []];
  try {
    const live = await Promise.all(
      Array.from({ length: sessions }, async (_, index) => {
        const pooled = await pool.open({ viewport });
        const page = await pooled.context.newPage();
        // None with an animation.
        await page.goto(`${site.url}/page-${index * 3 + 1}`);
        return { pooled, page, id: `session-${index}` };
      }),
    );
    await sleep(1_500);
    const from = tree.sample();
    const fromMs = performance.now();
    const recorders: Recorder[] = [];
    keptMs.clear();
    for (const { pooled, id } of isRecorded ? live : []) {
      const { context } = pooled;
      const what = { id, startedAtMs: Date.now(), context, activePage: new ActivePage(context), viewport };
      recorders.push(await recordings.begin(what));
      // Journals are told apart by the order of their first pictures.
      while (keptMs.size < recorders.length) await sleep(5);
    }
    const shownMs = (index: number): readonly number[] => [...keptMs.values()][index] ?? [];
    await Promise.all(
      live.map(async ({ page, id }, index) => {
        const recorder = recorders[index];
        const actions: { readonly fromMs: number; readonly doneMs: number }[] = [];
        // Sessions are not in step.
        await sleep(index * 700);
        const lastTurnMs = pace === "agent" ? fromMs + (seconds - 10) * 1_000 : -Infinity;
        for (let turn = index; performance.now() < lastTurnMs; turn += 1) {
          const onActivity = (): void => recorder?.onActivity();
          await playRound(page, `${site.url}/page-${turn}`, onActivity, (did, begunMs, doneMs) => {
            if (did !== "snapshot") actions.push({ fromMs: begunMs, doneMs });
          });
        }
        await sleep(Math.max(0, seconds * 1_000 - (performance.now() - fromMs)));
        const endMs = performance.now();
        await recorder?.end();
        if (!recorder) return;
        await recordings.replay(id, 300_000);
        finishedMs.push(performance.now() - endMs);
        pictures += shownMs(index).length;
        for (const { fromMs: begunMs, doneMs } of actions) {
          const shown = shownMs(index).find((atMs) => atMs >= begunMs);
          if (shown !== undefined) seenMs.push(Math.max(0, shown - doneMs));
        }
      }),
    );
    const spent = diffUsage(from, tree.sample());
    const share = (used: number): number => (used / seconds / sessions) * 100;
    const percent = { own: share(spent.own), encoders: share(spent.encoders), browsers: share(spent.browsers) };
    return { percent, seenMs, finishedMs, pictures: (pictures / sessions / seconds) * 60 };
  } finally {
    clearInterval(timer);
    await recordings.close();
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  }
}
