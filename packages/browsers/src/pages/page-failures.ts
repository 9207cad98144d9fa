import type { BrowserContext, ConsoleMessage, Page } from "playwright-core";

/**
 * Calls back once, when a page of the session crashes.
 */
export function onPageCrash(context: BrowserContext, onCrash: () => void): void {
  const watch = (page: Page): void => void page.once("crash", onCrash);
  context.pages().forEach(watch);
  context.on("page", watch);
}

/** Most console messages of a session in a second. One second above it is tolerated, two in a row are a flood. */
const messageLimit = 3_000;
/** An uncaught error counts as so many messages: it takes so much longer to read. */
const errorWeight = 3;

/** Most late messages in a second: more come from a page that writes faster than its messages can be read. */
const lateLimit = 1_000;
/** A message is late so long after it was written, in milliseconds. */
const lateMs = 1_000;

/**
 * Calls back once, when the pages of a session flood their consoles: all messages go over the one connection to a browser that holds
 * other sessions, too, which would wait behind them.
 */
export function onConsoleFlood(context: BrowserContext, onFlood: () => void): void {
  let began = -Infinity;
  let messages = 0;
  let late = 0;
  let full = false;
  const count = (weight: number, writtenMs: number): void => {
    const now = performance.now();
    if (now - began >= 1000) {
      full = messages > messageLimit && now - began < 2000;
      began = now;
      messages = 0;
      late = 0;
    }
    messages += weight;
    if (Date.now() - writtenMs > lateMs) late += weight;
    if (late <= lateLimit && (!full || messages <= messageLimit)) return;
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
