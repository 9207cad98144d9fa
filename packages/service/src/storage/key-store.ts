/** Roles of keys: `use` sessions, runs and functions of its own; `operate`: list, read and end those of all keys; `control` other keys; read `metrics`. */
export const keyRoles = ["use", "operate", "control", "metrics"] as const;

/** One of the roles. */
export type KeyRole = (typeof keyRoles)[number];

/** Quota of a key; null: no limit but those of the service. */
export interface KeyQuota {
  /** Most sessions at a time. */
  readonly sessions: number | null;
  /** Most automation runs at a time. */
  readonly runs: number | null;
  /** Most profiles. */
  readonly profiles: number | null;
  /** Most that its runs may cost on one day (UTC), in US dollars: an exact decimal. */
  readonly cost_usd_per_day: string | null;
}

/** Reads a quota from its JSON; one that an older version has written has no limit of profiles. */
export function readQuota(text: string): KeyQuota {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and written by the stores
  return { profiles: null, ...(JSON.parse(text) as Omit<KeyQuota, "profiles">) };
}

/** A key without the key itself. */
export interface KeyRecord {
  /** Its name, never used for another key. */
  readonly name: string;
  /** Its roles. */
  readonly roles: readonly KeyRole[];
  /** Its quota. */
  readonly quota: KeyQuota;
  /** When it was made, in milliseconds since 1970. */
  readonly created_ms: number;
  /** When it expires, in milliseconds since 1970; null: never. */
  readonly expires_ms: number | null;
  /** When it was revoked, in milliseconds since 1970; null while it is good. */
  readonly revoked_ms: number | null;
}

/** Fields of a key that can be changed. */
export interface KeyChange extends Partial<Pick<KeyRecord, "roles" | "expires_ms">> {
  /** Those quotas that change. */
  readonly quota?: Partial<KeyQuota>;
}

/** API keys besides the one that the service was started with: hashes and roles. Every call rejects if the store is unavailable. */
export interface KeyStore {
  /**
   * Adds a key.
   *
   * @param hash - Hash that it is found by; the key can't be derived from it.
   * @returns Whether the name was free.
   */
  create(key: Omit<KeyRecord, "revoked_ms">, hash: string): Promise<boolean>;
  /** Returns the key with this hash; undefined if it is unknown, revoked or expired, or was replaced and its overlap is over. */
  find(hash: string, nowMs: number): Promise<KeyRecord | undefined>;
  /** Returns all keys, including revoked ones, by name. */
  list(): Promise<readonly KeyRecord[]>;
  /**
   * Runs `work` under a lock on a key, across processes. Where only one process can have keys, without a lock.
   */
  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Changes what a key may do; returns it as it is then, and undefined when no active key has that name. */
  change(name: string, change: KeyChange): Promise<KeyRecord | undefined>;
  /**
   * Replaces a key by another one of the same name.
   *
   * @param overlapUntilMs - Until when the key that it had is good, too, in milliseconds since 1970.
   * @returns Whether there was an active one.
   */
  replace(name: string, hash: string, overlapUntilMs: number): Promise<boolean>;
  /** Revokes a key permanently; returns whether there was an active one. */
  revoke(name: string, nowMs: number): Promise<boolean>;
}
