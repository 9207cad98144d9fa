import { guardArguments } from "../errors/client-error.ts";
import type { ClientPromise } from "../calls/client-promise.ts";
import type { CloudBrowserOptions } from "../options/settings.ts";
import { createControlCalls } from "./control-calls.ts";
import type { ControlHealth, ControlOptions } from "./control-types.ts";
import { fileControl, type FileControl } from "./files.ts";
import { functionControl, type FunctionControl } from "./functions.ts";
import { handoverControl, type HandoverControl } from "./handovers.ts";
import { keyControl, type KeyControl } from "./keys.ts";
import { profileControl, type ProfileControl } from "./profiles.ts";
import {
  clipboardControl,
  consoleControl,
  readHealth,
  readMetrics,
  timelineControl,
  type ClipboardControl,
  type ConsoleControl,
  type TimelineControl,
} from "./records.ts";
import { runControl, type RunControl } from "./runs.ts";
import { sessionControl, tokenControl, type SessionControl, type TokenControl } from "./sessions.ts";

/**
 * A client of what `@cloud-browser/service` does beyond the interface, under `/control`: it is not part of the interface, and other
 * services do not have it. Then every call rejects with `no-control`.
 *
 * A call that only reads, or acts once however often it is sent, is retried like others of the client; any other is sent once.
 */
export interface CloudBrowserControl {
  /** Sessions. */
  readonly sessions: SessionControl;
  /** Tokens of sessions. */
  readonly tokens: TokenControl;
  /** Runs. */
  readonly runs: RunControl;
  /** Functions. */
  readonly functions: FunctionControl;
  /** API keys. */
  readonly keys: KeyControl;
  /** Profiles. */
  readonly profiles: ProfileControl;
  /** Files of sessions. */
  readonly files: FileControl;
  /** Requests for a person. */
  readonly handovers: HandoverControl;
  /** Timelines of sessions. */
  readonly timeline: TimelineControl;
  /** Consoles of the pages of sessions. */
  readonly console: ConsoleControl;
  /** Clipboards of sessions. */
  readonly clipboard: ClipboardControl;
  /** Reads the health of the service, also when it is not well. */
  readHealth(options?: ControlOptions): Promise<ControlHealth>;
  /** Reads the metrics of the service, as Prometheus does. The caller's key needs the role `metrics`. */
  readMetrics(options?: ControlOptions): ClientPromise<string>;
}

/**
 * Creates a client of `/control`. Sends nothing, and takes the options and variables of `createCloudBrowser`.
 *
 * @throws {ClientError} `misuse` when an option is invalid, or the key or the base URL is missing.
 *
 * @example
 * ```ts from=examples/api/client/create-control.ts
 * import { createControl } from "@cloud-browser/client/control";
 *
 * const control = createControl(); // a service that has /control, such as @cloud-browser/service
 * const { session_id } = await control.sessions.open({ url: "https://ferries.example/" });
 * const { state } = await control.sessions.end(session_id);
 * console.log(state); // ended
 * ```
 */
export function createControl(options: CloudBrowserOptions = {}): CloudBrowserControl {
  const calls = createControlCalls(options);
  return {
    sessions: sessionControl(calls),
    tokens: tokenControl(calls),
    runs: runControl(calls),
    functions: functionControl(calls),
    keys: keyControl(calls),
    profiles: profileControl(calls),
    files: fileControl(
      calls,
      guardArguments(() => options.fetch),
    ),
    handovers: handoverControl(calls),
    timeline: timelineControl(calls),
    console: consoleControl(calls),
    clipboard: clipboardControl(calls),
    readHealth: (own) => readHealth(calls, own),
    readMetrics: (own) => readMetrics(calls, own),
  };
}
