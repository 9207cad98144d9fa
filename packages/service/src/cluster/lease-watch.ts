import type { HeldLease, Lease, LeaseStore } from "../storage/lease-store.ts";
import type { MonotonicClock } from "./monotonic-clock.ts";

/** Options of a watch. */
export interface LeaseWatchOptions {
  /** Where leases are kept. */
  readonly leases: LeaseStore;
  /** How long a lease lasts from its last renewal, in milliseconds. */
  readonly ttlMs: number;
  /** Measures time. */
  readonly clock: MonotonicClock;
}

/**
 * Polls the leases of all nodes, and revokes those that have expired: by the clock of the store, and by that of this node, which
 * has seen no renewal for as long. The store's own clock may be set; that alone ends nobody's lease.
 */
export class LeaseWatch {
  readonly #options: LeaseWatchOptions;
  /** Each lease as it was seen last, and since when it is as it is. */
  #seen: ReadonlyMap<number, { readonly mark: string; readonly sinceMs: number }> = new Map();

  constructor(options: LeaseWatchOptions) {
    this.#options = options;
  }

  /** Polls once. Returns the leases that are held, and those that it has revoked; rejects when the store can't be asked. */
  async poll(): Promise<{ readonly held: readonly HeldLease[]; readonly revoked: readonly Lease[] }> {
    const { leases, ttlMs, clock } = this.#options;
    const all = await leases.held();
    // From after the answer: what it tells of was asked for before.
    const nowMs = clock.now();
    const seen = new Map(
      all.map(({ epoch, mark }) => {
        const before = this.#seen.get(epoch);
        return [epoch, before?.mark === mark ? before : { mark, sinceMs: nowMs }];
      }),
    );
    this.#seen = seen;
    const over = all.filter(({ epoch, isOver }) => isOver && nowMs - (seen.get(epoch)?.sinceMs ?? nowMs) >= ttlMs);
    const revoked = over.length === 0 ? [] : await leases.revokeExpired(over);
    return { held: all.filter(({ isOver }) => !isOver), revoked };
  }
}
