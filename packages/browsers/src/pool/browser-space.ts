import type { BrowserContext } from "playwright-core";
import type { OpenChannel } from "../devtools/devtools-channel.ts";

/** Options of a browser context. */
export interface SpaceOptions {
  /** Size of the pages, in CSS pixels. Default: 1280 x 720. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Language of the pages, as BCP 47 (`en-GB`). Default: `en-US`. */
  readonly locale?: string;
}

/**
 * A browser of one's own, as far as anybody can tell: pages, cookies and storage that nothing else shares.
 * In truth one browser context of a Chromium that holds several.
 */
export interface BrowserSpace {
  /** Drives it. Has no page at first. */
  readonly context: BrowserContext;
  /** Id of the context in the DevTools protocol. */
  readonly contextId: string;
  /** Id of the main process of its browser, by which spaces are known that share one. */
  readonly browserPid: number;
  /** Opens a channel to the DevTools of the whole browser. Whoever has one has every space: none leaves this process. */
  readonly openChannel: OpenChannel;
  /** Resolves when its pages send more than one connection to a browser can carry for all; from then on nothing that they send is heard. */
  readonly flooded: Promise<void>;
  /** Names and ids of the password fields that its pages have had so far. */
  readonly passwordFields: ReadonlySet<string>;
  /** Settles once, when the space can't be used any more, because it was closed or because its browser died. */
  readonly lost: Promise<"closed" | "crashed">;
  /**
   * Changes the language of its pages, as scripts read it (`Intl`, dates, numbers).
   *
   * @param locale - As BCP 47. Undefined: the one that it was opened with.
   * @returns What the browser has against it, or undefined.
   */
  setLocale(locale: string | undefined): Promise<string | undefined>;
  /** Has to be called when sessions that another connection had with its pages have ended: what keeps pages from security keys ends with each. */
  keepFromSecurityKeys(): void;
  /** Closes its pages and forgets its cookies and files. Resolves when nothing is left; a second call changes nothing. */
  close(): Promise<void>;
}
