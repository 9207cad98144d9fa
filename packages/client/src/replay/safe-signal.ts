import { createRedactor } from "../errors/redaction.ts";
import type { ReplayClient } from "./replay-client.ts";

/** A signal that aborts when that of a caller does. */
export interface SafeSignal {
  /** The signal. Its reason is safe to log, so that errors may have it as their cause. */
  readonly signal: AbortSignal;
  /** Aborts it, if it has not aborted: with the caller's reason, if there is one. */
  readonly abort: () => void;
  /** Removes the listener of the caller's signal. */
  readonly release: () => void;
}

/** Follows the signal of a caller, whose reason may contain the key of the client. */
export function followSignal(signal: AbortSignal | undefined, client: ReplayClient): SafeSignal {
  const controller = new AbortController();
  const redact = createRedactor(Reflect.get(client, "replay"));
  const abort = (): void => controller.abort(redact(signal?.reason));
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort);
  return { signal: controller.signal, abort, release: () => signal?.removeEventListener("abort", abort) };
}
