import type { BrowserContext, Page } from "playwright-core";
import type { PageEventListener } from "../acts/page-event.ts";
import type { OpenChannel } from "../devtools/devtools-channel.ts";
import type { DownloadListener } from "./context-downloads.ts";

/** Options of a browser context. */
export interface ContextOptions {
  /** Size of the pages, in CSS pixels. Default: 1280 x 720. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Language of the pages, as BCP 47 (`en-GB`). Default: `en-US`. */
  readonly locale?: string;
  /** URL of the proxy for its traffic, on loopback. Default: that of its browser. */
  readonly proxyServer?: string;
}

/**
 * An isolated browser context with its own pages, cookies and storage.
 * Shares its Chromium with other contexts.
 */
export interface PooledContext {
  /** Playwright context. Has no page at first. */
  readonly context: BrowserContext;
  /** Id of the context in the DevTools protocol. */
  readonly contextId: string;
  /** Id of the main process of its browser; equal for contexts that share one. */
  readonly browserPid: number;
  /** Opens a channel to the DevTools of the whole browser. It gives access to every context: never expose it. */
  readonly openChannel: OpenChannel;
  /** Resolves when its pages exceed the rate limit of the shared connection; from then on their events are dropped. */
  readonly flooded: Promise<void>;
  /** Names and ids of the password fields that its pages have had so far. */
  readonly passwordFields: ReadonlySet<string>;
  /**
   * Reports the events on its pages from now on: tabs, addresses, dialogs, downloads, acts of anyone, and console messages. Has one
   * listener, which may not throw. Call it before the first page is opened.
   */
  watchPages(listener: PageEventListener): void;
  /**
   * Opens a page. Unlike that of its `context` this ends in bounded time when the browser can't.
   *
   * @param prepare - What is asked of the browser before; its time counts, and its errors are thrown.
   * @throws {BrowserError} `page-failed` if the browser crashed, hangs, or takes too long; later contexts are opened in another one then.
   */
  newPage(prepare: () => Promise<unknown>): Promise<Page>;
  /** Must be called when a page could not be opened: its browser gets no further contexts before it has opened one, and is killed if it can't. */
  suspectBrowser(): void;
  /** Resolves once, when the context can't be used any more: it was closed, or its browser crashed. */
  readonly lost: Promise<"closed" | "crashed">;
  /**
   * Changes the locale of its pages, as scripts read it (`Intl`, dates, numbers).
   *
   * @param locale - As BCP 47. Undefined restores the one that it was opened with.
   * @returns The error message of the browser, or undefined.
   */
  setLocale(locale: string | undefined): Promise<string | undefined>;
  /**
   * Keeps the downloads of its pages in a folder from now on, each in a file named as its guid. Without this each is canceled.
   *
   * @throws {BrowserError} `page-failed` if the browser crashed or hangs.
   */
  acceptDownloads(folder: string, listener: DownloadListener): Promise<void>;
  /** Cancels a download, and removes what there is of its file. */
  cancelDownload(guid: string): void;
  /**
   * Must be called when CDP sessions of another connection with its pages have ended: each resets the override that hides security keys.
   */
  blockSecurityKeys(): void;
  /** Closes its pages and deletes its cookies and files. Resolves when that is done. Can be called again. */
  close(): Promise<void>;
}
