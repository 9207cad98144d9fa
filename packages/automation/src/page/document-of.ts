import type { Page } from "playwright-core";
import { awaitWithin } from "../async.ts";

/** Longest wait for a page to respond, in milliseconds. */
const timeoutMs = 5000;

/** Returns an identifier of the current document of a page; undefined when the page does not respond. */
export async function identifyDocument(page: Page): Promise<string | undefined> {
  return awaitWithin(
    timeoutMs,
    page.evaluate(() => `${performance.timeOrigin}`),
  );
}
