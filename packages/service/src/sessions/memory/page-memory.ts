import pTimeout from "p-timeout";
import type { BrowserContext, Page, Request } from "playwright-core";
import { settlesBefore } from "../../async.ts";
import type { Session } from "../session.ts";

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
export const countReported = (measurement: Measurement | undefined): number =>
  measurement && !isUnresponsive(measurement) ? measurement.bytes : 0;

/** Measures a session: asks its pages, and the browser for its stores. What workers, canvases, sounds and texts use is not in it. */
export async function measure({ pooledContext: { context }, seenOrigins }: Session): Promise<Measurement> {
  const [stored, ...pages] = await Promise.all([
    measureStores(context, [...seenOrigins]),
    ...context.pages().map(measurePage),
  ]);
  const times = pages.flatMap(({ tookMs }) => tookMs ?? []);
  return {
    bytes: pages.reduce((sum, { bytes }) => sum + bytes, stored),
    tookMs: times.length > 0 ? Math.max(...times) : undefined,
  };
}

/** Asks a page for its memory. */
async function measurePage(page: Page): Promise<Measurement> {
  const begunMs = performance.now();
  const measurement = page
    .context()
    .newCDPSession(page)
    .then(async (devtools) => {
      const [{ usedSize, backingStorageSize }, { nodes }] = await Promise.all([
        devtools.send("Runtime.getHeapUsage"),
        devtools.send("Memory.getDOMCounters"),
      ]);
      await devtools.detach();
      return { bytes: usedSize + backingStorageSize + nodes * bytesPerNode, tookMs: performance.now() - begunMs };
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
}

/** Returns the bytes in the databases, caches and files of origins: the browser keeps all of a session's in memory. 0 when it does not tell in time. */
async function measureStores(context: BrowserContext, origins: readonly string[]): Promise<number> {
  const [page] = context.pages();
  if (!page) return 0;
  const measurement = context.newCDPSession(page).then(async (devtools) => {
    const usages = await Promise.all(
      origins.map((origin) =>
        devtools.send("Storage.getUsageAndQuota", { origin }).then(
          ({ usage }) => usage,
          () => 0,
        ),
      ),
    );
    await devtools.detach();
    return usages.reduce((sum, usage) => sum + usage, 0);
  });
  return pTimeout(
    measurement.catch(() => 0),
    { milliseconds: responseTimeoutMs, fallback: () => 0 },
  );
}

/** Returns whether a page is navigating and waits for the response: Chromium answers no commands meanwhile. */
async function isNavigating(page: Page): Promise<boolean> {
  const navigation = (await page.requests()).findLast((one) => one.isNavigationRequest() && isOfPage(one, page));
  if (!navigation) return false;
  // One round trip through the driver is enough for pages that have answered.
  return !(await settlesBefore(navigation.response(), page.requests()));
}

function isOfPage(request: Request, page: Page): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // Its frame is yet to come: it is that of a page that is being opened.
    return true;
  }
}
