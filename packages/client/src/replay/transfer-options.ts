import { ClientError, isRecord } from "../errors/client-error.ts";
import type { FileFetch } from "./file-host.ts";
import type { ReplayResponse } from "./replay-client.ts";

/** How files of a replay are downloaded. */
export interface TransferOptions {
  /** Ends the download at once when it aborts, also within waits. Default: never. */
  readonly signal?: AbortSignal | undefined;
  /** A replay that is at hand, such as that of `waitForReplay`. Default: the client is asked for one. */
  readonly replay?: ReplayResponse | undefined;
  /**
   * Sends the requests to the file host. Is given no key, and must add none.
   * Default: the global `fetch` at the time of the call.
   */
  readonly fetch?: FileFetch | undefined;
  /** How many requests in a row may bring nothing new before the download fails; at least 1. Default: 5. */
  readonly maxAttempts?: number | undefined;
  /**
   * The pause before a request that goes on after a failure, in milliseconds: doubled with every request in a row that brings
   * nothing new, up to 30 seconds, and shortened by up to a half at random. Default: 500.
   */
  readonly retryDelayMs?: number | undefined;
  /** How long the file host may send nothing before it is asked anew, in milliseconds; above 0. Default: 30000. */
  readonly stallMs?: number | undefined;
  /**
   * Statuses of the file host that mean that the presigned address works no more: the client is asked for a new replay.
   * Which they are the interface does not show. Default: 400, 401, 403, 404, 410.
   */
  readonly refreshStatuses?: readonly number[] | undefined;
  /**
   * How long before `expires_at` no request begins any more without a new replay, in milliseconds. An `expires_at`
   * that is no date says nothing; one that is past in a new replay is not believed. Default: 30000.
   *
   * Source: interface § Limits.
   */
  readonly expirySkewMs?: number | undefined;
  /** Allows presigned addresses with `http:` to hosts other than this machine. Default: false. */
  readonly allowInsecureHttp?: boolean | undefined;
}

/** The options, completed and checked. */
export type TransferSettings = { [Name in Exclude<keyof TransferOptions, "signal" | "replay">]-?: Defined<Name> } & {
  /** Ends the download. */
  readonly signal: AbortSignal | undefined;
  /** A replay that is at hand. */
  readonly replay: ReplayResponse | undefined;
};

type Defined<Name extends keyof TransferOptions> = NonNullable<TransferOptions[Name]>;

/** @throws {ClientError} `misuse` when a number is out of range. */
export function settle(client: unknown, options: TransferOptions): TransferSettings {
  demandOptions(client, options);
  const { maxAttempts = 5, retryDelayMs = 500, stallMs = 30_000, expirySkewMs = 30_000 } = options;
  if (!(maxAttempts >= 1 && stallMs > 0 && retryDelayMs >= 0 && expirySkewMs >= 0)) {
    const message = "maxAttempts must be at least 1, stallMs above 0, retryDelayMs and expirySkewMs not below 0";
    throw new ClientError("misuse", message);
  }
  const { signal, replay, fetch = globalThis.fetch, allowInsecureHttp = false } = options;
  const { refreshStatuses = [400, 401, 403, 404, 410] } = options;
  const numbers = { maxAttempts, retryDelayMs, stallMs, expirySkewMs };
  return { ...numbers, signal, replay, fetch, allowInsecureHttp, refreshStatuses };
}

/** @throws {ClientError} `misuse` when the client is none, or an option is of another kind than it must be. */
export function demandOptions(client: unknown, options: unknown): void {
  const wrong = isRecord(client) && typeof client["replay"] === "function" ? wrongOption(options) : "client";
  if (wrong) throw new ClientError("misuse", `${wrong} has the wrong type`);
}

/** The name of what can't be what it is. */
function wrongOption(options: unknown): string | undefined {
  if (!isRecord(options)) return "options";
  return Object.keys(options).find((name) => options[name] !== undefined && !isFine(name, options[name]));
}

function isFine(name: string, value: unknown): boolean {
  if (/^on|^fetch$/.test(name)) return typeof value === "function";
  if (/Ms$|Attempts$|^concurrency$/.test(name)) return typeof value === "number";
  if (name === "signal") return isRecord(value) && "aborted" in value;
  return name === "replay" ? isRecord(value) : !name.endsWith("Statuses") || Array.isArray(value);
}
