/** The right of one node to have sessions and runs under a name. An epoch is never reused: it fences writes under an older one. */
export interface Lease {
  /** Name of the node. */
  readonly name: string;
  /** Grows with each lease, of any name. */
  readonly epoch: number;
}

/** A held lease. */
export interface HeldLease extends Lease {
  /** Last published data of its holder: for example address and load. */
  readonly about: unknown;
  /** Differs after each renewal. */
  readonly mark: string;
  /** Whether its time is over: it can't be renewed any more, and stays until it is revoked. */
  readonly isOver: boolean;
}

/** How a lease is taken. */
export interface LeaseTerms {
  /** For how long, in milliseconds by the clock of the store; counted anew by each renewal. */
  readonly ttlMs: number;
  /** Published data of the holder: JSON. */
  readonly about: unknown;
  /** True to revoke the lease of the previous holder of the name, which has ended. Default: false. */
  readonly afterDeath?: boolean;
}

/**
 * Leases: who is there. A lease is held until its time is over by the clock of the store, whatever the clocks of nodes say; it is lost
 * for good then, and another one has to be taken. A holder that counts from before it requested a renewal stops no later than the store.
 */
export interface LeaseStore {
  /** Takes the lease of a name; undefined while there is one that is not revoked, even if its time is over: its holder may count otherwise. */
  acquire(name: string, terms: LeaseTerms): Promise<Lease | undefined>;
  /** Renews it from now on; returns whether it was still held. */
  renew(lease: Lease, terms: Pick<LeaseTerms, "ttlMs" | "about">): Promise<boolean>;
  /** Gives it back. */
  release(lease: Lease): Promise<void>;
  /** All that are not revoked, by name. */
  held(): Promise<readonly HeldLease[]>;
  /**
   * Revokes those leases whose time is over, and that were not renewed since they were seen: what they protected may be taken over by
   * those who are told of it, or find it so. Returns them.
   */
  revokeExpired(seen: readonly Pick<HeldLease, "epoch" | "mark">[]): Promise<readonly Lease[]>;
}
