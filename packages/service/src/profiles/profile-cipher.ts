import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { ServiceError } from "../service-error.ts";

/** A part of a profile that is encrypted by itself: what lists show, and all of it. */
export type ProfilePart = "sites" | "state";

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** First byte of what is encrypted; another way to encrypt gets another one. */
const format = 1;
const howToMake = "make one with: openssl rand -base64 32";

/**
 * Parses encryption keys, which are separated by commas or white space: the first encrypts, the others only decrypt what they have encrypted.
 *
 * @param source - Name of the setting, for errors, which do not repeat the keys.
 * @throws {ServiceError} `usage` when one is not 32 bytes in Base64 or hexadecimal digits.
 */
export function parseProfileKeys(text: string, source: string): readonly Buffer[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) throw new ServiceError("usage", `${source} has no key; ${howToMake}`);
  return words.map((word, index) => {
    const key = decodeBytes(word);
    if (key?.length === keyBytes) return key;
    const which = words.length === 1 ? "the key" : `key ${index + 1} of ${words.length}`;
    const fault = key === undefined ? "is neither Base64 nor hexadecimal" : `has ${key.length} bytes`;
    throw new ServiceError("usage", `${source}: ${which} ${fault}; a key has ${keyBytes} bytes: ${howToMake}`);
  });
}

/** Encrypts and decrypts parts of profiles (AES-256-GCM). Each is bound to its profile and its part: in the place of another it is not read. */
export class ProfileCipher {
  readonly #keys: ReadonlyMap<string, Buffer>;
  /** Id of the key that encrypts. */
  readonly keyId: string;

  /** @param keys - 32 bytes each, at least one; the first encrypts. Secrets. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = new Map(keys.map((key) => [deriveId(key), key]));
    const [first = ""] = this.#keys.keys();
    this.keyId = first;
  }

  /** Returns whether it has the key with an id. */
  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Encrypts a part of a profile. */
  seal(profileId: string, part: ProfilePart, content: string): Uint8Array {
    const key = this.#keys.get(this.keyId);
    if (!key) throw new Error("there is no key");
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(profileId, part));
    const sealed = Buffer.concat([cipher.update(content, "utf8"), cipher.final()]);
    return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), sealed]);
  }

  /**
   * Decrypts a part of a profile.
   *
   * @param keyId - Id of the key that it was encrypted with.
   * @throws {ServiceError} `profile-unreadable` when that key is not there, or when the part was changed or is that of another profile.
   */
  open(profileId: string, part: ProfilePart, keyId: string, sealed: Uint8Array): string {
    const key = this.#keys.get(keyId);
    if (!key) {
      const has = [...this.#keys.keys()].join(", ");
      throw new ServiceError(
        "profile-unreadable",
        `the profile is encrypted with the key ${keyId}, and this service has ${has}; add the old key after the new one in CLOUD_BROWSER_PROFILE_KEY`,
      );
    }
    try {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== format) throw new Error("unknown format");
      const [nonce, tag] = [
        bytes.subarray(1, 1 + nonceBytes),
        bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes),
      ];
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(boundTo(profileId, part)).setAuthTag(tag);
      const content = bytes.subarray(1 + nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
    } catch (cause) {
      const why = "the profile was changed or damaged where it is stored; restore it from a backup, or delete it";
      throw new ServiceError("profile-unreadable", why, { cause });
    }
  }
}

function boundTo(profileId: string, part: ProfilePart): Buffer {
  return Buffer.from(`cloud-browser profile\0${profileId}\0${part}`);
}

/** Tells keys apart; the key can't be derived from it. */
function deriveId(key: Buffer): string {
  return createHash("sha256").update("cloud-browser profile key\0").update(key).digest("hex").slice(0, 12);
}

function decodeBytes(word: string): Buffer | undefined {
  if (/^(?:[\da-f]{2})+$/i.test(word) && word.length === 2 * keyBytes) return Buffer.from(word, "hex");
  return /^[\w+/-]+={0,2}$/.test(word) ? Buffer.from(word, "base64") : undefined;
}
