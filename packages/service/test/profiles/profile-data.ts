import { randomBytes } from "node:crypto";
import type { StateCookie, StorageState } from "@cloud-browser/browsers";
import { parseProfileKeys, ProfileCipher } from "../../src/profiles/profile-cipher.ts";

/** Value of the cookie: a secret that must be nowhere. */
export const secret = "s3cr3t-of-the-site";

/** Now, for the tests of profiles. */
export const nowMs = Date.UTC(2030, 0, 1);

/** Makes a cookie of a login. */
export const makeCookie = (more: Partial<StateCookie> = {}): StateCookie => ({
  name: "sid",
  value: secret,
  domain: "shop.example",
  path: "/",
  expires: -1,
  httpOnly: true,
  secure: true,
  ...more,
});

/** Makes what a profile holds: that cookie, and no storage. */
export const makeState = (more: Partial<StorageState> = {}): StorageState => ({
  cookies: [makeCookie()],
  origins: [],
  ...more,
});

/** Makes an encryption key. */
export const makeKey = (): string => randomBytes(32).toString("base64");

/** Creates what encrypts with the first of some keys. */
export const createCipher = (...keys: readonly string[]): ProfileCipher =>
  new ProfileCipher(parseProfileKeys(keys.join(","), "KEY"));
