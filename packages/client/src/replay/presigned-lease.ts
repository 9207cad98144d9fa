import { withDeadline } from "./abortable.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import type { TransferSettings } from "./transfer-options.ts";

/** A replay with presigned URLs, which expire. */
export interface PresignedLease<Value> {
  /** Value derived from the replay. */
  readonly value: Value;
  /** The replay. */
  readonly replay: ReplayResponse;
  /** Time after which no request is started with it, in milliseconds since the epoch. */
  readonly staleAt: number;
}

/** Holds the current lease, which concurrent downloads share. */
export interface LeaseHolder<Value> {
  /** The current lease. */
  readonly lease: PresignedLease<Value>;
  /** Number of times that the lease was refreshed. */
  readonly refreshes: number;
  /** Resolves with a lease that is neither the refused one nor about to expire. Concurrent callers share one refresh. */
  get(refused?: PresignedLease<Value>): Promise<PresignedLease<Value>>;
}

/** Options of a lease. */
export interface PresignedLeaseTerms<Value> {
  /** Fetches the replay. */
  readonly client: ReplayClient;
  /** The session whose replay it is. */
  readonly sessionId: string;
  /** Derives a value from a replay. */
  readonly read: (replay: ReplayResponse) => Value;
  /** An existing replay, the safety margin before its expiry, and the abort signal. */
  readonly settings: Pick<TransferSettings, "replay" | "expirySkewMs" | "signal">;
}

/**
 * Takes a lease, and refreshes it later. Errors of `client.replay` and `read` are rethrown unchanged.
 *
 * @throws {ClientError} `aborted`.
 */
export async function takeLease<Value>(terms: PresignedLeaseTerms<Value>): Promise<LeaseHolder<Value>> {
  const { client, sessionId, read } = terms;
  const { replay: atHand, expirySkewMs, signal } = terms.settings;
  let asking: Promise<PresignedLease<Value>> | undefined;
  let refreshes = 0;

  const createLease = (replay: ReplayResponse): PresignedLease<Value> => {
    const { expires_at } = replay;
    // The service may send any type, even one that can't be converted to a string.
    const end = (typeof expires_at === "string" && Date.parse(expires_at)) || Infinity;
    return { value: read(replay), replay, staleAt: end - expirySkewMs };
  };
  const ask = async (): Promise<PresignedLease<Value>> => {
    const fresh = createLease(await withDeadline(() => client.replay(sessionId, { signal }), signal));
    // A new lease that is stale is short-lived, or the clock is wrong: then only the file host knows when it expires.
    return fresh.staleAt > Date.now() ? fresh : { ...fresh, staleAt: Infinity };
  };
  const renew = async (): Promise<PresignedLease<Value>> => {
    refreshes++;
    try {
      return (lease = await ask());
    } finally {
      asking = undefined;
    }
  };

  let lease = atHand ? createLease(atHand) : await ask();
  return {
    get lease() {
      return lease;
    },
    get refreshes() {
      return refreshes;
    },
    async get(refused) {
      if (lease !== refused && Date.now() < lease.staleAt) return lease;
      return (asking ??= renew());
    },
  };
}
