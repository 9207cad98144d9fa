import pTimeout from "p-timeout";
import type { PageCache } from "./scraped-page.ts";

/** Request types by which applications fetch their data. */
const dataTypes = new Set(["fetch", "xhr"]);
/** Maximum number of requests that are waited for at a time. */
const maxRequests = 20;

/**
 * Waits for the responses to data requests of a page.
 *
 * @returns Whether there was anything to wait for.
 */
export async function awaitPageData({ page, unanswered }: PageCache, maxMs: number): Promise<boolean> {
  const dataRequests = (await page.requests()).filter(
    (one) => dataTypes.has(one.resourceType()) && !unanswered.has(one),
  );
  const pending = new Set(dataRequests.slice(-maxRequests));
  const answers = Array.from(pending, async (one) => {
    await one.response().catch(() => null);
    pending.delete(one);
  });
  // What has its answer already tells so at once; a round through the driver is enough.
  await Promise.race([Promise.all(answers), page.requests()]);
  if (pending.size === 0) return false;
  await pTimeout(Promise.all(answers), { milliseconds: maxMs, fallback: () => undefined });
  for (const one of pending) unanswered.add(one);
  return true;
}
