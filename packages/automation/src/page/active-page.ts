import type { Page } from "playwright-core";

/** The active page of a session. */
export interface ActivePage {
  /** The page; undefined while the session has none. */
  readonly current: Page | undefined;
  /** Makes another page of the session the active one. Default: it can't be chosen. */
  readonly bringToFront?: (page: Page) => void;
}
