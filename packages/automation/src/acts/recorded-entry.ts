/** Where in its frame an element was: in a part of the page that a name, a text in it, or one of its fields tells from others. */
export type RecordedScope =
  | { readonly role: string; readonly name: string }
  | { readonly role: string; readonly text: string }
  | { readonly field: string };

/** Something that an element, and no other one of its frame, had. */
export interface RecordedKey {
  /** `role`: its role with this name, which is empty where it was the only one of its role; `testid`: `data-testid`; `text`: its whole text. */
  readonly by: "role" | "label" | "placeholder" | "alt" | "title" | "testid" | "name" | "id" | "text" | "file-input";
  readonly value: string;
  /** The part of the page in which nothing else had it. Default: the whole frame. */
  readonly within?: RecordedScope;
}

/** Why it can't be said for sure how an element is found again. */
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

/** An element that something was done to, and how it is found again. */
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

/** What is known of an address: never what its query holds. */
export interface RecordedAddress {
  /** The address without its query. */
  readonly url: string;
  /** Names of the values in its query. Default: it has none. */
  readonly parameters?: readonly string[];
  /** True when more than these values is unknown. Default: false. */
  readonly isPartial?: boolean;
}

/** An act on a page. */
export interface RecordedAct {
  readonly act: "click" | "fill" | "select" | "check" | "upload" | "press" | "scroll" | "drag";
  /** What it was done to; null for the page. */
  readonly target: RecordedTarget | null;
  /** What the field holds; null where that was withheld. */
  readonly value?: string | null;
  /** True when the value lacks something. Default: false. */
  readonly isPartial?: boolean;
  /** True when the end of the typing was not seen. Default: false. */
  readonly isUnfinished?: boolean;
  readonly checked?: boolean;
  /** The key, as `Control+a`; null for characters that went into no field. */
  readonly key?: string | null;
  /** How many clicks, files, options or characters. */
  readonly count?: number;
  /** The button, unless it is the left one. */
  readonly button?: string;
  /** Keys that were held. */
  readonly modifiers?: string;
  /** How far it is scrolled. */
  readonly to?: { readonly x: number; readonly y: number };
  /** How many acts before it were left out. Default: none. */
  readonly dropped?: number;
}

/** Who did something. */
export type RecordedActor = "run" | "client" | "person" | "page" | "service";

/** What happened in a session, as a function is made of it. */
export type RecordedEntry = {
  /** Its number, 1 for the first. */
  readonly seq: number;
  /** When, in milliseconds from the creation of the session. */
  readonly atMs: number;
  readonly by: RecordedActor;
  /** Number of the tab; 0 for what has none. */
  readonly tab: number;
} & (
  | ({ readonly kind: "act" } & RecordedAct)
  | {
      readonly kind: "navigation";
      readonly address: RecordedAddress;
      readonly sameDocument: boolean;
      /** How somebody asked for it, not by an act on the page. */
      readonly via?: "address" | "back" | "forward" | "reload" | "history" | undefined;
      /** The address that was asked for, where the page is at another one. */
      readonly requested?: RecordedAddress | undefined;
    }
  | {
      readonly kind: "tab-opened";
      /** Number of the tab whose page has opened it. */ readonly opener?: number | undefined;
    }
  | { readonly kind: "tab-closed"; /** True when somebody closed it, and no page. */ readonly isAsked: boolean }
  | {
      readonly kind: "dialog";
      readonly type: string;
      /** Its whole message; null when that is not known. */
      readonly message: string | null;
    }
  | { readonly kind: "dialog-closed"; readonly accepted: boolean }
  /** A step of a run; `isOpening` when it has opened a page. */
  | { readonly kind: "run-step"; readonly isOpening: boolean }
  /** Entries were left out. */
  | { readonly kind: "gap"; readonly count: number }
  /** The session has ended; `isLost` when its service or browser died, and what came last may be missing. */
  | { readonly kind: "end"; readonly isLost: boolean }
  /** Anything that changes nothing. */
  | { readonly kind: "other" }
);
