/** Where in its frame an element was: in a part of the page that a name, a text in it, or one of its fields tells from others. */
export type ActScope =
  | { readonly role: string; readonly name: string }
  | { readonly role: string; readonly text: string }
  | { readonly field: string };

/** Something that an element, and no other one of its frame, had. */
export interface ActKey {
  /** `role`: its role with this name, which is empty where it was the only one of its role; `testid`: `data-testid`; `text`: its whole text. */
  readonly by: "role" | "label" | "placeholder" | "alt" | "title" | "testid" | "name" | "id" | "text" | "file-input";
  /** Not longer than 100 characters. */
  readonly value: string;
  /** The part of the page in which nothing else had it. Default: the whole frame. */
  readonly within?: ActScope;
}

/** How the element of a frame was told from others in its document; `only` when it had no others. */
export interface ActFrame {
  readonly by: "only" | "title" | "aria-label" | "name" | "id";
  readonly value: string;
}

/**
 * Reason why it can't be said for sure how an element is found again.
 *
 * - `ambiguous`, `unnamed`: others have all that it has; it has nothing that could be told.
 * - `canvas`: what matters is where in it something was done.
 * - `closed-shadow-root`: it may be in one, where only the page sees it.
 * - `cross-origin-frame`, `ambiguous-frame`: its frame is of another origin; it can't be told from others.
 * - `secret-key`: it may be a key of a PIN.
 * - `rich-text`: what it holds is more than text.
 * - `large-page`: its page has too many elements to be searched.
 */
export type ActObstacle =
  | "ambiguous"
  | "unnamed"
  | "canvas"
  | "closed-shadow-root"
  | "cross-origin-frame"
  | "ambiguous-frame"
  | "secret-key"
  | "rich-text"
  | "large-page";

/** How an element is found again, as it was when something was done to it. */
export interface ActPlace {
  /** The frames that it is in, the outermost first. Default: none. */
  readonly frames?: readonly ActFrame[];
  /** Ways to find the element again, the most stable first; empty when there is an obstacle. */
  readonly keys: readonly ActKey[];
  readonly obstacle?: ActObstacle;
}
