import type { HeldLease, Lease, LeaseStore } from "../storage/lease-store.ts";
import type { MonotonicClock } from "../monotonic-clock.ts";

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
 * has seen no renewal for as long. A clock of the store that is set ends no lease by itself.
 */
export class LeaseWatch {
  readonly #options: LeaseWatchOptions;
  /** Mark of each lease at the last poll, and since when it has not changed. */
  #marks: ReadonlyMap<number, { readonly mark: string; readonly sinceMs: number }> = new Map();

  constructor(options: LeaseWatchOptions) {
    this.#options = options;
  }

  /** Polls once. Returns the leases that are held, and those that it has revoked; rejects when the store can't be asked. */
  async poll(): Promise<{ readonly leases: readonly HeldLease[]; readonly revoked: readonly Lease[] }> {
    const { leases, ttlMs, clock } = this.#options;
    const all = await leases.list();
    // Read after the response, which describes an earlier moment.
    const nowMs = clock.now();
    const marks = new Map(
      all.map(({ epoch, mark }) => {
        const before = this.#marks.get(epoch);
        return [epoch, before?.mark === mark ? before : { mark, sinceMs: nowMs }];
      }),
    );
    this.#marks = marks;
    const over = all.filter(({ epoch, isOver }) => isOver && nowMs - (marks.get(epoch)?.sinceMs ?? nowMs) >= ttlMs);
    const revoked = over.length === 0 ? [] : await leases.revokeExpired(over);
    return { leases: all.filter(({ isOver }) => !isOver), revoked };
  }
}
