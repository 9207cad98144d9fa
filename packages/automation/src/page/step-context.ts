import type { Model } from "@cloud-browser/page-content";
import type { PersonAtWork } from "./person.ts";
import type { ActivePage } from "./active-page.ts";
import type { FilesAtWork } from "./files.ts";

/** Page, callbacks and values that steps are performed with. */
export interface StepContext {
  /** The active page of the session. */
  readonly activePage: ActivePage;
  /** Called right before each action on the page. What it throws keeps that from happening. */
  readonly onAction: () => void;
  /** Rejects when pages may not be opened at that URL. */
  readonly checkUrl: (url: URL) => Promise<void>;
  /** Waits while a person has the control of the session. Default: nobody has it. */
  readonly untilMayAct?: PersonAtWork["untilMayAct"];
  /** Files of the session. Default: it keeps none, and a download fails its step. */
  readonly files?: FilesAtWork | undefined;
  /** Called before a step that answers dialogs itself: nobody else answers them until what is returned is called. Default: nobody does. */
  readonly holdDialogs?: (() => () => void) | undefined;
  /** Aborts the step. */
  readonly signal: AbortSignal;
  /** Values of the variables in steps. */
  readonly variables: ReadonlyMap<string, string>;
  /** Accepts an element that is only similar to the target, as after a change of the page. Default: true. */
  readonly allowSimilar?: boolean;
  /** Extracts data from the text of a page. Default: none; only declared data is extracted. */
  readonly model?: Model;
}
