import type { Page } from "playwright-core";

/** The active page of a session. */
export interface ActivePage {
  /** The page; undefined while the session has none. */
  readonly current: Page | undefined;
  /** Calls back on each change; returns a function that removes the listener. */
  onChange(listener: (page: Page | undefined) => void): () => void;
}
