import type { HeldLease, Lease, LeaseStore } from "../../../src/storage/lease-store.ts";

/** A lease as the store has it. */
export interface LeaseRow extends Lease {
  expires: number;
  renewals: number;
  isRevoked: boolean;
}

/** What a request of a lease store comes to in the one moment in which it is done. */
type Immediate = {
  readonly [Name in keyof LeaseStore]: (...args: Parameters<LeaseStore[Name]>) => Awaited<ReturnType<LeaseStore[Name]>>;
};

/** The leases that a store has, by a clock that may be set. */
export class LeaseTable implements Immediate {
  readonly rows: LeaseRow[] = [];
  readonly #now: () => number;
  readonly #onRevoked: (row: LeaseRow) => void;

  constructor(now: () => number, onRevoked: (row: LeaseRow) => void) {
    this.#now = now;
    this.#onRevoked = onRevoked;
  }

  find({ epoch }: Pick<Lease, "epoch">): LeaseRow | undefined {
    return this.rows.find((row) => row.epoch === epoch);
  }

  acquire(name: string, { ttlMs }: { readonly ttlMs: number }): Lease | undefined {
    if (this.rows.some((row) => row.name === name && !row.isRevoked)) return undefined;
    const epoch = this.rows.length + 1;
    this.rows.push({ name, epoch, expires: this.#now() + ttlMs, renewals: 0, isRevoked: false });
    return { name, epoch };
  }

  renew(lease: Lease, { ttlMs }: { readonly ttlMs: number }): boolean {
    const row = this.find(lease);
    if (!row || row.isRevoked || this.#isOver(row)) return false;
    row.expires = this.#now() + ttlMs;
    row.renewals += 1;
    return true;
  }

  release(lease: Lease): void {
    const row = this.find(lease);
    if (row) this.#revoke(row);
  }

  list(): readonly HeldLease[] {
    return this.rows
      .filter(({ isRevoked }) => !isRevoked)
      .map((row) => ({
        name: row.name,
        epoch: row.epoch,
        about: null,
        mark: String(row.renewals),
        isOver: this.#isOver(row),
      }));
  }

  revokeExpired(marks: readonly Pick<HeldLease, "epoch" | "mark">[]): readonly Lease[] {
    const over = marks.flatMap((one) => {
      const row = this.find(one);
      return row && !row.isRevoked && this.#isOver(row) && String(row.renewals) === one.mark ? [row] : [];
    });
    for (const row of over) this.#revoke(row);
    return over.map(({ name, epoch }) => ({ name, epoch }));
  }

  #isOver(row: LeaseRow): boolean {
    return row.expires <= this.#now();
  }

  #revoke(row: LeaseRow): void {
    if (row.isRevoked) return;
    row.isRevoked = true;
    this.#onRevoked(row);
  }
}
