/** Faults of cookies. */
import type { PageFault } from "./page-fault.ts";

const cookies = "cookies.reads-session-cookies";

/** Servers with one fault each. */
export const cookieFaults: readonly PageFault[] = [
  {
    name: "reads the cookies of another session",
    twist: { cookies: (own, all) => all.find(({ cookies: list }) => list !== own)?.cookies ?? own },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "reads what scripts can read alone",
    twist: { cookies: (own) => own.filter(({ httpOnly }) => !httpOnly) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "knows no cookie that a script has set",
    twist: { cookies: (own) => own.filter(({ name }) => !name.startsWith("pier_")) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "cuts the values of cookies",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.slice(0, 8) })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "reads the cookies of all sessions at once",
    twist: { cookies: (_, all) => all.flatMap(({ cookies: list }) => list) },
    check: "page/cookies-of-no-other-session",
    requirement: cookies,
  },
  {
    name: "resolves escapes in the values of cookies",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.replaceAll("%20", " ") })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "cuts the values of cookies at the equals sign",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.replace(/=.*/, "") })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "cuts the values of cookies at 1,024 characters",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.slice(0, 1024) })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "leaves out cookies that end by themselves",
    twist: { cookies: (own) => own.filter(({ session }) => session) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "keeps one cookie of each name",
    twist: { cookies: (own) => own.filter((one, at) => own.findIndex(({ name }) => name === one.name) === at) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "lists cookies that the page has removed",
    twist: {
      cookies: (own) => [
        ...own,
        ...own
          .filter(({ name }) => name.startsWith("pier_"))
          .map(({ name, value, path }) => ({ name: name.replace("pier", "ebb"), value, path })),
      ],
    },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "gives another host as the domain of every cookie",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, domain: "browser.internal" })) },
    check: "page/cookies-attributes",
    requirement: "cookies.attributes-as-set",
  },
  ...(["httpOnly", "session", "secure"] as const).map((field): PageFault => ({
    name: `says the contrary in ${field}`,
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, [field]: !cookie[field] })) },
    check: "page/cookies-attributes",
    requirement: "cookies.attributes-as-set",
  })),
  {
    name: "gives the root as the path of every cookie",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, path: "/" })) },
    check: "page/cookies-attributes",
    requirement: "cookies.attributes-as-set",
  },
];
