import pTimeout from "p-timeout";
import type { CDPSession, Page, Request } from "playwright-core";
import { settlesBefore } from "../async.ts";
import type { Session } from "./session.ts";

/** Timeout of a page that is asked for its memory, in milliseconds: one that does not respond may be the one that grows, unless it is navigating. */
const responseTimeoutMs = 2_000;
/** Rough memory of one DOM node with its style and layout, in bytes. */
const bytesPerNode = 600;

/** Memory of a session as reported by its pages. */
export interface Measurement {
  /** The sum of their scripts, nodes and origin storage, in bytes; Infinity when one does not answer. */
  readonly bytes: number;
  /** How long they took, in milliseconds; undefined when none of them answered. */
  readonly tookMs: number | undefined;
}

/** Returns whether a page of the session did not answer in time. */
export const isUnresponsive = (measurement: Measurement | undefined): boolean => measurement?.bytes === Infinity;
/** Returns the bytes that the pages of a session report; 0 when one did not answer. */
export const reported = (measurement: Measurement | undefined): number =>
  measurement && !isUnresponsive(measurement) ? measurement.bytes : 0;

/** Asks the pages of a session for their memory. What workers, canvases, sounds and texts use is not in it. */
export async function measure({ pooledContext: pooled }: Session): Promise<Measurement> {
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
