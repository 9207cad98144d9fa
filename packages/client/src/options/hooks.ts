import type { ClientError, Operation } from "../errors/client-error.ts";

/** An attempt to send a request. Has no headers, no body and no query. */
export interface RequestNotice {
  /** The operation that was called. */
  readonly operation: Operation;
  /** HTTP method. */
  readonly method: string;
  /** URL of the request, without its query and with keys redacted. */
  readonly url: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** The response to an attempt, when its headers have arrived. */
export interface ResponseNotice extends RequestNotice {
  /** HTTP status. */
  readonly status: number;
  /** Time since the request was sent, in milliseconds. */
  readonly durationMs: number;
}

/** An attempt that failed and will be retried. */
export interface RetryNotice {
  /** The operation that was called. */
  readonly operation: Operation;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Delay before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** The error of the attempt. */
  readonly error: ClientError;
}

/** Functions that are called during a call. Their errors are ignored. */
export interface Hooks {
  /** Called before a request is sent. */
  readonly onRequest?: ((notice: RequestNotice) => void) | undefined;
  /** Called when the headers of a response have arrived. */
  readonly onResponse?: ((notice: ResponseNotice) => void) | undefined;
  /** Called before the delay of a retry. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

/** A logger, such as `console`. Its errors are ignored. */
export interface Logger {
  /** Logs requests and responses. */
  debug(message: string, notice: RequestNotice | ResponseNotice): void;
  /** Logs retries. */
  warn(message: string, notice: RetryNotice): void;
}

/** Arguments of the hooks, by name. */
interface Notices {
  readonly onRequest: RequestNotice;
  readonly onResponse: ResponseNotice;
  readonly onRetry: RetryNotice;
}

/** Calls a hook and the logger. Ignores what they throw or reject with. */
export function notify<Name extends keyof Notices>(
  { hooks, logger }: { readonly hooks?: Hooks | undefined; readonly logger?: Logger | undefined },
  name: Name,
  notice: Notices[Name],
): void {
  const listeners: { readonly [Hook in keyof Notices]?: ((notice: Notices[Hook]) => void) | undefined } = hooks ?? {};
  void quietly(() => listeners[name]?.(notice));
  void quietly(() =>
    "error" in notice
      ? logger?.warn("retry", notice)
      : logger?.debug(name === "onRequest" ? "request" : "response", notice),
  );
}

async function quietly(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {
    // an error of a hook or logger does not affect the call
  }
}
