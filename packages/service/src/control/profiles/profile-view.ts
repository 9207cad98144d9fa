import { mainKey } from "../../keys/keys.ts";
import type { ProfileSite } from "../../profiles/profile-sites.ts";
import type { Profiles, ReadProfile } from "../../profiles/profiles.ts";
import { type ProfileUseView, viewUse } from "../session-view.ts";

/** A site of a profile, as the control interface shows it. */
export interface ProfileSiteView extends Omit<ProfileSite, "login_since_ms" | "login_expires_ms"> {
  /** When a login was first saved: ISO 8601, UTC. */
  readonly login_since: string | null;
  /** When the first cookie of the login expires. */
  readonly login_expires_at: string | null;
}

/** A profile as the control interface shows it: no value of it. */
export interface ProfileView {
  /** Its name. */
  readonly name: string;
  /** Name of its key. */
  readonly key: string;
  /** When it was made: ISO 8601, UTC. */
  readonly created_at: string;
  /** When it was last written; null: never. */
  readonly saved_at: string | null;
  /** When a session last began with it; null: never. */
  readonly used_at: string | null;
  /** How often it was written. */
  readonly version: number;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Which key it is encrypted with; null while it is empty. */
  readonly encryption_key: "current" | "old" | "unknown" | null;
  /** Session that writes it back at its end. */
  readonly in_use_by: string | null;
  /** The newest use that had to write it back. */
  readonly last_write: (ProfileUseView & { readonly session_id: string }) | null;
  /** Its sites; null when it can't be decrypted. */
  readonly sites: readonly ProfileSiteView[] | null;
}

/** Returns a profile as `/control` shows it. */
export function viewProfile(profiles: Pick<Profiles, "findKeyState">, { record, sites }: ReadProfile): ProfileView {
  const { name, key, created_ms, saved_ms, used_ms, version, bytes, key_id, writer, last_write: last } = record;
  return {
    name,
    key: key ?? mainKey,
    created_at: new Date(created_ms).toISOString(),
    saved_at: findTime(saved_ms),
    used_at: findTime(used_ms),
    version,
    bytes,
    encryption_key: profiles.findKeyState(key_id),
    in_use_by: writer,
    last_write: last && { session_id: last.session_id, ...viewUse(last) },
    sites:
      sites?.map(({ login_since_ms, login_expires_ms, ...site }) => ({
        ...site,
        login_since: findTime(login_since_ms),
        login_expires_at: findTime(login_expires_ms),
      })) ?? null,
  };
}

function findTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
