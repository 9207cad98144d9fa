import type { Model } from "@cloud-browser/page-content";
import type { PersonAtWork } from "./person.ts";
import type { ActivePage } from "./active-page.ts";
import type { FilesAtWork } from "./files.ts";

/** The session that steps are performed in, and what is called before they act. */
export interface StepSession extends Pick<PersonAtWork, "untilMayAct"> {
  /** The active page of the session. */
  readonly activePage: ActivePage;
  /** Called right before each action on a page. An error that it throws prevents the action. */
  readonly onAction: () => void;
  /** Files of the session: downloads are kept there, and file choosers get them. Default: the session keeps none, and a download fails its step. */
  readonly files?: FilesAtWork | undefined;
  /** Called before a step that answers dialogs itself. Until the function that it returns is called, nobody else answers dialogs. Default: nobody does. */
  readonly holdDialogs?: (() => () => void) | undefined;
  /** Rejects when pages may not be opened at that URL. */
  readonly checkUrl: (url: URL) => Promise<void>;
  /** Aborts the work: on timeout, cancellation, or when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A session, and the values and the model that steps are performed with. */
export interface StepContext extends StepSession {
  /** Values of the variables in steps. */
  readonly variables: ReadonlyMap<string, string>;
  /** Accepts an element that is only similar to the target, as after a change of the page. Default: true. */
  readonly allowSimilar?: boolean;
  /** Extracts data from the text of a page. Default: none; only declared data is extracted. */
  readonly model?: Model;
}
