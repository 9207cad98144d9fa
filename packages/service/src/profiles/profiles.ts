import { randomUUID } from "node:crypto";
import type { StorageState } from "@cloud-browser/browsers";
import { ServiceError } from "../service-error.ts";
import type {
  ProfileMode,
  ProfileName,
  ProfileRecord,
  ProfileStore,
  ProfileUse,
  Put,
} from "../storage/profile-store.ts";
import type { ProfileCipher } from "./profile-cipher.ts";
import { type ProfileSite, listSites } from "./profile-sites.ts";
import { openProfile, sealProfile, openSites } from "./sealed-profile.ts";
import { SessionProfile, type UseResult } from "./session-profile.ts";

/** Limits of profiles. */
export interface ProfileLimits {
  /** Most profiles of a key. */
  readonly count: number;
  /** Largest profile, in bytes. */
  readonly bytes: number;
}

/** Dependencies of the profiles. */
export interface ProfilesParts {
  /** Where they are kept. */
  readonly store: ProfileStore;
  /** Encrypts them; undefined where the service has no key for that: there are none. */
  readonly cipher: ProfileCipher | undefined;
  /** Their limits. */
  readonly limits: ProfileLimits;
  /** Returns the current time. */
  readonly clock: { readonly now: () => number };
  /** Returns the quota of profiles of an API key; null: none. Default: none has one. */
  readonly readQuota?: (key: string) => Promise<number | null>;
  /** Called when a session that had to write a profile back has ended. */
  readonly onWriteBack?: (sessionId: string, result: UseResult) => void;
}

/** How a session asks for a profile. */
export interface ProfileRequest {
  /** Its name. */
  readonly name: string;
  /** How it is used. Default: `write`. */
  readonly mode?: ProfileMode;
}

/** A profile and what it has of each site; undefined where that can't be decrypted. */
export interface ReadProfile {
  readonly record: ProfileRecord;
  readonly sites: readonly ProfileSite[] | undefined;
}

/** Most profiles that are encrypted anew at a time. */
const resealed = 20;

/** The profiles of the service: logins and storage that sessions begin with. */
export class Profiles {
  readonly #parts: ProfilesParts;

  constructor(parts: ProfilesParts) {
    this.#parts = parts;
  }

  /** True when the service has a key for them. */
  get areEnabled(): boolean {
    return this.#parts.cipher !== undefined;
  }

  /** Largest profile, in bytes. */
  get maxBytes(): number {
    return this.#parts.limits.bytes;
  }

  /**
   * Throws when a session would not get a profile, as far as that can be known before.
   *
   * @throws {ServiceError} `profiles-disabled`, `unknown-profile`, `profile-in-use`.
   */
  async check({ name, mode = "write" }: ProfileRequest, key: string | null): Promise<void> {
    this.#requireCipher();
    const writer = await this.#parts.store.findWriter({ key, name });
    if (mode === "read" && writer === undefined) throw makeUnknownError(name);
    if (mode === "write" && typeof writer === "string") throw makeInUseError(name, writer);
  }

  /**
   * Claims a profile for a session whose record is written.
   *
   * @throws {ServiceError} As `check`; `busy` when the key has as many as it may have, `profile-unreadable`.
   */
  async begin(
    { name, mode = "write" }: ProfileRequest,
    key: string | null,
    sessionId: string,
  ): Promise<SessionProfile> {
    const cipher = this.#requireCipher();
    const { store, clock, limits, onWriteBack } = this.#parts;
    const now = (): number => clock.now();
    const most = await this.#readMost(key);
    const claimed = await store.claim({ key, name, mode, sessionId, nowMs: now(), most });
    if (claimed.outcome === "unknown") throw makeUnknownError(name);
    if (claimed.outcome === "too-many") throw makeLimitError(most);
    if (claimed.outcome === "in-use") throw makeInUseError(name, claimed.by);
    const { profile } = claimed;
    const settle = (outcome: "read" | "failed", why: string | null): Promise<void> =>
      store.settle(sessionId, outcome, why, now());
    try {
      const { state, sites } = openProfile(cipher, profile);
      return new SessionProfile({
        mode,
        state,
        maxBytes: limits.bytes,
        now,
        seal: (next, text) => sealProfile(cipher, profile.profile_id, text, listSites(next, sites, now())),
        save: (sealed, missing) => store.save(sessionId, sealed, now(), missing),
        settle,
        onEnd: (result) => {
          if (mode === "write") onWriteBack?.(sessionId, result);
        },
      });
    } catch (error) {
      const why = error instanceof ServiceError ? error.message : "it can't be read";
      await settle(mode === "write" ? "failed" : "read", why).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Stores a profile from outside.
   *
   * @returns Whether there was one before.
   * @throws {ServiceError} `profiles-disabled`, `profile-in-use`, `busy` when the key has as many as it may have, `usage` when there is one
   * and it is not to be replaced, or when it is too large.
   */
  async put(of: ProfileName, state: StorageState, replace: boolean): Promise<boolean> {
    const cipher = this.#requireCipher();
    const { store, clock, limits } = this.#parts;
    const text = JSON.stringify(state);
    const size = Buffer.byteLength(text);
    if (size > limits.bytes)
      throw new ServiceError("usage", `the profile has ${size} bytes, and may have ${limits.bytes}`);
    const nowMs = clock.now();
    const sites = listSites(state, [], nowMs);
    const most = await this.#readMost(of.key);
    // Its contents are bound to its id, which is another one when it is deleted and made again meanwhile.
    const putOnce = async (): Promise<Put> => {
      const profileId = (await store.get(of))?.profile_id ?? randomUUID();
      const sealed = sealProfile(cipher, profileId, text, sites);
      return store.put(of, sealed, { profileId, nowMs, most, replace });
    };
    let put = await putOnce();
    while (put === "changed") put = await putOnce();
    if (put === "too-many") throw makeLimitError(most);
    if (put === "exists")
      throw new ServiceError("usage", `there is a profile ${of.name}; set replace to true to replace it`, {
        loc: ["name"],
      });
    if (typeof put === "object") throw makeInUseError(of.name, put.inUseBy);
    return put === "replaced";
  }

  /** Returns the profiles of one key; undefined: of all. @throws {ServiceError} `profiles-disabled` */
  async list(key: string | null | undefined): Promise<readonly ReadProfile[]> {
    const cipher = this.#requireCipher();
    return (await this.#parts.store.list(key)).map((record) => ({ record, sites: openSites(cipher, record) }));
  }

  /** Returns a profile. @throws {ServiceError} `profiles-disabled`, `unknown-profile` */
  async get(of: ProfileName): Promise<ReadProfile> {
    const cipher = this.#requireCipher();
    const record = await this.#parts.store.get(of);
    if (!record) throw makeUnknownError(of.name);
    return { record, sites: openSites(cipher, record) };
  }

  /** Returns cookies and storage of a profile, all of them secrets. @throws {ServiceError} `profiles-disabled`, `unknown-profile`, `profile-unreadable` */
  async export(of: ProfileName): Promise<StorageState> {
    const cipher = this.#requireCipher();
    const stored = await this.#parts.store.read(of);
    if (!stored) throw makeUnknownError(of.name);
    return openProfile(cipher, stored).state ?? { cookies: [], origins: [] };
  }

  /**
   * Deletes a profile, also while a session uses it: that goes on with what it has, and writes nothing back.
   *
   * @returns The session that would have written it back; null: none.
   * @throws {ServiceError} `unknown-profile`.
   */
  async delete(of: ProfileName): Promise<string | null> {
    const deleted = await this.#parts.store.delete(of);
    if (!deleted) throw makeUnknownError(of.name);
    return deleted.writer;
  }

  /** Encrypts all profiles with the first key that are encrypted with another one. Returns how many were, and how many can't be read. */
  async reencrypt(): Promise<{ readonly reencrypted: number; readonly unreadable: number }> {
    const cipher = this.#requireCipher();
    const { store } = this.#parts;
    let [reencrypted, unreadable, after] = [0, 0, ""];
    for (;;) {
      const some = await store.listSealedOtherwise(cipher.keyId, after, resealed);
      const last = some.at(-1);
      if (!last) return { reencrypted, unreadable };
      after = last.profile_id;
      for (const one of some) {
        try {
          const { state, sites } = openProfile(cipher, one);
          if (!state) continue;
          const again = sealProfile(cipher, one.profile_id, JSON.stringify(state), sites);
          // One that was written meanwhile has the first key by that.
          if (await store.reseal(one.profile_id, one.version, again)) reencrypted += 1;
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== "profile-unreadable") throw error;
          unreadable += 1;
        }
      }
    }
  }

  /** Returns how sessions use profiles, by their ids; none where the service has no key for them. */
  async readUses(sessionIds: readonly string[]): Promise<ReadonlyMap<string, ProfileUse>> {
    if (!this.areEnabled || sessionIds.length === 0) return new Map();
    return new Map((await this.#parts.store.readUses(sessionIds)).map((use) => [use.session_id, use]));
  }

  /** Returns which key a profile is encrypted with, by its id: the one that encrypts, one that only decrypts, or none of them. */
  findKeyState(keyId: string | null): "current" | "old" | "unknown" | null {
    const { cipher } = this.#parts;
    if (keyId === null) return null;
    if (keyId === cipher?.keyId) return "current";
    return cipher?.has(keyId) ? "old" : "unknown";
  }

  /** Returns how many profiles there are by the state of their key, and their size in bytes; none where the service has no key for them. */
  async countTotals(): Promise<{ readonly bytes: number; readonly counts: ReadonlyMap<string, number> }> {
    const none = { bytes: 0, byKey: new Map<string | null, number>() };
    const { bytes, byKey } = this.areEnabled ? await this.#parts.store.countTotals() : none;
    const counts = new Map([
      ["current", 0],
      ["old", 0],
      ["unknown", 0],
    ]);
    for (const [keyId, count] of byKey) {
      const state = this.findKeyState(keyId) ?? "current";
      counts.set(state, (counts.get(state) ?? 0) + count);
    }
    return { bytes, counts };
  }

  /** Returns why profiles can't be read, as a phrase; undefined when all can, or the service has no key for them. */
  async findFault(): Promise<string | undefined> {
    const unknownCount = (await this.countTotals()).counts.get("unknown") ?? 0;
    if (unknownCount === 0) return undefined;
    return `${unknownCount} of the profiles are encrypted with a key that this service does not have; add it after the first one, or delete them`;
  }

  #requireCipher(): ProfileCipher {
    const { cipher } = this.#parts;
    if (cipher) return cipher;
    throw new ServiceError(
      "profiles-disabled",
      "profiles are disabled: the service has no key to encrypt them with; set CLOUD_BROWSER_PROFILE_KEY",
    );
  }

  /** Most profiles of an API key. */
  async #readMost(key: string | null): Promise<number> {
    const { limits, readQuota } = this.#parts;
    const quota = key === null ? null : await readQuota?.(key);
    return Math.min(limits.count, quota ?? Infinity);
  }
}

function makeLimitError(most: number): ServiceError {
  const why = `profile limit (${most}) of the key reached; delete one, or let the operator of the service raise it`;
  return new ServiceError("busy", why);
}

function makeUnknownError(name: string): ServiceError {
  return new ServiceError(
    "unknown-profile",
    `there is no profile ${name}; a session with mode write makes one, or upload it`,
  );
}

function makeInUseError(name: string, sessionId: string): ServiceError {
  const why = `the profile ${name} is in use: the session ${sessionId} writes it back at its end; end that one, or ask for mode read`;
  return new ServiceError("profile-in-use", why);
}
