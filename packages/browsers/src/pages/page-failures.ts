import type { BrowserContext, ConsoleMessage, Page } from "playwright-core";

/**
 * Calls back once, when a page of the session crashes.
 *
 * @example
 * ```ts from=examples/api/browsers/on-page-crash.ts
 * import { BrowserPool, onPageCrash } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const { promise: crashed, resolve } = Promise.withResolvers<string>();
 * onPageCrash(context, () => resolve("crashed"));
 * const page = await context.newPage();
 * void page.goto("chrome://crash").catch(() => undefined);
 * console.log(await crashed); // crashed
 * await pool.close();
 * ```
 */
export function onPageCrash(context: BrowserContext, onCrash: () => void): void {
  const addListener = (page: Page): void => void page.once("crash", onCrash);
  context.pages().forEach(addListener);
  context.on("page", addListener);
}

/** Limit of console messages per second. One second over the limit is tolerated, two in a row are a flood. */
const messageLimit = 3_000;
/** Messages that an uncaught error counts as: it takes longer to read. */
const errorWeight = 3;

/** Limit of messages of one second that are read late: more are written faster than they can be read. */
const lateLimit = 1_000;
/** Delay after which a message counts as late, in milliseconds. */
const lateMs = 1_000;

/** Most seconds that are counted at a time. */
const maxSeconds = 100;

/**
 * Calls back once, when the pages of a session flood their consoles: all messages use the one connection of a browser, and those of its
 * other sessions would wait. Counts by the time of writing: on a slow machine, and while another session
 * floods, what a page has written in a minute may be read in a moment.
 */
export function onConsoleFlood(context: BrowserContext, onFlood: () => void): void {
  /** Messages written in each second, and how many of them were read late. */
  const seconds = new Map<number, { messages: number; late: number }>();
  const count = (weight: number, writtenMs: number): void => {
    const second = Math.floor(writtenMs / 1000);
    const written = seconds.get(second) ?? { messages: 0, late: 0 };
    seconds.set(second, written);
    const [oldest] = seconds.size > maxSeconds ? seconds.keys() : [];
    if (oldest !== undefined) seconds.delete(oldest);
    written.messages += weight;
    // oxlint-disable-next-line no-restricted-properties -- the browser gives the time of day
    if (Date.now() - writtenMs > lateMs) written.late += weight;
    const isOverLimit = (one = second): boolean => (seconds.get(one)?.messages ?? 0) > messageLimit;
    if (written.late <= lateLimit && !(isOverLimit() && (isOverLimit(second - 1) || isOverLimit(second + 1)))) return;
    context.off("console", onMessage);
    context.off("weberror", onError);
    onFlood();
  };
  const onMessage = (message: ConsoleMessage): void => count(1, message.timestamp());
  // The driver does not report when an error was thrown.
  // oxlint-disable-next-line no-restricted-properties -- counted beside the times of the browser
  const onError = (): void => count(errorWeight, Date.now());
  context.on("console", onMessage);
  context.on("weberror", onError);
}
