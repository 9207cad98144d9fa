import type { Model } from "@cloud-browser/page-content";
import type { ActivePage } from "./active-page.ts";

/** Where steps are performed. */
export interface Stage {
  /** The page that the session is on. */
  readonly activePage: ActivePage;
  /** Is told when a step acts on the page: what follows is recorded closely. */
  readonly acted: () => void;
  /** Throws when a page may not be opened there. */
  readonly permit: (url: URL) => Promise<void>;
  /** Calls the step off. */
  readonly signal: AbortSignal;
  /** Values of the variables that steps hold. */
  readonly variables: ReadonlyMap<string, string>;
  /** Extracts data that a page only says in its text. Default: none, what the page declares has to do. */
  readonly model?: Model;
}
