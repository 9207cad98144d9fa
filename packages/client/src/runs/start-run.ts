import type { AutomationStream } from "@cloud-browser/stream";
import type { ClientPromise } from "../calls/client-promise.ts";
import type { AutomateOptions, AutomationRequest } from "../operations/automate.ts";
import { ClientError, guardArguments } from "../errors/client-error.ts";
import { copyOptions, isRunId, attachRun, type Run, type RunClient } from "./attach-run.ts";

/** Part of a client that starts runs: `createCloudBrowser` makes one. */
export interface StartingClient extends RunClient {
  /** Starts a run. */
  automate(request: AutomationRequest, options?: AutomateOptions): ClientPromise<AutomationStream>;
}

/** Options of a detached run; they are those of an automation, but for the ledger. */
export type StartRunOptions = Omit<AutomateOptions, "ledger">;

/** A run that was started. */
export interface StartedRun extends Omit<Run, "id"> {
  /** Its id; `undefined` when the service does not return one. With one that can't be part of an address, `stream` is the body of the response that started it. */
  readonly id: string | undefined;
  /** True when it continues without its reader. False when the service does not support this: then leaving the stream may end it, and a lost connection breaks it off. */
  readonly isDetached: boolean;
}

/**
 * Starts a billed run that continues without its reader, and attaches to it. Sends one request to start it, whatever happens, as
 * `automate` does, with `Prefer: respond-async`. A service that does not know this preference starts an ordinary run.
 *
 * @throws {ClientError} as `automate`.
 *
 * @example
 * ```ts from=examples/api/client/start-run.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { startRun } from "@cloud-browser/client/runs";
 *
 * const run = await startRun(createCloudBrowser(), { query: "When does the next ferry leave from pier 3?" });
 * console.log(run.isDetached, run.id); // true c1b6a2de-4f7e-4a52-8f0a-9e2d5b7c3f60
 * console.log((await run.stream.outcome()).type); // done
 * ```
 */
export async function startRun(
  client: StartingClient,
  request: AutomationRequest,
  options: StartRunOptions = {},
): Promise<StartedRun> {
  const {
    onOutcome,
    headers: callerHeaders,
    ...own
  } = copyOptions(
    guardArguments(() => typeof Object(client).automate === "function"),
    options,
  );
  const headers = addPreference(callerHeaders);
  let isDetached = false;
  const { data: stream, response } = await client
    .automate(request, { ...own, headers, onOutcome: (outcome) => (isDetached ? undefined : onOutcome?.(outcome)) })
    .withResponse();
  const id = response.headers.get("x-service-run-id") ?? undefined;
  if (response.status !== 202 || !isRunId(id)) {
    return { id, isDetached: response.status === 202 && id !== undefined, stream, lastEventId: undefined };
  }
  isDetached = true;
  await stream.cancel();
  const { signal, timeouts, onReport, maxEventBytes, oversize, damage } = own;
  const run = attachRun(client, id, { signal, timeouts, onReport, maxEventBytes, oversize, damage, onOutcome });
  return {
    id,
    isDetached,
    stream: run.stream,
    get lastEventId() {
      return run.lastEventId;
    },
  };
}

/** Returns headers with the preference that detaches a run, beside others that are given. Throws `misuse` when those that are given can't be sent. */
function addPreference(callerHeaders: StartRunOptions["headers"]): Headers {
  try {
    const headers = new Headers(callerHeaders);
    headers.append("prefer", "respond-async");
    return headers;
  } catch {
    // Not kept as a cause: it quotes the header.
    throw new ClientError("misuse", "a header can't be sent");
  }
}
