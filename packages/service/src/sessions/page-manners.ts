import type { BrowserContext, Dialog, Page } from "playwright-core";

/** Most pages that a session has at a time; the one beyond is closed at once. Source: ours. */
export const pageLimit = 20;

/** How long a client that drives the session may leave a dialog open, in milliseconds. */
const dialogPatienceMs = 10_000;

/**
 * Keeps pages from standing still or multiplying without end: nobody sits in front of this browser.
 *
 * A dialog is dismissed (a question whether to leave a page is answered with yes), at once unless a client drives the session:
 * that one has some seconds for it. Pop-ups are pages of the session up to a limit. Downloads are refused by the space.
 *
 * Source: ours.
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
 *
 * Source: ours.
 */
export function onPageCrash(context: BrowserContext, crashed: () => void): void {
  const watch = (page: Page): void => void page.once("crash", crashed);
  context.pages().forEach(watch);
  context.on("page", watch);
}

/** Most messages that the pages of a session write to their consoles in a second; a second beyond it may pass, two in a row not. */
const messageLimit = 3_000;

/**
 * Tells once when the pages of a session flood their consoles: every message goes over the one connection to a browser that holds
 * other sessions, too, and those would wait behind them.
 *
 * Source: ours.
 */
export function onConsoleFlood(context: BrowserContext, flooded: () => void): void {
  let second = 0;
  let messages = 0;
  let full = false;
  const count = (): void => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      full = messages > messageLimit && now === second + 1;
      second = now;
      messages = 0;
    }
    messages++;
    if (!full || messages <= messageLimit) return;
    context.off("console", count);
    flooded();
  };
  context.on("console", count);
}

async function answer(dialog: Dialog): Promise<void> {
  await (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()).catch(ignore);
}

/** The page or its dialog was gone already. */
function ignore(): void {}
