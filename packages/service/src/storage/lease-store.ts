/** The right of one node to have sessions and runs under a name. An epoch is never reused: it is the fencing token of all writes. */
export interface Lease {
  /** Name of the node. */
  readonly name: string;
  /** Grows with each lease, of any name. */
  readonly epoch: number;
}

/** A held lease. */
export interface HeldLease extends Lease {
  /** Data that its holder published with the last renewal, for example address and load. */
  readonly about: unknown;
  /** Differs after each renewal. */
  readonly mark: string;
  /** True when it has expired: it can no longer be renewed, and stays until it is revoked. */
  readonly isOver: boolean;
}

/** How a lease is taken. */
export interface LeaseTerms {
  /** Time to live, in milliseconds by the clock of the store; restarted by each renewal. */
  readonly ttlMs: number;
  /** Published data of the holder: JSON. */
  readonly about: unknown;
}

/**
 * The leases of all nodes. A lease expires by the clock of the store, whatever the clocks of nodes say; it is lost for good then, and the
 * node has to acquire another one. A holder that counts from before it sent the renewal stops no later than the store.
 */
export interface LeaseStore {
  /** Acquires the lease of a name; undefined while another one is not revoked, even if it has expired: its holder may not know yet. */
  acquire(name: string, terms: LeaseTerms): Promise<Lease | undefined>;
  /** Renews a lease; returns whether it was still held. */
  renew(lease: Lease, terms: LeaseTerms): Promise<boolean>;
  /** Releases a lease. */
  release(lease: Lease): Promise<void>;
  /** Returns all leases that are not revoked, by name. */
  list(): Promise<readonly HeldLease[]>;
  /**
   * Revokes the leases that have expired and were not renewed since they were seen, and returns them: what they protected may be taken over
   * from now on.
   */
  revokeExpired(marks: readonly Pick<HeldLease, "epoch" | "mark">[]): Promise<readonly Lease[]>;
}
