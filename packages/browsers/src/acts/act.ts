import type { ActPlace } from "./act-place.ts";

/** An element, as somebody who looks for it with Playwright's `getByRole` names it. */
export interface ActTarget {
  /** Its ARIA role; null when it has none, as a plain `div`. */
  readonly role: string | null;
  /** Its accessible name, or its text when it has no role; empty when it has neither. Not longer than 100 characters. */
  readonly name: string;
  /** How it is found again. Default: it was not asked, as for what was scrolled. */
  readonly place?: ActPlace;
}

/** Reason for which the value of a field is withheld. */
export type Withheld = "password" | "one-time-code" | "card" | "secret";

/** Action of a user or a script on a page, as the page observed it. */
export interface PageAct {
  /** `click`; `fill`, which is all typing into a field until it is left, told as it goes on; `select`, `check`, `upload`; `press`; `scroll`; `drag`, which is told of where it began. */
  readonly kind: "click" | "fill" | "select" | "check" | "upload" | "press" | "scroll" | "drag";
  /** False when a script dispatched the event: that of a driver, or of the page itself. */
  readonly trusted: boolean;
  /** Target element; null for the page. */
  readonly target: ActTarget | null;
  /** Time since the act, in milliseconds. */
  readonly ageMs: number;
  /** Of `fill` and `select`: value of the field, at most 500 characters; null where it is withheld. */
  readonly value?: string | null;
  /** True for a value that is not all that the field holds: it is too long. */
  readonly isPartial?: boolean;
  /** Reason why there is no value. */
  readonly withheld?: Withheld;
  /** Of `fill`: number of the typing; acts of one number report the same typing, each with the value at that time. */
  readonly typing?: number;
  /** Of `fill`: true while the typing is in progress; false for the last act of its number, which is missing when the document closes. */
  readonly isGoingOn?: boolean;
  /** Of `check`: the new state. */
  readonly checked?: boolean;
  /** Of `press`: the key, as `Enter` or `Control+a`; null for characters that went into no field. */
  readonly key?: string | null;
  /** Of `press` without key: how many characters; of `click`: 2 for a double click; of `upload`: how many files; of `select`: how many options, where it takes several. */
  readonly count?: number;
  /** Of `click`: the button, unless that is the left one. */
  readonly button?: "middle" | "right";
  /** Of `click`: the keys that were held, as `Control+Shift`. */
  readonly modifiers?: string;
  /** Of `scroll`: how far the page or the element is scrolled now, in CSS pixels. */
  readonly to?: { readonly x: number; readonly y: number };
  /** Number of acts that the page dropped before this one, as it exceeded its limit per second. */
  readonly dropped?: number;
}
