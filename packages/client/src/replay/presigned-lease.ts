import { within } from "./abortable.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import type { TransferSettings } from "./transfer-options.ts";

/** Presigned URLs, which work for a while. */
export interface Lease<Value> {
  /** Value made of the replay. */
  readonly value: Value;
  /** The replay itself. */
  readonly replay: ReplayResponse;
  /** When not to begin with it any more, in milliseconds since 1970. */
  readonly staleAt: number;
}

/** Keeps one lease for all that need it. */
export interface LeaseHolder<Value> {
  /** The last lease. */
  readonly lease: Lease<Value>;
  /** How often the client was asked for a new replay. */
  readonly refreshes: number;
  /** A lease that is not the refused one and not about to expire. All that wait for a new one share it. */
  get(refused?: Lease<Value>): Promise<Lease<Value>>;
}

/** Options of a lease. */
export interface LeaseTerms<Value> {
  /** Gives the addresses. */
  readonly client: ReplayClient;
  /** The session whose replay it is. */
  readonly sessionId: string;
  /** Makes of a replay what is needed of it. */
  readonly read: (replay: ReplayResponse) => Value;
  /** The replay that is at hand, how long before its end a lease is stale, and what ends the asking. */
  readonly settings: Pick<TransferSettings, "replay" | "expirySkewMs" | "signal">;
}

/**
 * Takes a lease, and new ones later on. What `client.replay` and `read` throw is passed on unchanged.
 *
 * @throws {ClientError} `aborted`.
 */
export async function takeLease<Value>(terms: LeaseTerms<Value>): Promise<LeaseHolder<Value>> {
  const { client, sessionId, read } = terms;
  const { replay: atHand, expirySkewMs, signal } = terms.settings;
  let asking: Promise<Lease<Value>> | undefined;
  let refreshes = 0;

  const leaseOf = (replay: ReplayResponse): Lease<Value> => {
    const { expires_at } = replay;
    // A service may send anything, also what can't become a text.
    const end = (typeof expires_at === "string" && Date.parse(expires_at)) || Infinity;
    return { value: read(replay), replay, staleAt: end - expirySkewMs };
  };
  const ask = async (): Promise<Lease<Value>> => {
    const fresh = leaseOf(await within(() => client.replay(sessionId, { signal }), signal));
    // What is stale when it is new has met a clock that is wrong, or is short-lived: then only the file host knows.
    return fresh.staleAt > Date.now() ? fresh : { ...fresh, staleAt: Infinity };
  };
  const renew = async (): Promise<Lease<Value>> => {
    refreshes++;
    try {
      return (lease = await ask());
    } finally {
      asking = undefined;
    }
  };

  let lease = atHand ? leaseOf(atHand) : await ask();
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
