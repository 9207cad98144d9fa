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
import type { PostgresDatabase, Query } from "./postgres-database.ts";

const contents = "profile_id, nullif(owner, '') AS key, name, version, key_id, sites, state";
const columns = `profile_id, nullif(owner, '') AS key, name, created_ms, saved_ms, used_ms, version, key_id, bytes, sites`;
const uses = `SELECT profile_id, profile_uses.session_id, name, mode, outcome, why, settled_ms,
    sessions.session_id AS known, sessions.ended_ms AS session_ended_ms, sessions.end_reason
  FROM profile_uses LEFT JOIN sessions ON sessions.session_id = profile_uses.session_id`;
const openWriter = `mode = 'write' AND outcome IS NULL AND sessions.session_id IS NOT NULL AND sessions.ended_ms IS NULL`;
const insertion = "INSERT INTO profiles (profile_id, owner, name, created_ms) VALUES ($1, $2, $3, $4)";

/**
 * Profiles in a database that all nodes share. Whoever claims, writes or deletes one locks its row first and looks at its writer then: of two
 * sessions that claim it at once the second sees the first.
 */
export class PostgresProfileStore implements ProfileStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  claim({ key, name, sessionId, mode, nowMs, most }: ProfileClaim): Promise<Claimed> {
    return this.#database.transaction(async (query) => {
      await query("DELETE FROM profile_uses WHERE began_ms < $1", [nowMs - useKeptMs]);
      const before = await lock(query, { key, name }, mode === "write");
      if (!before && mode === "read") return { outcome: "unknown" };
      if (!before) {
        if ((await countProfiles(query, key)) >= most) return { outcome: "too-many" };
        await query(insertion, [randomUUID(), nameOwner(key), name, nowMs]);
      }
      const profile = before ?? (await lock(query, { key, name }, true));
      if (!profile) throw new Error("the profile is gone");
      const { profile_id: id } = profile;
      const by = mode === "write" ? await findWriter(query, id) : null;
      if (by !== null) return { outcome: "in-use", by };
      await query("UPDATE profiles SET used_ms = $2 WHERE profile_id = $1", [id, nowMs]);
      const use = "INSERT INTO profile_uses (session_id, profile_id, name, mode, began_ms) VALUES ($1, $2, $3, $4, $5)";
      await query(use, [sessionId, id, name, mode, nowMs]);
      return { outcome: "claimed", profile };
    });
  }

  async findWriter({ key, name }: ProfileName): Promise<string | null | undefined> {
    const [row] = await this.#database.query<{ profile_id: string }>(
      "SELECT profile_id FROM profiles WHERE owner = $1 AND name = $2",
      [nameOwner(key), name],
    );
    return row && findWriter(this.#database.query, row.profile_id);
  }

  save(sessionId: string, sealed: SealedProfile, nowMs: number, why: string | null): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      // The session can't be ended by another node before that is committed.
      const [use] = await query<{ profile_id: string }>(
        `SELECT profile_id FROM profile_uses JOIN sessions USING (session_id)
          WHERE session_id = $1 AND mode = 'write' AND outcome IS NULL AND ended_ms IS NULL FOR UPDATE`,
        [sessionId],
      );
      if (!use || !(await write(query, use.profile_id, sealed, nowMs))) return false;
      const settle = "UPDATE profile_uses SET outcome = 'saved', why = $2, settled_ms = $3 WHERE session_id = $1";
      await query(settle, [sessionId, why, nowMs]);
      return true;
    });
  }

  async settle(sessionId: string, outcome: "read" | "failed", why: string | null, nowMs: number): Promise<void> {
    await this.#database.query(
      `UPDATE profile_uses SET outcome = $2, why = $3, settled_ms = $4 WHERE session_id = $1 AND outcome IS NULL`,
      [sessionId, outcome, why, nowMs],
    );
  }

  put(
    { key, name }: ProfileName,
    sealed: SealedProfile,
    { profileId, nowMs, most, replace }: PutOptions,
  ): Promise<Put> {
    return this.#database.transaction(async (query) => {
      const before = await lock(query, { key, name }, true);
      if (!before) {
        if ((await countProfiles(query, key)) >= most) return "too-many";
        await query(insertion, [profileId, nameOwner(key), name, nowMs]);
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
    const changed = await this.#database.query(
      `UPDATE profiles SET key_id = $3, sites = $4, state = $5 WHERE profile_id = $1 AND version = $2 RETURNING 1`,
      [profileId, version, keyId, Buffer.from(sites), Buffer.from(state)],
    );
    return changed.length > 0;
  }

  list(key: string | null | undefined): Promise<readonly ProfileRecord[]> {
    const [where, values] = key === undefined ? ["TRUE", []] : ["owner = $1", [nameOwner(key)]];
    return this.#records(
      `SELECT ${columns} FROM profiles WHERE ${where} ORDER BY owner COLLATE "C", name COLLATE "C"`,
      values,
    );
  }

  async get({ key, name }: ProfileName): Promise<ProfileRecord | undefined> {
    const select = `SELECT ${columns} FROM profiles WHERE owner = $1 AND name = $2`;
    return (await this.#records(select, [nameOwner(key), name]))[0];
  }

  async read({ key, name }: ProfileName): Promise<StoredProfile | undefined> {
    const select = `SELECT ${contents} FROM profiles WHERE owner = $1 AND name = $2`;
    return (await this.#database.query<StoredProfile>(select, [nameOwner(key), name]))[0];
  }

  sealedOtherwise(keyId: string, afterId: string, limit: number): Promise<readonly StoredProfile[]> {
    const select = `SELECT ${contents} FROM profiles WHERE key_id <> $1 AND profile_id > $2 ORDER BY profile_id LIMIT $3`;
    return this.#database.query<StoredProfile>(select, [keyId, afterId, limit]);
  }

  delete(profile: ProfileName): Promise<{ readonly writer: string | null } | undefined> {
    return this.#database.transaction(async (query) => {
      const found = await lock(query, profile, false);
      if (!found) return undefined;
      const writer = await findWriter(query, found.profile_id);
      await query("DELETE FROM profiles WHERE profile_id = $1", [found.profile_id]);
      return { writer };
    });
  }

  async readUses(sessionIds: readonly string[]): Promise<readonly ProfileUse[]> {
    const select = `${uses} WHERE profile_uses.session_id = ANY ($1)`;
    return (await this.#database.query<UseRow>(select, [sessionIds])).map(readUse);
  }

  async totals(): Promise<ProfileTotals> {
    const rows = await this.#database.query<{ key_id: string | null; count: number; bytes: number }>(
      "SELECT key_id, count(*) AS count, sum(bytes)::bigint AS bytes FROM profiles GROUP BY key_id",
    );
    return {
      bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
      byKey: new Map(rows.map(({ key_id, count }) => [key_id, count])),
    };
  }

  async #records(select: string, values: readonly unknown[]): Promise<readonly ProfileRecord[]> {
    const rows = await this.#database.query<Omit<ProfileRecord, "writer" | "last_write">>(select, values);
    const ids = rows.map(({ profile_id }) => profile_id);
    const writes = await this.#database.query<UseRow & { readonly profile_id: string }>(
      `${uses} WHERE profile_id = ANY ($1) AND mode = 'write' ORDER BY began_ms`,
      [ids],
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
}

/**
 * Locks a profile until the end of the transaction, and returns it.
 *
 * @param mayBeMade - True when it is made if there is none: nobody else makes one of the same key meanwhile.
 */
async function lock(query: Query, { key, name }: ProfileName, mayBeMade: boolean): Promise<StoredProfile | undefined> {
  if (mayBeMade) await query("SELECT pg_advisory_xact_lock(724011930, hashtext($1))", [nameOwner(key)]);
  const select = `SELECT ${contents} FROM profiles WHERE owner = $1 AND name = $2 FOR UPDATE`;
  return (await query<StoredProfile>(select, [nameOwner(key), name]))[0];
}

async function countProfiles(query: Query, key: string | null): Promise<number> {
  const [row] = await query<{ count: number }>("SELECT count(*) FROM profiles WHERE owner = $1", [nameOwner(key)]);
  return row?.count ?? 0;
}

async function findWriter(query: Query, id: string): Promise<string | null> {
  const [use] = await query<UseRow>(`${uses} WHERE profile_id = $1 AND ${openWriter}`, [id]);
  return use?.session_id ?? null;
}

async function write(query: Query, id: string, sealed: SealedProfile, nowMs: number): Promise<boolean> {
  const { keyId, bytes, sites, state } = sealed;
  const changed = await query(
    `UPDATE profiles SET key_id = $2, bytes = $3, sites = $4, state = $5, saved_ms = $6, version = version + 1
      WHERE profile_id = $1 RETURNING 1`,
    [id, keyId, bytes, Buffer.from(sites), Buffer.from(state), nowMs],
  );
  return changed.length > 0;
}

/** The column is part of a unique index, in which null would differ from null; no key has an empty name. */
function nameOwner(key: string | null): string {
  return key ?? "";
}
