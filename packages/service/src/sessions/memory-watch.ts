import pTimeout from "p-timeout";
import type { CDPSession, Page, Request } from "playwright-core";
import type { BrowserFacts } from "@cloud-browser/browsers";
import { settlesBefore } from "../async.ts";
import { scrapeTimeoutMs } from "./scrape-session.ts";
import type { Session } from "./session.ts";

/** Memory of a browser without sessions, in bytes. */
const browserBytes = 400 * 2 ** 20;
/** Memory of a session with ordinary pages, in bytes. */
const typicalSessionBytes = 128 * 2 ** 20;
/** Interval at which memory is measured, in milliseconds. */
const intervalMs = 5_000;
/** Timeout of a page that is asked for its memory, in milliseconds: one that does not respond may be the one that grows, unless it is navigating. */
const responseTimeoutMs = 2_000;
/** Response time of the other pages up to which the machine counts as fast enough for that timeout, in milliseconds. */
const promptResponseMs = 500;
/** Checks in a row after which a page counts as unresponsive by itself, although others do not respond either: no pause lasts as long. */
const unresponsiveChecks = 3;
/** Checks in a row that a session passes while this service reads it, which takes memory and time, too: more than a scrape lasts. */
const checksWhileRead = Math.ceil(scrapeTimeoutMs / intervalMs) + 1;
/** Checks in a row after which none is spared for being read: several may be, one after the other. */
const maxSparingChecks = 2 * checksWhileRead;

/** Options of the memory watch. */
export interface MemoryWatchOptions {
  /** The browsers that run, with their memory. */
  readonly browsers: () => Promise<readonly BrowserFacts[]>;
  /** The sessions that are open. */
  readonly sessions: () => readonly Session[];
  /** Most memory that one session may use, in bytes. */
  readonly sessionBytes: number;
  /** Kills the renderer process of a browser that uses most memory, if that is so many bytes. */
  readonly killHeaviestRenderer: (browserPid: number, leastBytes: number) => Promise<void>;
}

/**
 * Ends the session that uses too much memory, with the reason `memory`, so that it harms no other one. The operating system measures the
 * browsers. In one that is over its limit, or has a page that is, the session whose pages report most is ended. When that is not
 * clear, as pages do not respond, the largest process is killed, and the session whose pages were in it ends.
 *
 * @returns A function that ends the watch.
 */
export function watchMemory(options: MemoryWatchOptions): () => void {
  let busy = false;
  const seen: History = {
    overLimit: new WeakMap(),
    spared: new WeakMap(),
    unresponsive: new WeakMap(),
    excused: new WeakMap(),
  };
  const timer = setInterval(() => {
    if (busy || options.sessions().length === 0) return;
    busy = true;
    void endOverLimit(options, seen)
      .catch(() => undefined) // a browser that died meanwhile uses no memory
      .finally(() => (busy = false));
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Findings of earlier checks. */
interface History {
  /** Number of measurements in a row that found sessions over the limit and ended none. */
  readonly overLimit: WeakMap<Session, number>;
  /** Number of those at which a session was being read. */
  readonly spared: WeakMap<Session, number>;
  /** Number of measurements in a row that a session did not answer, without those that are excused. */
  readonly unresponsive: WeakMap<Session, number>;
  /** Number of measurements in a row that a session did not answer and was being read: that may be why. */
  readonly excused: WeakMap<Session, number>;
}

async function endOverLimit(
  { browsers, sessions, sessionBytes, killHeaviestRenderer }: MemoryWatchOptions,
  seen: History,
): Promise<void> {
  for (const { pid, memory } of await browsers()) {
    const own = sessions().filter(({ pooledContext: pooled }) => pooled.browserPid === pid);
    for (const session of own) session.crashReason = "page-crashed";
    const most = browserBytes + sessionBytes + (own.length - 1) * typicalSessionBytes;
    if (!memory || own.length === 0 || (memory.heaviestPage < sessionBytes && memory.all < most)) {
      for (const session of own) for (const checks of Object.values(seen)) checks.delete(session);
      continue;
    }
    const read = new Set(own.filter(({ isBeingRead }) => isBeingRead)); // now, and maybe not when they are measured
    const begunMs = performance.now();
    const measurements = await Promise.all(own.map(measure));
    for (const session of own) if (session.isBeingRead) read.add(session);
    const isPageTooLarge = memory.heaviestPage >= sessionBytes;
    const unresponsiveFor = own.map((session, index) =>
      countUnresponsive(seen, session, {
        hasAnswered: !isUnresponsive(measurements[index]) || session.lastReadMs > begunMs - intervalMs,
        isRead: read.has(session),
      }),
    );
    const { suspects, isSure } = suspectsOf({ own, measurements, unresponsiveFor, sessionBytes, isPageTooLarge });
    if (suspects.length === 0) continue;
    if (spares(seen, suspects, read)) continue;
    if (isSure) {
      await suspects[0]?.end("memory");
      continue;
    }
    for (const session of own) session.crashReason = "memory";
    await killHeaviestRenderer(pid, isPageTooLarge ? sessionBytes : 0);
  }
}

/** Returns whether nothing is done for now, as one of the suspects is being read, and has not been for longer than that takes; counts that. */
function spares({ overLimit, spared }: History, suspects: readonly Session[], read: ReadonlySet<Session>): boolean {
  const earlier = Math.max(...suspects.map((session) => overLimit.get(session) ?? 0));
  for (const session of suspects) overLimit.set(session, earlier + 1);
  const isReadFor = suspects.filter((session) => read.has(session)).map((session) => count(spared, session));
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
  readonly measurements: readonly Measurement[];
  /** Number of checks in a row without an answer. */
  readonly unresponsiveFor: readonly number[];
  readonly sessionBytes: number;
  /** True when one process uses more than a session may. */
  readonly isPageTooLarge: boolean;
}

/**
 * Returns the sessions that the memory may belong to, and whether it is sure that it belongs to the only one.
 *
 * Pages report less than they use, but memory that is being freed belongs to none. While one of them may be the one that grows and
 * does not respond, another one is only suspected if it is over the limit alone.
 */
function suspectsOf({ own, measurements, unresponsiveFor, sessionBytes, isPageTooLarge }: Evidence): {
  readonly suspects: readonly Session[];
  readonly isSure: boolean;
} {
  const heaviest = Math.max(...measurements.map(reported));
  const least = measurements.some(isUnresponsive) ? sessionBytes : sessionBytes / 4;
  const largest = own[measurements.findIndex((measurement) => reported(measurement) === heaviest)];
  if (largest && heaviest > least) return { suspects: [largest], isSure: true };
  if (isPageTooLarge) return { suspects: own.filter((_, index) => isUnresponsive(measurements[index])), isSure: false };
  // Of several the one that has not responded for longest.
  const leastChecks = isSlow(measurements) ? Math.max(unresponsiveChecks, ...unresponsiveFor) : 1;
  const suspects = own.filter((_, index) => (unresponsiveFor[index] ?? 0) >= leastChecks);
  return { suspects, isSure: suspects.length === 1 };
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

const isUnresponsive = (measurement: Measurement | undefined): boolean => measurement?.bytes === Infinity;
const reported = (measurement: Measurement | undefined): number =>
  measurement && !isUnresponsive(measurement) ? measurement.bytes : 0;

/** Memory of a session as reported by its pages. */
interface Measurement {
  /** The sum of their scripts, nodes and origin storage, in bytes; Infinity when one does not answer. */
  readonly bytes: number;
  /** How long they took, in milliseconds; undefined when none of them answered. */
  readonly tookMs: number | undefined;
}

/** Asks the pages of a session for their memory. */
async function measure({ pooledContext: pooled }: Session): Promise<Measurement> {
  const begunMs = performance.now();
  const origins = new Set<string>();
  const pages = await Promise.all(
    pooled.context.pages().map(async (page) => {
      const { origin } = URL.parse(page.url()) ?? { origin: "null" };
      const isFirst = !origins.has(origin);
      origins.add(origin);
      const measurement = pooled.context.newCDPSession(page).then(async (devtools) => {
        const [{ usedSize, backingStorageSize }, { nodes }, stored] = await Promise.all([
          devtools.send("Runtime.getHeapUsage"),
          devtools.send("Memory.getDOMCounters"),
          isFirst ? bytesStored(devtools, origin) : 0,
        ]);
        await devtools.detach();
        return {
          bytes: usedSize + backingStorageSize + nodes * bytesPerNode + stored,
          tookMs: performance.now() - begunMs,
        };
      });
      // A page that waits for a server says nothing of the load of the machine.
      const fallback = async (): Promise<Measurement> => ({
        bytes: (await isNavigating(page)) ? 0 : Infinity,
        tookMs: undefined,
      });
      return pTimeout(
        measurement.catch((): Measurement => ({ bytes: 0, tookMs: undefined })),
        { milliseconds: responseTimeoutMs, fallback },
      );
    }),
  );
  const times = pages.flatMap(({ tookMs }) => tookMs ?? []);
  return {
    bytes: pages.reduce((sum, { bytes }) => sum + bytes, 0),
    tookMs: times.length > 0 ? Math.max(...times) : undefined,
  };
}

/** Returns the bytes in the databases, caches and files of an origin: the browser keeps all of a session's in memory. None for a page without an origin. */
async function bytesStored(devtools: CDPSession, origin: string): Promise<number> {
  return devtools.send("Storage.getUsageAndQuota", { origin }).then(
    ({ usage }) => usage,
    () => 0,
  );
}

/** Returns whether a page is navigating and waits for the response: Chromium answers no commands meanwhile. */
async function isNavigating(page: Page): Promise<boolean> {
  const asked = (await page.requests()).findLast((one) => one.isNavigationRequest() && isOfPage(one, page));
  if (!asked) return false;
  // One round trip through the driver is enough for pages that have answered.
  return !(await settlesBefore(asked.response(), page.requests()));
}

function isOfPage(request: Request, page: Page): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // Its frame is yet to come: it is that of a page that is being opened.
    return true;
  }
}

/** Rough memory of one DOM node with its style and layout, in bytes. */
const bytesPerNode = 600;
