import { join } from "node:path";
import { chromium, type Browser, type CDPSession } from "playwright-core";
import { type PageWatch, watchPages } from "../acts/page-watch.ts";
import type { ChromiumProcess } from "../chromium/chromium-process.ts";
import { DriverMessages } from "../devtools/driver-messages.ts";
import { cancelEverywhere, watchDownloads, type DownloadWatch } from "./context-downloads.ts";
import { delayPageLoads } from "./delayed-page-load.ts";
import { watchLocales, type Locales } from "./locales.ts";
import { watchPasswordFields, type PasswordFieldWatch } from "./password-fields.ts";
import { blockSecurityKeys, type SecurityKeyBlock } from "./security-keys.ts";

/** Driver of a browser, and what changes and watches the messages between both. */
export interface DriverConnection {
  /** The browser, as the driver sees it. */
  readonly browser: Browser;
  /** DevTools of the whole browser. */
  readonly devtools: CDPSession;
  /** Hides security keys from a context once more. */
  readonly blockSecurityKeys: SecurityKeyBlock["renew"];
  /** Changes the locale of a context's pages; undefined restores that it was opened with. Returns the browser's error message. */
  readonly setLocale: Locales["setLocale"];
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
  const messages = new DriverMessages(pipe.driver);
  // First: a page waits for the commands of those after it, too.
  delayPageLoads(messages, (targetId) => pipe.collectHolds(targetId));
  const { setLocale } = watchLocales(messages);
  const { renew } = blockSecurityKeys(messages);
  const passwordFields = watchPasswordFields(messages);
  // Contexts come later than the session that cancels.
  const downloads = watchDownloads(messages, (guid) => cancelEverywhere(devtools, guid));
  const pageWatch = watchPages(messages);
  const browser = await chromium.connectOverCDP(messages.transport, {
    artifactsDir: join(folder, "artifacts"),
    isLocal: true,
    noDefaults: true,
    timeout,
  });
  const devtools = await browser.newBrowserCDPSession();
  return { browser, devtools, blockSecurityKeys: renew, setLocale, passwordFields, downloads, pageWatch };
}
