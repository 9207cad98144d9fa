import type { BrowserContext, ConsoleMessage, Page } from "playwright-core";

/**
 * Calls back once, when a page of the session crashes.
 */
export function onPageCrash(context: BrowserContext, onCrash: () => void): void {
  const watch = (page: Page): void => void page.once("crash", onCrash);
  context.pages().forEach(watch);
  context.on("page", watch);
}

/** Most console messages that a session writes in a second. One second above it is tolerated, two in a row are a flood. */
const messageLimit = 3_000;
/** An uncaught error counts as so many messages: it takes so much longer to read. */
const errorWeight = 3;

/** Most messages of one second that are read late: more come from a page that writes faster than its messages can be read. */
const lateLimit = 1_000;
/** A message is late so long after it was written, in milliseconds. */
const lateMs = 1_000;

/** Most seconds that are counted at a time: what is read was written in few of them. */
const mostSeconds = 100;

/**
 * Calls back once, when the pages of a session flood their consoles: all messages go over the one connection to a browser that holds
 * other sessions, too, which would wait behind them. It counts when they were written: on a slow machine, and while another session
 * floods, what a page has written in a minute may be read in a moment.
 */
export function onConsoleFlood(context: BrowserContext, onFlood: () => void): void {
  /** By second: what was written in it, and how much of that was read late. */
  const seconds = new Map<number, { messages: number; late: number }>();
  const count = (weight: number, writtenMs: number): void => {
    const second = Math.floor(writtenMs / 1000);
    const written = seconds.get(second) ?? { messages: 0, late: 0 };
    seconds.set(second, written);
    const [oldest] = seconds.size > mostSeconds ? seconds.keys() : [];
    if (oldest !== undefined) seconds.delete(oldest);
    written.messages += weight;
    if (Date.now() - writtenMs > lateMs) written.late += weight;
    const isFull = (one = second): boolean => (seconds.get(one)?.messages ?? 0) > messageLimit;
    if (written.late <= lateLimit && !(isFull() && (isFull(second - 1) || isFull(second + 1)))) return;
    context.off("console", onMessage);
    context.off("weberror", onError);
    onFlood();
  };
  const onMessage = (message: ConsoleMessage): void => count(1, message.timestamp());
  // The driver does not tell when an error was thrown.
  const onError = (): void => count(errorWeight, Date.now());
  context.on("console", onMessage);
  context.on("weberror", onError);
}
