import type { BrowserContext, Dialog } from "playwright-core";

/** Most pages of a session at a time; a page beyond the limit is closed at once. */
export const pageLimit = 20;

/** Time for which a client that drives the session may leave a dialog open, in milliseconds. */
const dialogTimeoutMs = 10_000;

/**
 * Installs handlers for an unattended browser, so that pages neither block nor multiply.
 *
 * Dialogs are dismissed (`beforeunload` is accepted): at once, or after ten seconds when a client drives the session and may answer
 * itself. Pop-ups become pages of the session, up to {@link pageLimit}. Does not deal with downloads: the browser context refuses them.
 *
 * @param isDriven - Returns true while a client drives the session.
 *
 * @example
 * ```ts from=examples/api/browsers/install-page-policy.ts
 * import { BrowserPool, installPagePolicy } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * installPagePolicy(context, () => false); // nobody drives the session: dialogs are dismissed at once
 * const page = await context.newPage();
 * console.log(await page.evaluate(() => confirm("Really?"))); // false
 * await pool.close();
 * ```
 */
export function installPagePolicy(context: BrowserContext, isDriven: () => boolean): void {
  context.on("dialog", (dialog) => {
    if (!isDriven()) return void answer(dialog);
    setTimeout(() => void answer(dialog), dialogTimeoutMs).unref();
  });
  context.on("page", (page) => {
    if (context.pages().length > pageLimit) page.close().catch(ignore);
  });
}

/** Accepts a `beforeunload` dialog, dismisses any other one. */
async function answer(dialog: Dialog): Promise<void> {
  await (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()).catch(ignore);
}

/** Ignores that the page or its dialog was closed already. */
function ignore(): void {}
