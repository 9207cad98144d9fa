import type { ClientError, Operation } from "../errors/client-error.ts";

/** One attempt to send a request. Holds no header, no body and no query. */
export interface RequestNotice {
  /** The operation that was called. */
  readonly operation: Operation;
  /** HTTP method. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** The answer to one attempt, when its headers are there. */
export interface ResponseNotice extends RequestNotice {
  /** HTTP status. */
  readonly status: number;
  /** From sending the request until now, in milliseconds. */
  readonly durationMs: number;
}

/** An attempt failed, and another one follows. */
export interface RetryNotice {
  /** The operation that was called. */
  readonly operation: Operation;
  /** The attempt that failed; counts from 1. */
  readonly attempt: number;
  /** How long is waited before the next one, in milliseconds. */
  readonly delayMs: number;
  /** The error of the attempt. */
  readonly error: ClientError;
}

/** Functions that are called as a call goes on. What they throw is ignored. */
export interface Hooks {
  /** Before an attempt is sent. */
  readonly onRequest?: ((notice: RequestNotice) => void) | undefined;
  /** When the headers of an answer are there. */
  readonly onResponse?: ((notice: ResponseNotice) => void) | undefined;
  /** Before the wait for another attempt. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

/** Methods that `console` and most loggers have. What they throw is ignored. */
export interface Logger {
  /** Requests and answers. */
  debug(message: string, notice: RequestNotice | ResponseNotice): void;
  /** Retries. */
  warn(message: string, notice: RetryNotice): void;
}

/** Arguments of the hooks, by name. */
interface Notices {
  readonly onRequest: RequestNotice;
  readonly onResponse: ResponseNotice;
  readonly onRetry: RetryNotice;
}

/** Calls a hook, and writes to the log. What they throw, or reject with later, breaks nothing. */
export function tell<Name extends keyof Notices>(
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
    // not ours
  }
}
