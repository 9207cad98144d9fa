import type { Cookie } from "../../src/cookies.ts";

/** A cookie with all that must be said, and nothing that is special. */
export const plainCookie = {
  name: "sid",
  value: "v",
  domain: "a.example",
  path: "/",
  expires: -1,
  httpOnly: false,
  secure: false,
  hostOnly: true,
} satisfies Cookie;

/** A cookie with a time, both flags, and a value that must not be reported. */
export const fullCookie = {
  name: "sid",
  value: "s3cr3t",
  domain: "a.example",
  path: "/",
  expires: 1_900_000_000,
  httpOnly: true,
  secure: true,
  hostOnly: true,
} satisfies Cookie;
