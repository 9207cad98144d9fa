import type { RecordedObstacle } from "./recorded-entry.ts";

/** Messages for elements that can't be found again, by obstacle. */
const obstacles: Readonly<Record<RecordedObstacle, string>> = {
  ambiguous: "another element of the page has all that is known of it",
  unnamed: "it has no name, label, text or test id by which it is found again",
  canvas: "it depends on the place in a picture, a canvas or a player",
  "closed-shadow-root": "it may be in a closed shadow root, or have no content of its own",
  "cross-origin-frame": "it is in a frame of another origin",
  "ambiguous-frame": "its frame can't be told from others",
  "secret-key": "it may be a key of a PIN, which is not recorded",
  "rich-text": "what was written is more than text, and is not recorded",
  "large-page": "its page has too many elements to tell it from others",
};

/** Messages for the other reasons, by code. */
const reasons = {
  "two-actors": "a person and a program acted by turns; choose the entries of one of them with from and to",
  "run-in-range": "a step of an automation is in the range; an automation has a function of its own",
  gap: "entries are missing before it: more happened than is recorded",
  "timeline-full": "the timeline is full: what happened last is not recorded; choose entries before that with to",
  "lost-end": "the service or its browser died, and what happened last may be missing; choose the last entry with to",
  "unfinished-fill": "its page went while somebody typed: the field may have held more",
  "typing-goes-on": "somebody is typing; try again when that is over",
  "no-acts": "nothing that a person or a program did is in the range",
  "no-place": "it was recorded by a version of the service that did not record how an element is found again",
  "no-target": "it was done to the page itself, at a place that is not recorded",
  "double-click": "it is a double click",
  "other-button": "it was done with another button than the left one",
  "modified-click": "keys were held with it",
  drag: "something was dragged",
  "untold-keys": "characters went into no field, and are not recorded",
  "key-without-target": "a key was pressed while no element had the focus",
  "unknown-key": "its key has no name that can be pressed again",
  clipboard: "it uses the clipboard, whose text is not recorded; type or fill instead",
  "multiple-select": "several options can be chosen in it",
  "empty-choice": "the option that was chosen has no text",
  "cleared-upload": "the files of a file input were taken away",
  "element-scroll": "a part of a page was scrolled",
  "unopenable-address": "its address can't be opened again: it is not one of http or https",
  "failed-page": "the page could not be loaded",
  "no-address": "the address of the page is not recorded",
  "starts-within-page": "the page was changed by entries before the range; begin the range where its page is opened",
  forward: "the browser went forward",
  reload: "the page was loaded again",
  "history-jump": "a program went to an entry of the history",
  "history-beyond-range": "the browser went back beyond the beginning of the range",
  "unknown-cause": "what caused it is not recorded, such as a script of a program",
  "tab-without-act": "a program opened the tab, and no page",
  "tab-by-page": "a page opened the tab by itself",
  "tab-outside-range": "its tab was opened before the range",
  "last-tab-closed": "the only tab was closed",
  "unknown-dialog": "the message of the dialog is not recorded whole",
  "late-dialog": "no act just before it shows what the dialog answers to",
  "unanswered-dialog": "the answer to the dialog is not in the range",
  "too-many-steps": "the range has more acts than a function may have",
} as const;

const words = { ...obstacles, ...reasons };

/**
 * Reasons why no function is made of acts: a closed list. Those of {@link RecordedObstacle} are for an element that can't be found again;
 * the others are explained by their messages.
 */
export type ActRefusalCode = keyof typeof reasons | RecordedObstacle;

/** All codes. */
export const actRefusalCodes: readonly string[] = Object.keys(words);

/** An entry that can't be repeated reliably, and the reason. */
export interface ActRefusal {
  /** Number of the entry; null when the reason concerns no single entry. */
  readonly seq: number | null;
  readonly code: ActRefusalCode;
  /** Message of the reason. */
  readonly message: string;
}

/** Returns a refusal. @param seq - Number of the entry; null when the reason concerns no single entry. */
export function refuseAct(seq: number | null, code: ActRefusalCode): ActRefusal {
  return { seq, code, message: words[code] };
}
