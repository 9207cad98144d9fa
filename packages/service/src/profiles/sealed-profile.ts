import type { StorageState } from "@cloud-browser/browsers";
import type { ProfileRecord, SealedProfile, StoredProfile } from "../storage/profile-store.ts";
import type { ProfileCipher } from "./profile-cipher.ts";
import type { ProfileSite } from "./profile-sites.ts";

/** Encrypts the contents of a profile, given as JSON, and its sites. */
export function sealProfile(
  cipher: ProfileCipher,
  profileId: string,
  text: string,
  sites: readonly ProfileSite[],
): SealedProfile {
  return {
    keyId: cipher.keyId,
    bytes: Buffer.byteLength(text),
    sites: cipher.seal(profileId, "sites", JSON.stringify(sites)),
    state: cipher.seal(profileId, "state", text),
  };
}

/**
 * Decrypts a profile; one that was never written is empty.
 *
 * @throws {ServiceError} `profile-unreadable`.
 */
export function openProfile(
  cipher: ProfileCipher,
  { profile_id, key_id, state, sites }: StoredProfile,
): { readonly state: StorageState | undefined; readonly sites: readonly ProfileSite[] } {
  if (key_id === null || state === null || sites === null) return { state: undefined, sites: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `seal`, and authenticated
  const content = JSON.parse(cipher.open(profile_id, "state", key_id, state)) as StorageState;
  return { state: content, sites: readSites(cipher, profile_id, key_id, sites) };
}

function readSites(cipher: ProfileCipher, id: string, keyId: string, sites: Uint8Array): readonly ProfileSite[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `seal`, and authenticated
  return JSON.parse(cipher.open(id, "sites", keyId, sites)) as readonly ProfileSite[];
}

/** Returns the sites of a profile; undefined where they can't be decrypted. */
export function openSites(cipher: ProfileCipher, record: ProfileRecord): readonly ProfileSite[] | undefined {
  const { profile_id, key_id, sites } = record;
  if (key_id === null || sites === null) return [];
  try {
    return readSites(cipher, profile_id, key_id, sites);
  } catch {
    return undefined; // with a key that is not there, as the state of the key says
  }
}
