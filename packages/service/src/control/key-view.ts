import { findKeyState } from "../keys/keys.ts";
import type { KeyRecord } from "../storage/key-store.ts";

/** A key as the control interface shows it: all but the key itself. */
export interface KeyView extends Pick<KeyRecord, "name" | "roles" | "quota"> {
  /** State of the key. */
  readonly state: "active" | "expired" | "revoked";
  /** Time of creation: ISO 8601, UTC. */
  readonly created_at: string;
  /** When it expires; null: never. */
  readonly expires_at: string | null;
  /** When it was revoked; null while it is good. */
  readonly revoked_at: string | null;
}

/** Returns a key as `/control` shows it. */
export function viewKey(key: KeyRecord, nowMs: number): KeyView {
  const { name, roles, quota, created_ms, expires_ms, revoked_ms } = key;
  return {
    name,
    state: findKeyState(key, nowMs),
    roles,
    quota,
    created_at: new Date(created_ms).toISOString(),
    expires_at: expires_ms === null ? null : new Date(expires_ms).toISOString(),
    revoked_at: revoked_ms === null ? null : new Date(revoked_ms).toISOString(),
  };
}
