import type { PageAct } from "./act.ts";

/** Event on a page of a session. `tab` is the number of the page, from 1. */
export type PageEvent =
  /** `opener` is the number of the tab whose page has opened it; undefined for one that no page has opened. */
  | { readonly kind: "tab-opened"; readonly tab: number; readonly opener?: number }
  | { readonly kind: "tab-closed"; readonly tab: number }
  /** The browser goes for another document, for whatever reason; a `navigation` follows when it has begun to come. */
  | {
      readonly kind: "navigation-started";
      readonly tab: number;
      /** Its address, as it is. */
      readonly url: string;
      /** As `Page.frameStartedNavigating` of CDP has it: `reload`, `historyDifferentDocument`, `differentDocument` and others. */
      readonly type: string;
    }
  | {
      readonly kind: "navigation";
      readonly tab: number;
      /** Its URL, unredacted: with its query, which may be secret. */
      readonly url: string;
      /** True when the document stayed: only its address changed. */
      readonly sameDocument: boolean;
      /** True when a script of the page has changed the address of the document that stays. */
      readonly byScript?: boolean;
    }
  | {
      readonly kind: "dialog";
      readonly tab: number;
      readonly type: string;
      readonly message: string;
      readonly isCut: boolean;
    }
  | { readonly kind: "dialog-closed"; readonly tab: number; readonly accepted: boolean }
  | { readonly kind: "download"; readonly tab: number; readonly url: string; readonly fileName: string }
  | { readonly kind: "act"; readonly tab: number; readonly act: PageAct }
  | {
      readonly kind: "console";
      readonly tab: number;
      /** `log`, `info`, `warning`, `error`, `debug`, and others that pages use. */
      readonly level: string;
      /** Text of the message, at most 2,000 characters. */
      readonly text: string;
      /** Address of the script; empty when it is unknown. */
      readonly url: string;
      /** Line in it, from 1; 0 when it is unknown. */
      readonly line: number;
    }
  | {
      readonly kind: "failed-request";
      readonly tab: number;
      readonly url: string;
      /** Status of the answer; null when there was none. */
      readonly status: number | null;
      /** Error of the network, as `net::ERR_FAILED`; null when there was an answer. */
      readonly error: string | null;
    };

/** Listener of the events on the pages of a context. */
export type PageEventListener = (event: PageEvent) => void;
