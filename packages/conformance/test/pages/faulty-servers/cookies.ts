/** Faults of cookies. */
import { breakPages, inCookies } from "./faulty-server.ts";

/** Servers with one fault each. */
export const cookieFaults = breakPages({
  "page/cookies-of-session cookies.reads-session-cookies": {
    "reads the cookies of another session": {
      cookies: (own, all) => all.find(({ cookies: list }) => list !== own)?.cookies ?? own,
    },
    "reads what scripts can read alone": { cookies: (own) => own.filter(({ httpOnly }) => !httpOnly) },
    "knows no cookie that a script has set": { cookies: (own) => own.filter(({ name }) => !name.startsWith("pier_")) },
    "cuts the values of cookies": inCookies((one) => ({ ...one, value: one.value.slice(0, 8) })),
    "resolves escapes in the values of cookies": inCookies((one) => ({
      ...one,
      value: one.value.replaceAll("%20", " "),
    })),
    "cuts the values of cookies at the equals sign": inCookies((one) => ({
      ...one,
      value: one.value.replace(/=.*/, ""),
    })),
    "cuts the values of cookies at 1,024 characters": inCookies((one) => ({ ...one, value: one.value.slice(0, 1024) })),
    "leaves out cookies that end by themselves": { cookies: (own) => own.filter(({ session }) => session) },
    "keeps one cookie of each name": {
      cookies: (own) => own.filter((one, at) => own.findIndex(({ name }) => name === one.name) === at),
    },
    "lists cookies that the page has removed": {
      cookies: (own) => [
        ...own,
        ...own
          .filter(({ name }) => name.startsWith("pier_"))
          .map(({ name, value, path }) => ({ name: name.replace("pier", "ebb"), value, path })),
      ],
    },
  },
  "page/cookies-of-no-other-session cookies.reads-session-cookies": {
    "reads the cookies of all sessions at once": { cookies: (_, all) => all.flatMap(({ cookies: list }) => list) },
  },
  "page/cookies-attributes cookies.attributes-as-set": {
    "gives another host as the domain of every cookie": inCookies((one) => ({ ...one, domain: "browser.internal" })),
    "gives the root as the path of every cookie": inCookies((one) => ({ ...one, path: "/" })),
    ...Object.fromEntries(
      (["httpOnly", "session", "secure"] as const).map((field) => [
        `says the contrary in ${field}`,
        inCookies((one) => ({ ...one, [field]: !one[field] })),
      ]),
    ),
  },
});
