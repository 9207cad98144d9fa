import type { TargetFilter } from "./target-info.ts";

/**
 * State of "the browser" for a client, on one of the sessions that stand for the whole of it: the connection itself, and each one
 * made by `Target.attachToBrowserTarget`. None of them exists in Chromium.
 */
export class BrowserScope {
  /** Id of the session; undefined: the connection itself. */
  readonly sessionId: string | undefined;
  /** Which targets the client hears of; undefined: none. */
  discovers: TargetFilter | undefined = undefined;
  /** Which targets it is attached to as they appear; undefined: none. */
  attaches: TargetFilter | undefined = undefined;
  /** True when the client has detached from it. */
  ended = false;
  /** Sessions of targets that it was attached to as they appeared, by the id of the target; undefined while that is under way. */
  readonly attached = new Map<string, string | undefined>();

  constructor(sessionId: string | undefined) {
    this.sessionId = sessionId;
  }
}
