/**
 * Part of a frame that contains an element, identified by role and name, by role and a text in it, or by the name of a field of its form.
 */
export type RecordedScope =
  | { readonly role: string; readonly name: string }
  | { readonly role: string; readonly text: string }
  | { readonly field: string };

/** A property by which an element was unique in its frame, or in a part of it. */
export interface RecordedKey {
  /** `role`: its role with this name, which is empty where it was the only one of its role; `testid`: `data-testid`; `text`: its whole text. */
  readonly by: "role" | "label" | "placeholder" | "alt" | "title" | "testid" | "name" | "id" | "text" | "file-input";
  readonly value: string;
  /** The part of the frame in which the property is unique. Default: the whole frame. */
  readonly within?: RecordedScope;
}

/** Reason why an element can't be found again reliably. */
export type RecordedObstacle =
  | "ambiguous"
  | "unnamed"
  | "canvas"
  | "closed-shadow-root"
  | "cross-origin-frame"
  | "ambiguous-frame"
  | "secret-key"
  | "rich-text"
  | "large-page";

/** The element of an act, and how it is found again. */
export interface RecordedTarget {
  /** Its role; null without one. */
  readonly role: string | null;
  /** Its accessible name, or its text; empty without one. */
  readonly name: string;
  /** How it is found again; undefined when that was not recorded. */
  readonly place?: {
    /** The frames that it is in, the outermost first. Default: none. */
    readonly frames?: readonly {
      readonly by: "only" | "title" | "aria-label" | "name" | "id";
      readonly value: string;
    }[];
    readonly keys: readonly RecordedKey[];
    readonly obstacle?: RecordedObstacle;
  };
}

/** An address without the values of its query. */
export interface RecordedAddress {
  /** The address without its query. */
  readonly url: string;
  /** Names of its query parameters. Default: none. */
  readonly parameters?: readonly string[];
  /** True when more of the address is unknown than the values of its query. Default: false. */
  readonly isPartial?: boolean;
}

/** An act on a page. */
export interface RecordedAct {
  readonly act: "click" | "fill" | "select" | "check" | "upload" | "press" | "scroll" | "drag";
  /** The element; null for the page. */
  readonly target: RecordedTarget | null;
  /** Value of the field after the act; null when it was withheld. */
  readonly value?: string | null;
  /** True when the value was cut. Default: false. */
  readonly isPartial?: boolean;
  /** True when the page closed before the typing ended. Default: false. */
  readonly isUnfinished?: boolean;
  readonly checked?: boolean;
  /** The key, such as `Control+a`; null for characters typed outside of a field. */
  readonly key?: string | null;
  /** Number of clicks, files, options or characters. */
  readonly count?: number;
  /** The button, unless it is the left one. */
  readonly button?: string;
  /** Modifier keys, such as `Control+Shift`. */
  readonly modifiers?: string;
  /** Scroll position after the act, in CSS pixels. */
  readonly to?: { readonly x: number; readonly y: number };
  /** Number of acts before it that were not recorded. Default: 0. */
  readonly dropped?: number;
}

/** Actor of an entry. */
export type RecordedActor = "run" | "client" | "person" | "page" | "service";

/** An entry of the timeline of a session, as functions are made of it. */
export type RecordedEntry = {
  /** Its number, 1 for the first. */
  readonly seq: number;
  /** Time since the creation of the session, in milliseconds. */
  readonly atMs: number;
  readonly by: RecordedActor;
  /** Number of the tab; 0 for an entry without one. */
  readonly tab: number;
} & (
  | ({ readonly kind: "act" } & RecordedAct)
  | {
      readonly kind: "navigation";
      readonly address: RecordedAddress;
      readonly sameDocument: boolean;
      /** How it was requested, when not by an act on the page. */
      readonly via?: "address" | "back" | "forward" | "reload" | "history" | undefined;
      /** The requested address, when a redirect led to another one. */
      readonly requested?: RecordedAddress | undefined;
    }
  | {
      readonly kind: "tab-opened";
      /** Number of the tab whose page has opened it. */ readonly opener?: number | undefined;
    }
  | {
      readonly kind: "tab-closed";
      /** True when a person or a program closed it; false when its page did. */ readonly isAsked: boolean;
    }
  | {
      readonly kind: "dialog";
      readonly type: string;
      /** Its whole message; null when only a part was recorded. */
      readonly message: string | null;
    }
  | { readonly kind: "dialog-closed"; readonly accepted: boolean }
  /** A step of a run; `isOpening` when it opened a page. */
  | { readonly kind: "run-step"; readonly isOpening: boolean }
  /** Entries were left out. */
  | { readonly kind: "gap"; readonly count: number }
  /** The end of the session; `isLost` when its service or browser died: the last entries may be missing. */
  | { readonly kind: "end"; readonly isLost: boolean }
  /** An entry without effect on a function. */
  | { readonly kind: "other" }
);
