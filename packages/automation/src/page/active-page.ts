import type { Page } from "playwright-core";

/** The page that a session is on. */
export interface ActivePage {
  /** That page; undefined while there is none. */
  readonly current: Page | undefined;
}
