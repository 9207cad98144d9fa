import type { Page } from "playwright-core";
import { awaitWithin } from "../async.ts";

/** Longest wait for a page to respond, in milliseconds. */
const timeoutMs = 1000;

/** Returns what tells the document of a page from others; undefined when it does not respond. */
export async function identifyDocument(page: Page): Promise<string | undefined> {
  return awaitWithin(
    timeoutMs,
    page.evaluate(() => `${performance.timeOrigin}`),
  );
}
