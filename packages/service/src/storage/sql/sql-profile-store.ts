import { randomUUID } from "node:crypto";
import {
  type Claimed,
  type ProfileClaim,
  type ProfileName,
  type ProfileRecord,
  type ProfileStore,
  type ProfileTotals,
  type ProfileUse,
  type Put,
  type PutOptions,
  type SealedProfile,
  type StoredProfile,
  useKeptMs,
  readUse,
  type UseRow,
} from "../profile-store.ts";
import type { Query, SqlDatabase, SqlValues } from "./sql-database.ts";

const contents = "profile_id, nullif(owner, '') AS key, name, version, key_id, sites, state";
const columns = `profile_id, nullif(owner, '') AS key, name, created_ms, saved_ms, used_ms, version, key_id, bytes, sites`;
const uses = `SELECT profile_id, profile_uses.session_id, name, mode, outcome, why, settled_ms,
    sessions.session_id AS known_session_id, sessions.ended_ms AS session_ended_ms, sessions.end_reason
  FROM profile_uses LEFT JOIN sessions ON sessions.session_id = profile_uses.session_id`;
const openWriter = `mode = 'write' AND outcome IS NULL AND sessions.session_id IS NOT NULL AND sessions.ended_ms IS NULL`;
const isNewest = `began_ms = (SELECT max(newer.began_ms) FROM profile_uses AS newer
  WHERE newer.profile_id = profile_uses.profile_id AND newer.mode = 'write')`;
const isNamed = "owner = :owner AND name = :name";
const insertion = "INSERT INTO profiles (profile_id, owner, name, created_ms) VALUES (:id, :owner, :name, :now)";

/**
 * Profiles in a file of one process, or in a database that all nodes share. Whoever claims, writes or deletes one locks its row first and looks
 * at its writer then: of two sessions that claim it at once the second sees the first.
 */
export class SqlProfileStore implements ProfileStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  claim({ key, name, sessionId, mode, nowMs, most }: ProfileClaim): Promise<Claimed> {
    return this.#database.transact(async (query) => {
      await query("DELETE FROM profile_uses WHERE began_ms < :before", { before: nowMs - useKeptMs });
      const before = await this.#lock(query, { key, name }, mode === "write");
      if (!before && mode === "read") return { outcome: "unknown" };
      if (!before) {
        if ((await countProfiles(query, key)) >= most) return { outcome: "too-many" };
        await query(insertion, { id: randomUUID(), ...nameProfile({ key, name }), now: nowMs });
      }
      const profile = before ?? (await this.#lock(query, { key, name }, true));
      if (!profile) throw new Error("the profile is gone");
      const { profile_id: id } = profile;
      const by = mode === "write" ? await findWriter(query, id) : null;
      if (by !== null) return { outcome: "in-use", by };
      await query("UPDATE profiles SET used_ms = :now WHERE profile_id = :id", { id, now: nowMs });
      await query(
        "INSERT INTO profile_uses (session_id, profile_id, name, mode, began_ms) VALUES (:session, :id, :name, :mode, :now)",
        { session: sessionId, id, name, mode, now: nowMs },
      );
      return { outcome: "claimed", profile };
    });
  }

  async findWriter(profile: ProfileName): Promise<string | null | undefined> {
    const select = `SELECT profile_id FROM profiles WHERE ${isNamed}`;
    const [row] = await this.#database.query<{ profile_id: string }>(select, nameProfile(profile));
    return row && findWriter(this.#database.query, row.profile_id);
  }

  save(sessionId: string, sealed: SealedProfile, nowMs: number, why: string | null): Promise<boolean> {
    return this.#database.transact(async (query) => {
      // The session can't be ended by another node before that is committed.
      const [use] = await query<{ profile_id: string }>(
        `SELECT profile_id FROM profile_uses JOIN sessions USING (session_id)
          WHERE session_id = :session AND mode = 'write' AND outcome IS NULL AND ended_ms IS NULL
          ${this.#database.dialect.lock("FOR UPDATE")}`,
        { session: sessionId },
      );
      if (!use || !(await write(query, use.profile_id, sealed, nowMs))) return false;
      await query(
        "UPDATE profile_uses SET outcome = 'saved', why = :why, settled_ms = :now WHERE session_id = :session",
        { session: sessionId, why, now: nowMs },
      );
      return true;
    });
  }

  async settle(sessionId: string, outcome: "read" | "failed", why: string | null, nowMs: number): Promise<void> {
    await this.#database.query(
      `UPDATE profile_uses SET outcome = :outcome, why = :why, settled_ms = :now
        WHERE session_id = :session AND outcome IS NULL`,
      { session: sessionId, outcome, why, now: nowMs },
    );
  }

  put(profile: ProfileName, sealed: SealedProfile, options: PutOptions): Promise<Put> {
    const { profileId, nowMs, most, replace } = options;
    return this.#database.transact(async (query) => {
      const before = await this.#lock(query, profile, true);
      if (!before) {
        if ((await countProfiles(query, profile.key)) >= most) return "too-many";
        await query(insertion, { id: profileId, ...nameProfile(profile), now: nowMs });
        await write(query, profileId, sealed, nowMs);
        return "created";
      }
      if (!replace) return "exists";
      const inUseBy = await findWriter(query, before.profile_id);
      if (inUseBy !== null) return { inUseBy };
      if (before.profile_id !== profileId) return "changed";
      await write(query, before.profile_id, sealed, nowMs);
      return "replaced";
    });
  }

  async reseal(profileId: string, version: number, { keyId, sites, state }: SealedProfile): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE profiles SET key_id = :key_id, sites = :sites, state = :state
        WHERE profile_id = :id AND version = :version RETURNING 1`,
      { id: profileId, version, key_id: keyId, sites, state },
    );
    return rows.length > 0;
  }

  list(key: string | null | undefined): Promise<readonly ProfileRecord[]> {
    const { byBytes } = this.#database.dialect;
    const where = `${key === undefined ? "TRUE" : "owner = :owner"} ORDER BY owner ${byBytes}, name ${byBytes}`;
    return this.#readRecords(where, { owner: nameOwner(key ?? null) });
  }

  async get(profile: ProfileName): Promise<ProfileRecord | undefined> {
    return (await this.#readRecords(isNamed, nameProfile(profile)))[0];
  }

  async read(profile: ProfileName): Promise<StoredProfile | undefined> {
    const select = `SELECT ${contents} FROM profiles WHERE ${isNamed}`;
    return (await this.#database.query<StoredProfile>(select, nameProfile(profile)))[0];
  }

  listSealedOtherwise(keyId: string, afterId: string, limit: number): Promise<readonly StoredProfile[]> {
    const select = `SELECT ${contents} FROM profiles WHERE key_id <> :key_id AND profile_id > :after
      ORDER BY profile_id LIMIT :limit`;
    return this.#database.query<StoredProfile>(select, { key_id: keyId, after: afterId, limit });
  }

  delete(profile: ProfileName): Promise<{ readonly writer: string | null } | undefined> {
    return this.#database.transact(async (query) => {
      const row = await this.#lock(query, profile, false);
      if (!row) return undefined;
      const writer = await findWriter(query, row.profile_id);
      await query("DELETE FROM profiles WHERE profile_id = :id", { id: row.profile_id });
      return { writer };
    });
  }

  async readUses(sessionIds: readonly string[]): Promise<readonly ProfileUse[]> {
    const isOneOf = this.#database.dialect.isIn("profile_uses.session_id", "ids");
    return (await this.#database.query<UseRow>(`${uses} WHERE ${isOneOf}`, { ids: sessionIds })).map(readUse);
  }

  async countTotals(): Promise<ProfileTotals> {
    const rows = await this.#database.query<{ key_id: string | null; count: number; bytes: number }>(
      "SELECT key_id, count(*) AS count, CAST(sum(bytes) AS bigint) AS bytes FROM profiles GROUP BY key_id",
    );
    return {
      bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
      byKey: new Map(rows.map(({ key_id, count }) => [key_id, count])),
    };
  }

  async #readRecords(where: string, values: SqlValues): Promise<readonly ProfileRecord[]> {
    const select = `SELECT ${columns} FROM profiles WHERE ${where}`;
    const rows = await this.#database.query<Omit<ProfileRecord, "writer" | "last_write">>(select, values);
    const isOneOf = this.#database.dialect.isIn("profile_id", "ids");
    const writes = await this.#database.query<UseRow & { readonly profile_id: string }>(
      `${uses} WHERE ${isOneOf} AND mode = 'write' AND (outcome IS NULL OR ${isNewest}) ORDER BY began_ms`,
      { ids: rows.map(({ profile_id }) => profile_id) },
    );
    const newest = new Map(writes.map((row) => [row.profile_id, readUse(row)]));
    const writers = new Map(
      writes.flatMap((row) => (readUse(row).outcome === "open" ? [[row.profile_id, row.session_id]] : [])),
    );
    return rows.map((row) => {
      const used = { writer: writers.get(row.profile_id) ?? null, last_write: newest.get(row.profile_id) ?? null };
      return Object.assign(row, used);
    });
  }

  /**
   * Locks a profile until the end of the transaction, and returns it.
   *
   * @param mayBeMade - True when it is made if there is none: nobody else makes one of the same key meanwhile.
   */
  async #lock(query: Query, profile: ProfileName, mayBeMade: boolean): Promise<StoredProfile | undefined> {
    const { lock, lockOwner } = this.#database.dialect;
    const values = nameProfile(profile);
    if (mayBeMade && lockOwner !== undefined) await query(lockOwner, values);
    const select = `SELECT ${contents} FROM profiles WHERE ${isNamed} ${lock("FOR UPDATE")}`;
    return (await query<StoredProfile>(select, values))[0];
  }
}

async function countProfiles(query: Query, key: string | null): Promise<number> {
  const select = "SELECT count(*) AS count FROM profiles WHERE owner = :owner";
  const [row] = await query<{ count: number }>(select, { owner: nameOwner(key) });
  return row?.count ?? 0;
}

async function findWriter(query: Query, id: string): Promise<string | null> {
  const [use] = await query<UseRow>(`${uses} WHERE profile_id = :id AND ${openWriter}`, { id });
  return use?.session_id ?? null;
}

async function write(query: Query, id: string, sealed: SealedProfile, nowMs: number): Promise<boolean> {
  const { keyId, bytes, sites, state } = sealed;
  const rows = await query(
    `UPDATE profiles SET key_id = :key_id, bytes = :bytes, sites = :sites, state = :state, saved_ms = :now, version = version + 1
      WHERE profile_id = :id RETURNING 1`,
    { id, key_id: keyId, bytes, sites, state, now: nowMs },
  );
  return rows.length > 0;
}

/** Values of the parameters that name a profile. */
function nameProfile({ key, name }: ProfileName): { readonly owner: string; readonly name: string } {
  return { owner: nameOwner(key), name };
}

/** The column is part of a unique index, in which null would differ from null; no key has an empty name. */
function nameOwner(key: string | null): string {
  return key ?? "";
}
