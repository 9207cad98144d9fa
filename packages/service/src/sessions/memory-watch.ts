import pTimeout from "p-timeout";
import type { CDPSession, Page, Request } from "playwright-core";
import type { BrowserFacts } from "@cloud-browser/browsers";
import { settlesBefore } from "../async.ts";
import { scrapeTimeoutMs } from "./scrape-session.ts";
import type { Session } from "./session.ts";

/** Memory of a browser without sessions, in bytes. */
const browserBytes = 400 * 2 ** 20;
/** Memory of a session with ordinary pages, in bytes. */
const usualBytes = 128 * 2 ** 20;
/** Interval at which memory is measured, in milliseconds. */
const everyMs = 5_000;
/** Timeout for a page to report its memory, in milliseconds: a page that does not respond may be the one that grows, unless it is navigating. */
const answerMs = 2_000;
/** In what time the pages of all others answer on a machine that is not too slow to ask by the clock, in milliseconds. */
const promptMs = 500;
/** Checks in a row without an answer after which a page does not answer for a reason of its own, though others do not either: no pause lasts as long. */
const silentChecks = 3;
/** Checks in a row that a session passes while this service reads it, which takes memory and time, too: more than a scrape lasts. */
const checksWhileRead = Math.ceil(scrapeTimeoutMs / everyMs) + 1;
/** Checks in a row after which none is spared for being read: several may be, one after the other. */
const mostSparingChecks = 2 * checksWhileRead;

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
 * Ends the session that uses too much memory, so that it harms no other one, with the reason `memory`. Browsers are weighed as the
 * system counts them. In one that is too heavy, or has a page that is, the session goes whose pages report most. When that is not
 * clear, as pages do not respond, the heaviest process is killed: whose pages were in it, the system knows and the pages need not say.
 *
 * @returns A function that ends the watch.
 */
export function watchMemory(options: MemoryWatchOptions): () => void {
  let busy = false;
  const seen: Seen = { grace: new WeakMap(), spared: new WeakMap(), silent: new WeakMap(), excused: new WeakMap() };
  const timer = setInterval(() => {
    if (busy || options.sessions().length === 0) return;
    busy = true;
    void relieve(options, seen)
      .catch(() => undefined) // a browser that died meanwhile uses no memory
      .finally(() => (busy = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Findings of earlier checks. */
interface Seen {
  /** Number of measurements in a row that found sessions over the limit and ended none. */
  readonly grace: WeakMap<Session, number>;
  /** Number of those at which a session was being read. */
  readonly spared: WeakMap<Session, number>;
  /** Number of measurements in a row that a session did not answer, without those that are excused. */
  readonly silent: WeakMap<Session, number>;
  /** Number of measurements in a row that a session did not answer and was being read: that may be why. */
  readonly excused: WeakMap<Session, number>;
}

async function relieve(
  { browsers, sessions, sessionBytes, killHeaviestRenderer }: MemoryWatchOptions,
  seen: Seen,
): Promise<void> {
  for (const { pid, memory } of await browsers()) {
    const own = sessions().filter(({ space }) => space.browserPid === pid);
    for (const session of own) session.crashReason = "page-crashed";
    const most = browserBytes + sessionBytes + (own.length - 1) * usualBytes;
    if (!memory || own.length === 0 || (memory.heaviestPage < sessionBytes && memory.all < most)) {
      for (const session of own) for (const checks of Object.values(seen)) checks.delete(session);
      continue;
    }
    const read = new Set(own.filter(({ isBeingRead }) => isBeingRead)); // now, and maybe not when they are weighed
    const weights = await Promise.all(own.map(weigh));
    for (const session of own) if (session.isBeingRead) read.add(session);
    const isPageTooLarge = memory.heaviestPage >= sessionBytes;
    const silentFor = own.map((session, index) => countSilence(seen, session, weights[index], read.has(session)));
    const { suspects, isSure } = suspectsOf({ own, weights, silentFor, sessionBytes, isPageTooLarge });
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
function spares({ grace, spared }: Seen, suspects: readonly Session[], read: ReadonlySet<Session>): boolean {
  const looks = Math.max(...suspects.map((session) => grace.get(session) ?? 0));
  for (const session of suspects) grace.set(session, looks + 1);
  const isReadFor = suspects.filter((session) => read.has(session)).map((session) => count(spared, session));
  return looks < mostSparingChecks && isReadFor.some((checks) => checks <= checksWhileRead);
}

function count(counts: WeakMap<Session, number>, session: Session): number {
  const checks = (counts.get(session) ?? 0) + 1;
  counts.set(session, checks);
  return checks;
}

/** Counts the checks in a row in which a session did not answer for no reason that is known, this one included. */
function countSilence(
  { silent, excused }: Seen,
  session: Session,
  weight: Weight | undefined,
  isRead: boolean,
): number {
  if (!isMute(weight)) {
    for (const counts of [silent, excused]) counts.delete(session);
    return 0;
  }
  const isExcused = isRead && count(excused, session) <= checksWhileRead;
  return isExcused ? (silent.get(session) ?? 0) : count(silent, session);
}

/** Measurements of a browser that uses too much memory; lists are in the order of its sessions. */
interface Evidence {
  readonly own: readonly Session[];
  readonly weights: readonly Weight[];
  /** Number of checks in a row without an answer. */
  readonly silentFor: readonly number[];
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
function suspectsOf({ own, weights, silentFor, sessionBytes, isPageTooLarge }: Evidence): {
  readonly suspects: readonly Session[];
  readonly isSure: boolean;
} {
  const heaviest = Math.max(...weights.map(reported));
  const least = weights.some(isMute) ? sessionBytes : sessionBytes / 4;
  const largest = own[weights.findIndex((weight) => reported(weight) === heaviest)];
  if (largest && heaviest > least) return { suspects: [largest], isSure: true };
  if (isPageTooLarge) return { suspects: own.filter((_, index) => isMute(weights[index])), isSure: false };
  // Of several the one that has been silent for longest.
  const leastChecks = isSlow(weights) ? Math.max(silentChecks, ...silentFor) : 1;
  const suspects = own.filter((_, index) => (silentFor[index] ?? 0) >= leastChecks);
  return { suspects, isSure: suspects.length === 1 };
}

/**
 * Returns whether pages may be silent because the machine is slow or the pages of their browser are paused, and not because they grow:
 * unless all others answer promptly, and there are others that answer.
 */
function isSlow(weights: readonly Weight[]): boolean {
  const times = weights.flatMap(({ tookMs }) => tookMs ?? []);
  return weights.filter(isMute).length > 1 || times.length === 0 || times.some((ms) => ms > promptMs);
}

const isMute = (weight: Weight | undefined): boolean => weight?.bytes === Infinity;
const reported = (weight: Weight | undefined): number => (weight && !isMute(weight) ? weight.bytes : 0);

/** Memory of a session as reported by its pages. */
interface Weight {
  /** The sum of their scripts, nodes and origin storage, in bytes; Infinity when one does not answer. */
  readonly bytes: number;
  /** How long they took, in milliseconds; undefined when none of them answered. */
  readonly tookMs: number | undefined;
}

/** Asks the pages of a session for their memory. */
async function weigh({ space }: Session): Promise<Weight> {
  const begunMs = performance.now();
  const origins = new Set<string>();
  const pages = await Promise.all(
    space.context.pages().map(async (page) => {
      const { origin } = URL.parse(page.url()) ?? { origin: "null" };
      const isFirst = !origins.has(origin);
      origins.add(origin);
      const weight = space.context.newCDPSession(page).then(async (devtools) => {
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
      const fallback = async (): Promise<Weight> => ({
        bytes: (await isLeaving(page)) ? 0 : Infinity,
        tookMs: undefined,
      });
      return pTimeout(
        weight.catch((): Weight => ({ bytes: 0, tookMs: undefined })),
        { milliseconds: answerMs, fallback },
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
async function isLeaving(page: Page): Promise<boolean> {
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
