import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
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

const contents = "profile_id, nullif(owner, '') AS key, name, version, key_id, sites, state";
const columns = `profile_id, nullif(owner, '') AS key, name, created_ms, saved_ms, used_ms, version, key_id, bytes, sites`;
const uses = `SELECT profile_uses.session_id, name, mode, outcome, why, settled_ms,
    sessions.session_id AS known, sessions.ended_ms AS session_ended_ms, sessions.end_reason
  FROM profile_uses LEFT JOIN sessions ON sessions.session_id = profile_uses.session_id`;
const openWriter = `mode = 'write' AND outcome IS NULL AND sessions.session_id IS NOT NULL AND sessions.ended_ms IS NULL`;
const owned = "owner = :owner AND name = :name";

type Values = Record<string, string | number | null | Uint8Array>;

/** Profiles in the database of one process. */
export class SqliteProfileStore implements ProfileStore {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async claim({ key, name, sessionId, mode, nowMs, most }: ProfileClaim): Promise<Claimed> {
    return this.#atomically(() => {
      const of = { owner: nameOwner(key), name };
      this.#run("DELETE FROM profile_uses WHERE began_ms < :before", { before: nowMs - useKeptMs });
      let profile = this.#get<StoredProfile>(`SELECT ${contents} FROM profiles WHERE ${owned}`, of);
      if (!profile) {
        if (mode === "read") return { outcome: "unknown" };
        if (this.#countProfiles(of.owner) >= most) return { outcome: "too-many" };
        const insert = "INSERT INTO profiles (profile_id, owner, name, created_ms) VALUES (:id, :owner, :name, :now)";
        this.#run(insert, { ...of, id: randomUUID(), now: nowMs });
        profile = this.#get<StoredProfile>(`SELECT ${contents} FROM profiles WHERE ${owned}`, of);
      }
      if (!profile) throw new Error("the profile is gone");
      const id = profile.profile_id;
      const by = mode === "write" ? this.#findWriter(id) : null;
      if (by !== null) return { outcome: "in-use", by };
      this.#run("UPDATE profiles SET used_ms = :now WHERE profile_id = :id", { id, now: nowMs });
      const use = `INSERT INTO profile_uses (session_id, profile_id, name, mode, began_ms)
        VALUES (:session, :id, :name, :mode, :now)`;
      this.#run(use, { session: sessionId, id, name, mode, now: nowMs });
      return { outcome: "claimed", profile };
    });
  }

  async findWriter({ key, name }: ProfileName): Promise<string | null | undefined> {
    const id = this.#readId({ key, name });
    return id === undefined ? undefined : this.#findWriter(id);
  }

  async save(sessionId: string, sealed: SealedProfile, nowMs: number, why: string | null): Promise<boolean> {
    return this.#atomically(() => {
      const of = { session: sessionId };
      const select = `SELECT profile_id FROM profile_uses JOIN sessions USING (session_id)
        WHERE session_id = :session AND mode = 'write' AND outcome IS NULL AND ended_ms IS NULL`;
      const id = this.#get<{ profile_id: string }>(select, of)?.profile_id;
      if (id === undefined || !this.#write(id, sealed, nowMs)) return false;
      const settle = `UPDATE profile_uses SET outcome = 'saved', why = :why, settled_ms = :now WHERE session_id = :session`;
      this.#run(settle, { ...of, why, now: nowMs });
      return true;
    });
  }

  async settle(sessionId: string, outcome: "read" | "failed", why: string | null, nowMs: number): Promise<void> {
    const update = `UPDATE profile_uses SET outcome = :outcome, why = :why, settled_ms = :now
      WHERE session_id = :session AND outcome IS NULL`;
    this.#run(update, { session: sessionId, outcome, why, now: nowMs });
  }

  async put(
    { key, name }: ProfileName,
    sealed: SealedProfile,
    { profileId, nowMs, most, replace }: PutOptions,
  ): Promise<Put> {
    return this.#atomically(() => {
      const of = { owner: nameOwner(key), name };
      const id = this.#readId({ key, name });
      if (id === undefined) {
        if (this.#countProfiles(of.owner) >= most) return "too-many";
        const insert = "INSERT INTO profiles (profile_id, owner, name, created_ms) VALUES (:id, :owner, :name, :now)";
        this.#run(insert, { ...of, id: profileId, now: nowMs });
        this.#write(profileId, sealed, nowMs);
        return "created";
      }
      if (!replace) return "exists";
      const inUseBy = this.#findWriter(id);
      if (inUseBy !== null) return { inUseBy };
      if (id !== profileId) return "changed";
      this.#write(id, sealed, nowMs);
      return "replaced";
    });
  }

  async reseal(profileId: string, version: number, { keyId, sites, state }: SealedProfile): Promise<boolean> {
    const update = `UPDATE profiles SET key_id = :keyId, sites = :sites, state = :state
      WHERE profile_id = :id AND version = :version`;
    return this.#run(update, { id: profileId, version, keyId, sites, state }) > 0;
  }

  async list(key: string | null | undefined): Promise<readonly ProfileRecord[]> {
    const [where, values] = key === undefined ? ["TRUE", {}] : ["owner = :owner", { owner: nameOwner(key) }];
    return this.#records(`SELECT ${columns} FROM profiles WHERE ${where} ORDER BY owner, name`, values);
  }

  async get({ key, name }: ProfileName): Promise<ProfileRecord | undefined> {
    return this.#records(`SELECT ${columns} FROM profiles WHERE ${owned}`, { owner: nameOwner(key), name })[0];
  }

  async read({ key, name }: ProfileName): Promise<StoredProfile | undefined> {
    return this.#get(`SELECT ${contents} FROM profiles WHERE ${owned}`, { owner: nameOwner(key), name });
  }

  async sealedOtherwise(keyId: string, afterId: string, limit: number): Promise<readonly StoredProfile[]> {
    const select = `SELECT ${contents} FROM profiles WHERE key_id <> :keyId AND profile_id > :afterId
      ORDER BY profile_id LIMIT :limit`;
    return this.#all(select, { keyId, afterId, limit });
  }

  async delete(profile: ProfileName): Promise<{ readonly writer: string | null } | undefined> {
    return this.#atomically(() => {
      const id = this.#readId(profile);
      if (id === undefined) return undefined;
      const writer = this.#findWriter(id);
      this.#run("DELETE FROM profiles WHERE profile_id = :id", { id });
      return { writer };
    });
  }

  async readUses(sessionIds: readonly string[]): Promise<readonly ProfileUse[]> {
    const select = `${uses} WHERE profile_uses.session_id IN (SELECT value FROM json_each(:ids))`;
    return this.#all<UseRow>(select, { ids: JSON.stringify(sessionIds) }).map(readUse);
  }

  async totals(): Promise<ProfileTotals> {
    const select = "SELECT key_id, count(*) AS count, sum(bytes) AS bytes FROM profiles GROUP BY key_id";
    const rows = this.#all<{ key_id: string | null; count: number; bytes: number }>(select, {});
    return {
      bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
      byKey: new Map(rows.map(({ key_id, count }) => [key_id, count])),
    };
  }

  #readId({ key, name }: ProfileName): string | undefined {
    const of = { owner: nameOwner(key), name };
    return this.#get<{ profile_id: string }>(`SELECT profile_id FROM profiles WHERE ${owned}`, of)?.profile_id;
  }

  #countProfiles(owner: string): number {
    return (
      this.#get<{ count: number }>("SELECT count(*) AS count FROM profiles WHERE owner = :owner", { owner })?.count ?? 0
    );
  }

  #findWriter(id: string): string | null {
    return this.#get<UseRow>(`${uses} WHERE profile_id = :id AND ${openWriter}`, { id })?.session_id ?? null;
  }

  #records(select: string, values: Values): readonly ProfileRecord[] {
    return this.#all<Omit<ProfileRecord, "writer" | "last_write">>(select, values).map((row) => {
      const newest = `${uses} WHERE profile_id = :id AND mode = 'write' ORDER BY began_ms DESC LIMIT 1`;
      const last = this.#get<UseRow>(newest, { id: row.profile_id });
      return Object.assign(row, { writer: this.#findWriter(row.profile_id), last_write: last ? readUse(last) : null });
    });
  }

  #write(id: string, { keyId, bytes, sites, state }: SealedProfile, nowMs: number): boolean {
    const update = `UPDATE profiles SET key_id = :keyId, bytes = :bytes, sites = :sites, state = :state, saved_ms = :now,
      version = version + 1 WHERE profile_id = :id`;
    return this.#run(update, { id, keyId, bytes, sites, state, now: nowMs }) > 0;
  }

  #atomically<Result>(work: () => Result): Result {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #run(statement: string, values: Values): number {
    return Number(this.#database.prepare(statement).run(values).changes);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each statement has rows of its own
  #get<Row>(statement: string, values: Values): Row | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables are ours, and strict
    return this.#database.prepare(statement).get(values) as Row | undefined;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each statement has rows of its own
  #all<Row>(statement: string, values: Values): readonly Row[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables are ours, and strict
    return this.#database.prepare(statement).all(values) as unknown as Row[];
  }
}

/** The column is part of a unique index, in which null would differ from null; no key has an empty name. */
function nameOwner(key: string | null): string {
  return key ?? "";
}
