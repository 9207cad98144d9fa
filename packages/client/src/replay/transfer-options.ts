import { ClientError, isRecord, guardArguments } from "../errors/client-error.ts";
import type { FileFetch } from "./file-host.ts";
import type { ReplayResponse } from "./replay-client.ts";

/** Options of downloads. */
export interface TransferOptions {
  /** Ends the download at once when it aborts, also during delays. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** An existing replay, such as the result of `waitForReplay`. Default: fetched with the client. */
  readonly replay?: ReplayResponse | undefined;
  /**
   * Custom `fetch` for requests to the file host, which must not add the key.
   * Default: the global `fetch` at the time of the call.
   */
  readonly fetch?: FileFetch | undefined;
  /** Number of consecutive requests without progress after which the download fails; at least 1. Default: 5. */
  readonly maxAttempts?: number | undefined;
  /**
   * Delay before a retry, in milliseconds: doubled for each consecutive request without progress, up to 30 seconds, and
   * shortened by up to a half at random. Default: 500.
   */
  readonly retryDelayMs?: number | undefined;
  /** Time without bytes after which a request is retried, in milliseconds; above 0. Default: 30000. */
  readonly stallMs?: number | undefined;
  /**
   * Statuses of the file host that mean that the presigned URL has expired: the replay is fetched again. The interface does not
   * show which ones are used. Default: 400, 401, 403, 404, 410.
   */
  readonly refreshStatuses?: readonly number[] | undefined;
  /**
   * Safety margin before `expires_at`, in milliseconds: later requests fetch a new replay first. An `expires_at` that is not a
   * date, or in the past for a new replay, is ignored. Default: 30000.
   *
   * Source: interface § Limits.
   */
  readonly expirySkewMs?: number | undefined;
  /** Allows presigned `http:` URLs to hosts other than localhost. Default: false. */
  readonly allowInsecureHttp?: boolean | undefined;
}

/** Validated options with their defaults. */
export type TransferSettings = { [Name in Exclude<keyof TransferOptions, "signal" | "replay">]-?: Defined<Name> } & {
  /** Aborts the download. */
  readonly signal: AbortSignal | undefined;
  /** An existing replay. */
  readonly replay: ReplayResponse | undefined;
};

type Defined<Name extends keyof TransferOptions> = NonNullable<TransferOptions[Name]>;

/** @throws {ClientError} `misuse` when an option is invalid. */
export function readTransferSettings(client: unknown, options: TransferOptions): TransferSettings {
  assertTransferOptions(client, options);
  const { maxAttempts = 5, retryDelayMs = 500, stallMs = 30_000, expirySkewMs = 30_000 } = options;
  if (!(maxAttempts >= 1 && stallMs > 0 && retryDelayMs >= 0 && expirySkewMs >= 0)) {
    const message = "maxAttempts must be at least 1, stallMs above 0, retryDelayMs and expirySkewMs not below 0";
    throw new ClientError("misuse", message);
  }
  const { signal, replay, fetch = globalThis.fetch, allowInsecureHttp = false } = options;
  const { refreshStatuses = [400, 401, 403, 404, 410] } = options;
  const numbers = { maxAttempts, retryDelayMs, stallMs, expirySkewMs };
  return {
    ...numbers,
    signal,
    replay: replay && guardArguments(() => ({ ...replay })),
    fetch,
    allowInsecureHttp,
    refreshStatuses,
  };
}

/** @throws {ClientError} `misuse` when the client or an option has the wrong type. */
export function assertTransferOptions(client: unknown, options: unknown): void {
  const wrong = guardArguments(() =>
    isRecord(client) && typeof client["replay"] === "function" ? wrongOption(options) : "client",
  );
  if (wrong) throw new ClientError("misuse", `${wrong} has the wrong type`);
}

/** Returns the name of the first option with a wrong type. */
function wrongOption(options: unknown): string | undefined {
  if (!isRecord(options)) return "options";
  return Object.keys(options).find((name) => options[name] !== undefined && !isFine(name, options[name]));
}

function isFine(name: string, value: unknown): boolean {
  if (/^on|^fetch$/.test(name)) return typeof value === "function";
  if (/Ms$|Attempts$|^concurrency$/.test(name)) return typeof value === "number";
  if (name === "signal") return isSignal(value);
  return name === "replay"
    ? isRecord(value)
    : !name.endsWith("Statuses") || (Array.isArray(value) && value.every((status) => typeof status === "number"));
}

/** Returns whether a value is an `AbortSignal`, of this realm or another one. */
function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = Object(value);
  return (
    typeof aborted === "boolean" && [addEventListener, removeEventListener].every((act) => typeof act === "function")
  );
}
