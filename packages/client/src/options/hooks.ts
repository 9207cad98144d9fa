import type { Outcome } from "@cloud-browser/stream";
import { ClientError, type Operation } from "../errors/client-error.ts";
import { environment } from "./address.ts";

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

/** A call that failed. */
export interface FailureNotice {
  /** The operation that was called. */
  readonly operation: Operation;
  /** The error of the call. */
  readonly error: ClientError;
}

/** The end of the stream of an automation. */
export interface RunNotice {
  /** The operation that was called. */
  readonly operation: "automation_start";
  /** End of the stream: `done`, `error`, `timeout`, `cancelled` or `broken`. */
  readonly outcome: Outcome["type"];
  /** Time since the call, in milliseconds. */
  readonly durationMs: number;
}

/** A logger, such as `console`. Its errors are ignored. */
export interface Logger {
  /** Logs requests and responses. */
  debug(message: string, notice: RequestNotice | ResponseNotice): void;
  /** Logs the ends of runs. */
  info?(message: string, notice: RunNotice): void;
  /** Logs retries. */
  warn(message: string, notice: RetryNotice): void;
  /** Logs calls that failed. */
  error?(message: string, notice: FailureNotice): void;
}

/** The least level that is logged. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

/** Hooks and loggers that receive reports. */
export interface Listeners {
  /** Functions that are called. */
  readonly hooks?: Hooks | undefined;
  /** The logger. */
  readonly logger?: Logger | undefined;
  /** The least level that is logged. */
  readonly logLevel?: LogLevel | undefined;
}

/** Notices, by name: the first three have hooks of these names. */
interface Notices {
  readonly onRequest: RequestNotice;
  readonly onResponse: ResponseNotice;
  readonly onRetry: RetryNotice;
  readonly onFailure: FailureNotice;
  readonly onRunEnd: RunNotice;
}

const logged = {
  onRequest: ["debug", "request"],
  onResponse: ["debug", "response"],
  onRunEnd: ["info", "run ended"],
  onRetry: ["warn", "retry"],
  onFailure: ["error", "call failed"],
} as const;
const levels: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

/**
 * Returns the log level of the environment; `undefined` when there is none.
 *
 * @throws {ClientError} `misuse` when `CLOUD_BROWSER_LOG` is not a level.
 */
export function logLevelFromEnvironment(): LogLevel | undefined {
  const value = environment("LOG");
  const level = levels.find((each) => each === value);
  if (value !== undefined && !level)
    throw new ClientError("misuse", `CLOUD_BROWSER_LOG must be one of ${levels.join(", ")}`);
  return level;
}

/** Returns whether a hook or logger is set. */
export function hasListener({ hooks, logger, logLevel }: Listeners): boolean {
  return (hooks ?? logger ?? logLevel) !== undefined;
}

/** Calls a hook and the logger: `console` when there is only a level. Ignores what they throw or reject with. */
export function notify<Name extends keyof Notices>(
  { hooks, logLevel, logger = logLevel && console }: Listeners,
  name: Name,
  notice: Notices[Name],
): void {
  const listeners: { readonly [Hook in keyof Notices]?: ((notice: Notices[Hook]) => void) | undefined } = hooks ?? {};
  if (hooks) quietly(() => listeners[name]?.(notice));
  const [level, message] = logged[name];
  if (!logger || levels.indexOf(level) < levels.indexOf(logLevel ?? "debug")) return;
  const log: unknown = Reflect.get(logger, level);
  if (typeof log === "function") quietly(() => Reflect.apply(log, logger, [message, notice]));
}

function quietly(act: () => unknown): void {
  try {
    const result = act();
    if (Object(result) === result) void Promise.resolve(result).catch(() => undefined); // an asynchronous one may reject
  } catch {
    // an error of a hook or logger does not affect the call
  }
}
