/** The right of one node to have sessions and runs under a name. An epoch is never given twice: what was written under an older one can be told from it. */
export interface Lease {
  /** Name of the node. */
  readonly name: string;
  /** Grows with each lease, of any name. */
  readonly epoch: number;
}

/** A lease that somebody holds. */
export interface HeldLease extends Lease {
  /** What its holder told last: its address and its load, say. */
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
  /** What others are told of the holder: JSON. */
  readonly about: unknown;
  /** Whether whoever had the name is known to be dead, and its lease revoked. Default: false. */
  readonly afterDeath?: boolean;
}

/**
 * Leases: who is there. A lease is held until its time is over by the clock of the store, whatever the clocks of nodes say; it is lost
 * for good then, and another one has to be taken. Whoever counts the time from before it asked for a renewal stops no later than the store does.
 */
export interface LeaseStore {
  /** Takes the lease of a name; undefined while there is one that is not revoked, even if its time is over: its holder may count otherwise. */
  acquire(name: string, terms: LeaseTerms): Promise<Lease | undefined>;
  /** Makes it last from now on; tells whether it was still held. */
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
