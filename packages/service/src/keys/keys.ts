import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@cloud-browser/recorder";
import type { Logger } from "pino";
import { ServiceError } from "../service-error.ts";
import type { KeyChange, KeyQuota, KeyRecord, KeyRole, KeyStore } from "../storage/key-store.ts";

/** Holder of an API key. */
export interface KeyHolder {
  /** Name of the key; null for the one that the service was started with. */
  readonly name: string | null;
  /** Its roles. */
  readonly roles: readonly KeyRole[];
  /** How much it may use. */
  readonly quota: KeyQuota;
}

/** A session that a key may have created. */
interface OwnedSession {
  readonly key: string | null;
  readonly end: (reason: "requested") => Promise<void>;
}

/** Name in logs of the key that the service was started with. */
export const mainKey = "main";

/** A quota that bounds nothing. */
export const noQuota: KeyQuota = { sessions: null, runs: null, profiles: null, cost_usd_per_day: null };

/** The keys beside the one that the service was started with. */
export class Keys {
  readonly #store: KeyStore;

  constructor(store: KeyStore) {
    this.#store = store;
  }

  /** Returns the holder of a key; undefined if it is unknown, revoked or expired. @throws {ServiceError} `storage-failed` */
  async find(key: string, nowMs: number): Promise<KeyHolder | undefined> {
    return this.#store.find(hashKey(key), nowMs);
  }

  /**
   * Makes a key, and returns it. It can't be read again: only its hash is kept.
   *
   * @throws {ServiceError} `usage` when a key has or had that name, or the name is `main`.
   */
  async create(key: Pick<KeyRecord, "name" | "roles" | "quota" | "expires_ms">, nowMs: number): Promise<string> {
    if (key.name === mainKey) {
      const why = "main is what logs call the key that the service was started with; choose another name";
      throw new ServiceError("usage", why, { loc: ["name"] });
    }
    const secret = makeKey();
    if (await this.#store.create({ ...key, created_ms: nowMs }, hashKey(secret))) return secret;
    const why = `a key has or had the name ${key.name}; choose another one`;
    throw new ServiceError("usage", why, { loc: ["name"] });
  }

  /** Changes what a key may do, from the next request on; returns it; undefined when no active key has that name. */
  change(name: string, change: KeyChange): Promise<KeyRecord | undefined> {
    return this.#store.change(name, change);
  }

  /**
   * Replaces a key by a new one of the same name, roles, quota and sessions, and returns that. The one before is good for the overlap; one
   * that was replaced earlier is not any more.
   *
   * @returns Undefined when no active key has that name.
   */
  async rotate(name: string, nowMs: number, overlapMs: number): Promise<string | undefined> {
    const secret = makeKey();
    return (await this.#store.replace(name, hashKey(secret), nowMs + overlapMs)) ? secret : undefined;
  }

  /** All keys, those that are revoked too, by name. */
  list(): Promise<readonly KeyRecord[]> {
    return this.#store.list();
  }

  /** Revokes a key permanently; returns whether there was an active one. */
  revoke(name: string, nowMs: number): Promise<boolean> {
    return this.#store.revoke(name, nowMs);
  }

  /** Ends sessions whose key is revoked or has expired, again and again. Returns a function that stops that. */
  watch(
    sessions: { readonly open: readonly OwnedSession[] },
    clock: Pick<Clock, "now">,
    everyMs: number,
    log: Logger,
  ): () => void {
    const look = (): void =>
      void this.endRevoked(sessions.open, clock.now()).catch((err: unknown) =>
        log.error({ err }, "failed to read from the store which keys are revoked"),
      );
    const timer = setInterval(look, everyMs).unref();
    return () => clearInterval(timer);
  }

  /** Ends sessions whose key was revoked, by this process or by another one, or has expired. */
  async endRevoked(sessions: readonly OwnedSession[], nowMs: number): Promise<void> {
    const owned = sessions.filter(({ key }) => key !== null);
    if (owned.length === 0) return;
    const good = new Set(
      (await this.#store.list()).filter((key) => findKeyState(key, nowMs) === "active").map(({ name }) => name),
    );
    await Promise.all(owned.filter(({ key }) => !good.has(key ?? "")).map((session) => session.end("requested")));
  }
}

/** Returns whether a key is good, or why it is not. */
export function findKeyState(
  { revoked_ms, expires_ms }: Pick<KeyRecord, "revoked_ms" | "expires_ms">,
  nowMs: number,
): "active" | "expired" | "revoked" {
  if (revoked_ms !== null) return "revoked";
  return expires_ms !== null && expires_ms <= nowMs ? "expired" : "active";
}

function makeKey(): string {
  return `cb_${randomBytes(32).toString("base64url")}`;
}

/** A key is 32 random bytes: nothing slower than a hash is needed to keep it from being guessed. */
function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
