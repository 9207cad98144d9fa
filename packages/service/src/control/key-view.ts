import type { KeyRecord } from "../storage/key-store.ts";

/** A key as the control interface shows it: all but the key itself. */
export interface KeyView extends Pick<KeyRecord, "name" | "roles" | "quota"> {
  /** State of the key. */
  readonly state: "active" | "revoked";
  /** Time of creation: ISO 8601, UTC. */
  readonly created_at: string;
  /** When it was revoked; null while it is good. */
  readonly revoked_at: string | null;
}

/** Returns a key as `/control` shows it. */
export function viewOfKey({ name, roles, quota, created_ms, revoked_ms }: KeyRecord): KeyView {
  return {
    name,
    state: revoked_ms === null ? "active" : "revoked",
    roles,
    quota,
    created_at: new Date(created_ms).toISOString(),
    revoked_at: revoked_ms === null ? null : new Date(revoked_ms).toISOString(),
  };
}
