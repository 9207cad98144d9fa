import type { BrowserContext, ConsoleMessage, Dialog, Page } from "playwright-core";

/** Most pages that a session has at a time; the one beyond is closed at once. */
export const pageLimit = 20;

/** How long a client that drives the session may leave a dialog open, in milliseconds. */
const dialogPatienceMs = 10_000;

/**
 * Keeps pages from standing still or multiplying without end: nobody sits in front of this browser.
 *
 * A dialog is dismissed (a question whether to leave a page is answered with yes), at once unless a client drives the session:
 * that one has some seconds for it. Pop-ups are pages of the session up to a limit. Downloads are refused by the space.
 *
 * @param isDriven - Whether a client drives the session now.
 */
export function keepManners(context: BrowserContext, isDriven: () => boolean): void {
  context.on("dialog", (dialog) => {
    if (!isDriven()) return void answer(dialog);
    setTimeout(() => void answer(dialog), dialogPatienceMs).unref();
  });
  context.on("page", (page) => {
    if (context.pages().length > pageLimit) page.close().catch(ignore);
  });
}

/**
 * Tells once when a page of the session crashes.
 */
export function onPageCrash(context: BrowserContext, crashed: () => void): void {
  const watch = (page: Page): void => void page.once("crash", crashed);
  context.pages().forEach(watch);
  context.on("page", watch);
}

/** Most messages that the pages of a session write to their consoles in a second; a second beyond it may pass, two in a row not. */
const messageLimit = 3_000;
/** For how many messages an error counts that nobody caught: so much longer it takes to read. */
const errorWeight = 3;

/** Most messages in a second that were written long before: by a page that writes faster than can be read. */
const lateLimit = 1_000;
/** How long before, in milliseconds. */
const lateMs = 1_000;

/**
 * Tells once when the pages of a session flood their consoles: every message goes over the one connection to a browser that holds
 * other sessions, too, and those would wait behind them.
 */
export function onConsoleFlood(context: BrowserContext, flooded: () => void): void {
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
    flooded();
  };
  const onMessage = (message: ConsoleMessage): void => count(1, message.timestamp());
  // When an error was thrown is not told.
  const onError = (): void => count(errorWeight, Date.now());
  context.on("console", onMessage);
  context.on("weberror", onError);
}

async function answer(dialog: Dialog): Promise<void> {
  await (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()).catch(ignore);
}

/** The page or its dialog was gone already. */
function ignore(): void {}
