import { join } from "node:path";
import { chromium, type Browser, type CDPSession } from "playwright-core";
import { type PageWatch, watchPages } from "../acts/page-watch.ts";
import type { ChromiumProcess } from "../chromium/chromium-process.ts";
import { cancelEverywhere, watchDownloads, type DownloadWatch } from "./context-downloads.ts";
import { withDelayedPageLoad } from "./delayed-page-load.ts";
import { withLocales, type LocaleConnection } from "./locales.ts";
import { watchPasswordFields, type PasswordFieldWatch } from "./password-fields.ts";
import { withoutSecurityKeys, type KeylessConnection } from "./security-keys.ts";

/** Driver of a browser, and what changes and watches the messages between both. */
export interface DriverConnection {
  /** The browser, as the driver sees it. */
  readonly browser: Browser;
  /** DevTools of the whole browser. */
  readonly devtools: CDPSession;
  /** Hides security keys from a context once more. */
  readonly blockSecurityKeys: KeylessConnection["renew"];
  /** Changes the locale of a context's pages; undefined restores that it was opened with. Returns the browser's error message. */
  readonly setLocale: LocaleConnection["setLocale"];
  /** Names of the password fields of its pages. */
  readonly passwordFields: PasswordFieldWatch;
  /** Downloads of its contexts. */
  readonly downloads: DownloadWatch;
  /** Reports the events on its pages. */
  readonly pageWatch: PageWatch;
}

/**
 * Connects the driver to a Chromium that has started.
 *
 * @param timeout - In milliseconds.
 * @throws {Error} When Chromium does not respond in time.
 */
export async function connectDriver(
  { devtools: pipe, folder }: ChromiumProcess,
  timeout: number,
): Promise<DriverConnection> {
  const locales = withLocales(withDelayedPageLoad(pipe.driver, (targetId) => pipe.collectHolds(targetId)));
  const { transport: keyless, renew: blockSecurityKeys } = withoutSecurityKeys(locales.transport);
  const passwordFields = watchPasswordFields(keyless);
  // Contexts come later than the session that cancels.
  const downloads = watchDownloads(passwordFields.transport, (guid) => cancelEverywhere(devtools, guid));
  const pageWatch = watchPages(downloads.transport);
  const browser = await chromium.connectOverCDP(pageWatch.transport, {
    artifactsDir: join(folder, "artifacts"),
    isLocal: true,
    noDefaults: true,
    timeout,
  });
  const devtools = await browser.newBrowserCDPSession();
  return { browser, devtools, blockSecurityKeys, setLocale: locales.setLocale, passwordFields, downloads, pageWatch };
}
