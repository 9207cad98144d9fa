import type { BrowserFacts, BrowserMemory, ProcessType } from "@cloud-browser/browsers";
import { isUnresponsive, measure, countReported, type Measurement } from "./page-memory.ts";
import { scrapeTimeoutMs } from "../scrape-session.ts";
import type { Session } from "../session.ts";

/** Memory of a browser without sessions, in bytes. */
const browserBytes = 400 * 2 ** 20;
/** Memory of a session with ordinary pages, in bytes. */
export const typicalSessionBytes = 128 * 2 ** 20;
/** Interval at which memory is measured, in milliseconds. */
const intervalMs = 5_000;
/** Response time of the other pages up to which the machine counts as fast enough for that timeout, in milliseconds. */
const promptResponseMs = 500;
/** Checks in a row after which a page counts as unresponsive by itself, although others do not respond either: no pause lasts as long. */
const unresponsiveChecks = 3;
/** Checks in a row after which memory that no page reports is not being freed. */
const unreportedChecks = 3;
/** Checks in a row that a session passes while this service reads it, which takes memory and time, too: more than a scrape lasts. */
const checksWhileRead = Math.ceil(scrapeTimeoutMs / intervalMs) + 1;
/** Checks in a row after which none is spared for being read: several may be, one after the other. */
const maxSparingChecks = 2 * checksWhileRead;

/** Options of the memory watch. */
export interface MemoryWatchOptions {
  /** The browsers that run, with their memory. */
  readonly listBrowsers: () => Promise<readonly BrowserFacts[]>;
  /** The sessions that are open. */
  readonly listSessions: () => readonly Session[];
  /** Most memory that one session may use, in bytes. */
  readonly sessionBytes: number;
  /** Kills the process of a type that uses most memory of those of a browser, if that is so many bytes; returns whether one was killed. */
  readonly killHeaviest: (browserPid: number, type: ProcessType, leastBytes: number) => Promise<boolean>;
}

/**
 * Ends the session that uses too much memory, with the reason `memory`, so that it harms no other one. The operating system measures the
 * browsers. In one that is over its limit, or has a page that is, the session whose pages report most is ended. When that is not
 * clear, as pages do not respond, or report little again and again (what workers, canvases and texts use is not in their heap), the largest
 * process is killed, and the session whose pages were in it ends.
 *
 * @returns A function that ends the watch.
 */
export function watchMemory(options: MemoryWatchOptions): () => void {
  let busy = false;
  const history: History = {
    overLimit: new WeakMap(),
    spared: new WeakMap(),
    unresponsive: new WeakMap(),
    excused: new WeakMap(),
  };
  const timer = setInterval(() => {
    if (busy || options.listSessions().length === 0) return;
    busy = true;
    void endOverLimit(options, history)
      .catch(() => undefined) // a browser that died meanwhile uses no memory
      .finally(() => (busy = false));
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Findings of earlier checks. */
interface History {
  /** Consecutive measurements that found the session over the limit and ended none. */
  readonly overLimit: WeakMap<Session, number>;
  /** Number of those during which its page was being scraped. */
  readonly spared: WeakMap<Session, number>;
  /** Consecutive measurements without an answer, except the excused ones. */
  readonly unresponsive: WeakMap<Session, number>;
  /** Consecutive measurements without an answer while the page was being scraped, which may be the cause. */
  readonly excused: WeakMap<Session, number>;
}

async function endOverLimit(
  { listBrowsers: browsers, listSessions: sessions, sessionBytes, killHeaviest }: MemoryWatchOptions,
  history: History,
): Promise<void> {
  for (const { pid, memory } of await browsers()) {
    const own = sessions().filter(({ pooledContext: pooled }) => pooled.browserPid === pid);
    const most = browserBytes + sessionBytes + (own.length - 1) * typicalSessionBytes;
    if (!memory || own.length === 0 || (memory.heaviestPage < sessionBytes && memory.all < most)) {
      for (const session of own) for (const checks of Object.values(history)) checks.delete(session);
      continue;
    }
    const sessionsInUse = new Set(own.filter(({ isBeingRead }) => isBeingRead)); // now, and maybe not when they are measured
    const begunMs = performance.now();
    const measurements = await Promise.all(own.map(measure));
    for (const session of own) if (session.isBeingRead) sessionsInUse.add(session);
    const unresponsiveFor = own.map((session, index) =>
      countUnresponsive(history, session, {
        hasAnswered: !isUnresponsive(measurements[index]) || session.lastReadMs > begunMs - intervalMs,
        isRead: sessionsInUse.has(session),
      }),
    );
    const {
      suspects,
      kill,
      leastChecks = 1,
    } = getSuspicion({ own, memory, measurements, unresponsiveFor, sessionBytes });
    const [first] = suspects;
    if (!first || spares(history, suspects, sessionsInUse) || (history.overLimit.get(first) ?? 0) < leastChecks)
      continue;
    if (!kill) await first.end("memory");
    else if ((await killHeaviest(pid, kill.type, kill.leastBytes)) && kill.type === "renderer")
      for (const session of own) session.noteKill();
  }
}

/** Returns whether nothing is done for now, as one of the suspects is being read, and has not been for longer than that takes; counts that. */
function spares(
  { overLimit, spared }: History,
  suspects: readonly Session[],
  sessionsInUse: ReadonlySet<Session>,
): boolean {
  const earlier = Math.max(...suspects.map((session) => overLimit.get(session) ?? 0));
  for (const session of suspects) overLimit.set(session, earlier + 1);
  const isReadFor = suspects.filter((session) => sessionsInUse.has(session)).map((session) => count(spared, session));
  return earlier < maxSparingChecks && isReadFor.some((checks) => checks <= checksWhileRead);
}

function count(counts: WeakMap<Session, number>, session: Session): number {
  const checks = (counts.get(session) ?? 0) + 1;
  counts.set(session, checks);
  return checks;
}

/** Counts the checks in a row in which a session did not answer, a scrape neither, for no reason that is known; this one included. */
function countUnresponsive(
  { unresponsive, excused }: History,
  session: Session,
  { hasAnswered, isRead }: { readonly hasAnswered: boolean; readonly isRead: boolean },
): number {
  if (hasAnswered) {
    for (const counts of [unresponsive, excused]) counts.delete(session);
    return 0;
  }
  const isExcused = isRead && count(excused, session) <= checksWhileRead;
  return isExcused ? (unresponsive.get(session) ?? 0) : count(unresponsive, session);
}

/** Measurements of a browser that uses too much memory; lists are in the order of its sessions. */
interface Evidence {
  readonly own: readonly Session[];
  /** Memory of its processes, measured by the operating system. */
  readonly memory: BrowserMemory;
  /** Memory that the pages report, and how they respond. */
  readonly measurements: readonly Measurement[];
  /** Number of checks in a row without an answer. */
  readonly unresponsiveFor: readonly number[];
  readonly sessionBytes: number;
}

/** A process to kill. */
interface Kill {
  readonly type: ProcessType;
  /** It is only killed if it uses as much. */
  readonly leastBytes: number;
}

/** The sessions that the memory may belong to. */
interface Suspicion {
  /** None when nothing can be told. */
  readonly suspects: readonly Session[];
  /** The process to kill while it is not known whose the memory is. Absent when it belongs to the only suspect. */
  readonly kill?: Kill;
  /** Number of checks in a row after which it is killed, or the suspect ends. Default: 1. */
  readonly leastChecks?: number;
}

/**
 * Returns whom the memory may belong to.
 *
 * Pages report less than they use, but memory that is being freed belongs to none. While one of them may be the one that grows and
 * does not respond, another one is only suspected if it is over the limit alone. When all respond and report little, time tells whether
 * memory is being freed.
 */
function getSuspicion({ own, memory, measurements, unresponsiveFor, sessionBytes }: Evidence): Suspicion {
  const heaviest = Math.max(...measurements.map(countReported));
  const least = measurements.some(isUnresponsive) ? sessionBytes : sessionBytes / 4;
  const largest = own[measurements.findIndex((measurement) => countReported(measurement) === heaviest)];
  if (largest && heaviest > least) return { suspects: [largest] };
  const isPageTooLarge = memory.heaviestPage >= sessionBytes;
  // Of several the one that has not responded for longest.
  const leastChecks = isSlow(measurements) ? Math.max(unresponsiveChecks, ...unresponsiveFor) : 1;
  const suspects = own.filter((_, index) =>
    isPageTooLarge ? isUnresponsive(measurements[index]) : (unresponsiveFor[index] ?? 0) >= leastChecks,
  );
  if (suspects.length === 1 && !isPageTooLarge) return { suspects };
  if (suspects.length > 0)
    return { suspects, kill: { type: "renderer", leastBytes: isPageTooLarge ? sessionBytes : 0 } };
  const kill = findLargeProcess(memory, sessionBytes);
  return kill ? { suspects: own, kill, leastChecks: unreportedChecks } : { suspects };
}

/** Returns the process that makes a browser too large; undefined when none stands out. */
function findLargeProcess({ heaviestPage, gpu }: BrowserMemory, sessionBytes: number): Kill | undefined {
  if (heaviestPage >= sessionBytes) return { type: "renderer", leastBytes: sessionBytes };
  if (gpu >= sessionBytes) return { type: "gpu-process", leastBytes: sessionBytes };
  const half = sessionBytes / 2;
  return heaviestPage >= half ? { type: "renderer", leastBytes: half } : undefined;
}

/**
 * Returns whether pages may not respond because the machine is slow or the pages of their browser are paused, and not because they grow:
 * unless all others answer promptly, and there are others that answer.
 */
function isSlow(measurements: readonly Measurement[]): boolean {
  const times = measurements.flatMap(({ tookMs }) => tookMs ?? []);
  return (
    measurements.filter(isUnresponsive).length > 1 || times.length === 0 || times.some((ms) => ms > promptResponseMs)
  );
}
