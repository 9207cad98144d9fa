import pTimeout from "p-timeout";
import type { CDPSession, Page, Request } from "playwright-core";
import type { BrowserFacts } from "@cloud-browser/browsers";
import { settlesBefore } from "../async.ts";
import type { Session } from "./session.ts";

/** Memory of a browser without sessions, in bytes. */
const browserBytes = 400 * 2 ** 20;
/** Memory of a session with ordinary pages, in bytes. */
const usualBytes = 128 * 2 ** 20;
/** How often memory is looked at, in milliseconds. */
const everyMs = 5_000;
/** How long a page may take to tell its memory, in milliseconds: one that can't is the one that grows, unless another is on its way in its place. */
const answerMs = 2_000;
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
  const graceChecks = new WeakMap<Session, number>();
  const timer = setInterval(() => {
    if (busy || options.sessions().length === 0) return;
    busy = true;
    void relieve(options, graceChecks)
      .catch(() => undefined) // a browser that died meanwhile uses no memory
      .finally(() => (busy = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** @param graceChecks - At how many looks in a row sessions were let be that were too heavy. */
async function relieve(
  { browsers, sessions, sessionBytes }: MemoryWatchOptions,
  graceChecks: WeakMap<Session, number>,
): Promise<void> {
  for (const { pid, memory } of await browsers()) {
    const own = sessions().filter(({ space }) => space.browserPid === pid);
    const most = browserBytes + sessionBytes + (own.length - 1) * usualBytes;
    if (!memory || own.length === 0 || (memory.heaviestPage < sessionBytes && memory.all < most)) {
      for (const session of own) graceChecks.delete(session);
      continue;
    }
    const read = own.filter(({ isBeingRead }) => isBeingRead); // now, and maybe not when they are weighed
    const weights = await Promise.all(own.map(weigh));
    const heaviest = Math.max(...weights);
    // What pages tell is less than what they use; but memory that is just being given back is nobody's.
    const session = own[weights.indexOf(heaviest)];
    if (session === undefined || heaviest <= sessionBytes / 4) continue;
    const looks = session.isBeingRead || read.includes(session) ? (graceChecks.get(session) ?? 0) : checksWhileRead;
    graceChecks.set(session, looks + 1);
    if (looks >= checksWhileRead) await session.end("memory");
  }
}

/** Memory of the pages of a session as far as their scripts, nodes and stores tell; without an answer more than anything. */
async function weigh({ space }: Session): Promise<number> {
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
        return usedSize + backingStorageSize + nodes * bytesPerNode + stored;
      });
      const fallback = async (): Promise<number> => ((await isLeaving(page)) ? 0 : Infinity);
      return pTimeout(
        weight.catch(() => 0),
        { milliseconds: answerMs, fallback },
      );
    }),
  );
  return pages.reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the bytes in the databases, caches and files of an origin: the browser keeps all of a session's in memory. None for a page without an origin. */
async function bytesStored(devtools: CDPSession, origin: string): Promise<number> {
  return devtools.send("Storage.getUsageAndQuota", { origin }).then(
    ({ usage }) => usage,
    () => 0,
  );
}

/** Tells whether a page waits for the answer of a server to go elsewhere: so long Chromium lets nobody ask it anything. */
async function isLeaving(page: Page): Promise<boolean> {
  const asked = (await page.requests()).findLast((one) => one.isNavigationRequest() && isOfPage(one, page));
  if (!asked) return false;
  // What has its answer already tells so at once; a round through the driver is enough.
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
