import type { TargetFilter } from "./target-info.ts";

/**
 * State of a browser-level session of a client: the connection itself, and each one
 * created by `Target.attachToBrowserTarget`. None of them exists in Chromium.
 */
export class BrowserScope {
  /** Id of the session; undefined for the connection itself. */
  readonly sessionId: string | undefined;
  /** Filter of `Target.setDiscoverTargets`; undefined while disabled. */
  discoverFilter: TargetFilter | undefined = undefined;
  /** Filter of `Target.setAutoAttach`; undefined while disabled. */
  autoAttachFilter: TargetFilter | undefined = undefined;
  /** True when auto-attached pages wait until the client lets them load. */
  waitsForDebugger = false;
  /** True when the client has detached from it. */
  ended = false;
  /** Auto-attached sessions by target id; undefined while pending. */
  readonly attached = new Map<string, string | undefined>();

  constructor(sessionId: string | undefined) {
    this.sessionId = sessionId;
  }
}
