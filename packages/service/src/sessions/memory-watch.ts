import pTimeout from "p-timeout";
import type { CDPSession, Page, Request } from "playwright-core";
import type { BrowserFacts } from "@cloud-browser/browsers";
import { settlesBefore } from "../async.ts";
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
/** Checks in a row that a session passes while this service reads it, which takes memory, too. */
const checksWhileRead = 3;

/** Options of the memory watch. */
export interface MemoryWatchOptions {
  /** The browsers that run, with their memory. */
  readonly browsers: () => Promise<readonly BrowserFacts[]>;
  /** The sessions that are open. */
  readonly sessions: () => readonly Session[];
  /** Most memory that one session may use, in bytes. */
  readonly sessionBytes: number;
}

/**
 * Ends the session that uses too much memory, so that it harms no other one: browsers are weighed as the system counts them, and
 * in one that is too heavy, or has a page that is, the session with the largest pages goes, with the reason `memory`.
 *
 * @returns A function that ends the watch.
 */
export function watchMemory(options: MemoryWatchOptions): () => void {
  let busy = false;
  const seen: Seen = { grace: new WeakMap(), silent: new WeakMap() };
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

/** What checks before this one have seen. */
interface Seen {
  /** Number of measurements in a row that found sessions over the limit and ended none. */
  readonly grace: WeakMap<Session, number>;
  /** Number of measurements in a row that a session did not answer. */
  readonly silent: WeakMap<Session, number>;
}

async function relieve(
  { browsers, sessions, sessionBytes }: MemoryWatchOptions,
  { grace, silent }: Seen,
): Promise<void> {
  for (const { pid, memory } of await browsers()) {
    const own = sessions().filter(({ space }) => space.browserPid === pid);
    const most = browserBytes + sessionBytes + (own.length - 1) * usualBytes;
    if (!memory || own.length === 0 || (memory.heaviestPage < sessionBytes && memory.all < most)) {
      for (const session of own) for (const checks of [grace, silent]) checks.delete(session);
      continue;
    }
    const read = own.filter(({ isBeingRead }) => isBeingRead); // now, and maybe not when they are weighed
    const weights = judged(own, await Promise.all(own.map(weigh)), silent);
    const heaviest = Math.max(...weights.map((bytes) => bytes ?? 0));
    // Pages report less than they use, but memory that is being freed belongs to none. While one of them may be the one
    // that grows and does not respond, another one is only ended if it is over the limit alone.
    const session = own[weights.indexOf(heaviest)];
    const least = weights.includes(undefined) ? sessionBytes : sessionBytes / 4;
    if (session === undefined || heaviest <= least) continue;
    const looks = session.isBeingRead || read.includes(session) ? (grace.get(session) ?? 0) : checksWhileRead;
    grace.set(session, looks + 1);
    if (looks >= checksWhileRead) await session.end("memory");
  }
}

/**
 * Tells apart who does not answer because it grows, and who does not because the machine is slow or the pages of its browser are paused.
 *
 * @returns Bytes of each: Infinity when it alone says nothing where all others answer promptly, or for several checks in a row;
 * undefined when that is not known yet.
 */
function judged(own: readonly Session[], weights: readonly Weight[], silent: Seen["silent"]): (number | undefined)[] {
  const mute = weights.filter(({ bytes }) => bytes === Infinity).length;
  const isMachineSlow = mute > 1 || weights.some(({ bytes, tookMs }) => bytes !== Infinity && tookMs > promptMs);
  const checks = weights.map(({ bytes }, index) => {
    const session = own[index];
    const count = session && bytes === Infinity ? (silent.get(session) ?? 0) + 1 : 0;
    if (session) silent.set(session, count);
    return count;
  });
  // Of several the one that has been silent for longest.
  const least = isMachineSlow ? Math.max(silentChecks, ...checks) : 1;
  return weights.map(({ bytes }, index) => (bytes === Infinity && (checks[index] ?? 0) < least ? undefined : bytes));
}

/** Memory of a session as reported by its pages. */
interface Weight {
  /** The sum of their scripts, nodes and origin storage, in bytes; Infinity when one does not answer. */
  readonly bytes: number;
  /** How long they took, in milliseconds. */
  readonly tookMs: number;
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
      const fallback = async (): Promise<Weight> => ({ bytes: (await isLeaving(page)) ? 0 : Infinity, tookMs: 0 });
      return pTimeout(
        weight.catch((): Weight => ({ bytes: 0, tookMs: 0 })),
        { milliseconds: answerMs, fallback },
      );
    }),
  );
  return {
    bytes: pages.reduce((sum, { bytes }) => sum + bytes, 0),
    tookMs: Math.max(0, ...pages.map(({ tookMs }) => tookMs)),
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
