import type { EndReason } from "./session-store.ts";

/** How a session uses a profile: `read` begins with it, `write` also writes back what it is at the end of the session. */
export type ProfileMode = "read" | "write";

/** Contents of a profile, encrypted. */
export interface SealedProfile {
  /** Id of the encryption key; the key can't be derived from it. */
  readonly keyId: string;
  /** Size of the state before it was encrypted, in bytes. */
  readonly bytes: number;
  /** The sites that it has something of, encrypted: what lists show. */
  readonly sites: Uint8Array;
  /** Cookies and storage, encrypted. */
  readonly state: Uint8Array;
}

/** A profile of a key, by name. */
export interface ProfileName {
  /** Name of its key; null for the key that the service was started with. */
  readonly key: string | null;
  /** Its name, unique for its key. */
  readonly name: string;
}

/** One session's use of a profile. */
export interface ProfileUse {
  /** Id of the session. */
  readonly session_id: string;
  /** Name of the profile, which may be deleted by now. */
  readonly name: string;
  /** How it is used. */
  readonly mode: ProfileMode;
  /**
   * Result of writing it back. `open`: the session goes on. `read`: there was nothing to write. `saved`: it was written back. `failed`: it could
   * not be, or the profile was deleted meanwhile. `lost`: the session ended before it could be, as with its node. In the last two cases the
   * version before stands.
   */
  readonly outcome: "open" | "read" | "saved" | "failed" | "lost";
  /** Reason of `failed` and `lost`, or what is missing of what was `saved`; null otherwise. Contains no value. */
  readonly why: string | null;
  /** When that was known, in milliseconds since 1970; null while it is open, and where nobody was there to note it. */
  readonly settled_ms: number | null;
}

/** A profile, without its cookies and storage. */
export interface ProfileRecord extends ProfileName {
  /** Its id, a UUID, which no other profile gets. */
  readonly profile_id: string;
  /** When it was made, in milliseconds since 1970. */
  readonly created_ms: number;
  /** When it was last written, in milliseconds since 1970; null: never, it is empty. */
  readonly saved_ms: number | null;
  /** When a session last began with it, in milliseconds since 1970; null: never. */
  readonly used_ms: number | null;
  /** How often it was written. */
  readonly version: number;
  /** Id of the key that it is encrypted with; null while it is empty. */
  readonly key_id: string | null;
  /** Size of its state before it was encrypted, in bytes. */
  readonly bytes: number;
  /** Its sites, encrypted; null while it is empty. */
  readonly sites: Uint8Array | null;
  /** Session that is open and will write it back; null: none. */
  readonly writer: string | null;
  /** The newest use that had to write it back, for a week; null: none. */
  readonly last_write: ProfileUse | null;
}

/** A profile with its cookies and storage, encrypted. */
export interface StoredProfile extends Pick<
  ProfileRecord,
  "profile_id" | "key" | "name" | "version" | "key_id" | "sites"
> {
  /** Its cookies and storage, encrypted; null while it is empty. */
  readonly state: Uint8Array | null;
}

/** Request of a session for a profile. */
export interface ProfileClaim extends ProfileName {
  /** Id of the session, whose record is written. */
  readonly sessionId: string;
  /** How it is used; `write` makes it when there is none. */
  readonly mode: ProfileMode;
  /** Time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Most profiles of its key. */
  readonly most: number;
}

/** Outcome of a claim. `in-use`: another session that is open writes it back. */
export type Claimed =
  | { readonly outcome: "claimed"; readonly profile: StoredProfile }
  | { readonly outcome: "in-use"; readonly by: string }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "too-many" };

/** Options of storing a profile. */
export interface PutOptions {
  /** Id of the profile that is made or replaced, which its contents are bound to. */
  readonly profileId: string;
  /** Time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Most profiles of its key. */
  readonly most: number;
  /** True to replace one of that name. */
  readonly replace: boolean;
}

/** Outcome of storing a profile. `changed`: there is one of that name with another id. */
export type Put = "created" | "replaced" | "exists" | "changed" | "too-many" | { readonly inUseBy: string };

/** How many profiles there are, and how large they are. */
export interface ProfileTotals {
  /** Size of their states before encryption, in bytes. */
  readonly bytes: number;
  /** How many there are, by the id of their encryption key; null: they are empty. */
  readonly byKey: ReadonlyMap<string | null, number>;
}

/** How long uses are known, in milliseconds: a day longer than sessions, which live for a day at most and are known for a week. */
export const useKeptMs = 9 * 24 * 3_600_000;

/**
 * Profiles, encrypted. One session at a time writes one: whoever has claimed it and is open, as the store of sessions says. So a claim ends
 * with its session, whatever becomes of the node. Every call rejects when the store is unavailable.
 */
export interface ProfileStore {
  /** Claims a profile for a session. */
  claim(claim: ProfileClaim): Promise<Claimed>;
  /** Returns the open session that writes a profile back; undefined when there is no such profile, and null when none does. */
  findWriter(profile: ProfileName): Promise<string | null | undefined>;
  /**
   * Writes back what a session that is open has claimed for that.
   *
   * @param why - What is missing of it; null: nothing.
   * @returns Whether that was written; otherwise the profile was deleted, or the session has ended for others.
   */
  save(sessionId: string, sealed: SealedProfile, nowMs: number, why: string | null): Promise<boolean>;
  /** Notes that a use has ended without writing; does nothing when its outcome is known. */
  settle(sessionId: string, outcome: "read" | "failed", why: string | null, nowMs: number): Promise<void>;
  /** Stores a profile from outside. */
  put(profile: ProfileName, sealed: SealedProfile, options: PutOptions): Promise<Put>;
  /** Stores the same contents under another encryption key; returns whether the version was still that one. */
  reseal(profileId: string, version: number, sealed: SealedProfile): Promise<boolean>;
  /** Returns profiles by key and name: those of one key, or of all. */
  list(key: string | null | undefined): Promise<readonly ProfileRecord[]>;
  /** Returns a profile; undefined when there is none. */
  get(profile: ProfileName): Promise<ProfileRecord | undefined>;
  /** Returns a profile with its contents; undefined when there is none. */
  read(profile: ProfileName): Promise<StoredProfile | undefined>;
  /** Returns some profiles that are encrypted with another key than this one, and after this id. */
  listSealedOtherwise(keyId: string, afterId: string, limit: number): Promise<readonly StoredProfile[]>;
  /** Deletes a profile, also while a session uses it. Returns the open session that would have written it back; undefined when there was none such profile. */
  delete(profile: ProfileName): Promise<{ readonly writer: string | null } | undefined>;
  /** Returns the uses of sessions. */
  readUses(sessionIds: readonly string[]): Promise<readonly ProfileUse[]>;
  /** Returns how many there are. */
  countTotals(): Promise<ProfileTotals>;
}

/** A row of a use, beside its session. */
export interface UseRow {
  readonly session_id: string;
  readonly name: string;
  readonly mode: ProfileMode;
  readonly outcome: "read" | "saved" | "failed" | null;
  readonly why: string | null;
  readonly settled_ms: number | null;
  /** When its session ended; null while that is open, or not known any more. */
  readonly session_ended_ms: number | null;
  /** Reason of the end of its session. */
  readonly end_reason: EndReason | null;
  /** Id of its session where that is known. */
  readonly known_session_id: string | null;
}

/** Returns a use as its row and its session tell. */
export function readUse(row: UseRow): ProfileUse {
  const { session_id, name, mode, outcome, why, settled_ms, session_ended_ms, end_reason, known_session_id } = row;
  const use = { session_id, name, mode };
  if (outcome !== null) return { ...use, outcome, why, settled_ms };
  if (known_session_id !== null && session_ended_ms === null)
    return { ...use, outcome: "open", why: null, settled_ms: null };
  if (mode === "read") return { ...use, outcome: "read", why: null, settled_ms: session_ended_ms };
  return {
    ...use,
    outcome: "lost",
    why: `the session ended (${end_reason ?? "unknown"})`,
    settled_ms: session_ended_ms,
  };
}
