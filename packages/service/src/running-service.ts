import type { TerminalEvent } from "@cloud-browser/automation";
import type { SessionOptions } from "./sessions/session-options.ts";

/** A session that was opened. */
export interface OpenSession {
  /** Its id, a UUID. */
  readonly session_id: string;
  /** Websocket address that drives it. Holds a credential of this session. */
  readonly cdp_url: string;
}

/** A service that runs. */
export interface RunningService extends AsyncDisposable {
  /** Address of the interface and of the control interface, without a slash at its end. */
  readonly url: string;
  /** Address of the automation endpoint. */
  readonly automationUrl: string;
  /** The API key. A secret. */
  readonly apiKey: string;
  /** Origin of the key: given, or generated. */
  readonly keyOrigin: "given" | "made";
  /** Which browser it uses, and how, in words. */
  readonly parts: string;
  /**
   * Opens a session, as `POST /control/sessions` does.
   *
   * @throws {ServiceError} `usage`, `busy`, `address-refused`, `page-failed`.
   */
  open(options?: SessionOptions): Promise<OpenSession>;
  /** Ends a session, on whichever node it is; its recording is there soon after. @throws {ServiceError} `unknown-session`, `session-unreachable` */
  end(sessionId: string): Promise<void>;
  /**
   * Runs a function again, in a session of its own, with values for its variables; the others keep theirs.
   *
   * @returns The event that ended the run: `done` has what was extracted in `metadata.data`.
   * @throws {ServiceError} `usage` when there is no such function, `busy`.
   */
  runFunction(functionId: string, variables?: Readonly<Record<string, string>>): Promise<TerminalEvent>;
  /**
   * Ends its sessions as lost (`service-died`), within seconds, and, in a cluster, gives up its lease: for a process that must end after an
   * error.
   */
  abandon(): Promise<void>;
  /** Drains for as long as `drainMs` says, ends its sessions, finishes their recordings, and stops; a second call waits for the same end. */
  close(): Promise<void>;
}
