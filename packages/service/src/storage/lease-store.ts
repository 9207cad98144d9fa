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
}

/** How a lease is taken. */
export interface LeaseTerms {
  /** For how long, in milliseconds by the clock of the store; counted anew by each renewal. */
  readonly ttlMs: number;
  /** What others are told of the holder: JSON. */
  readonly about: unknown;
  /** Whether whoever had the name is known to be dead, and its lease not waited for. Default: false. */
  readonly afterDeath?: boolean;
}

/**
 * Leases: who is there. A lease is held until its time is over by the clock of the store, whatever the clocks of nodes say; it is lost
 * for good then, and another one has to be taken. Whoever counts the time from before it asked for a renewal stops no later than the store does.
 */
export interface LeaseStore {
  /** Takes the lease of a name; undefined while somebody else holds it. */
  acquire(name: string, terms: LeaseTerms): Promise<Lease | undefined>;
  /** Makes it last from now on; tells whether it was still held. */
  renew(lease: Lease, terms: Pick<LeaseTerms, "ttlMs" | "about">): Promise<boolean>;
  /** Gives it back. */
  release(lease: Lease): Promise<void>;
  /** All that are held, by name. */
  held(): Promise<readonly HeldLease[]>;
  /** Revokes leases whose time is over: what they protected may be taken over by those who are told of it, or find it so. Returns them. */
  revokeExpired(): Promise<readonly Lease[]>;
}
