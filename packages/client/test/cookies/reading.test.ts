import { expect, test } from "vitest";
import { fromPlaywrightCookies, toPlaywrightCookies } from "../../src/cookies.ts";
import { fullCookie } from "./cookie-samples.ts";
import { short } from "./short-losses.ts";

const { hostOnly: _, ...written } = fullCookie;

/** What a caller without types, or a service that surprises, may hand over. */
function read(cookie: unknown) {
  // @ts-expect-error: that is what is tested
  const { cookies, losses } = toPlaywrightCookies([cookie]);
  return { cookies, losses: short(losses) };
}

const readings: { name: string; given: object; want: object; losses?: string[] }[] = [
  { name: "a full cookie as it is", given: {}, want: {} },
  { name: "an empty value", given: { value: "" }, want: { value: "" } },
  { name: "a value with = , and quotes", given: { value: '"a=b, c"' }, want: { value: '"a=b, c"' } },

  { name: "-1 as the end of the session", given: { expires: -1 }, want: { expires: -1 } },
  { name: "0 as the end of the session", given: { expires: 0 }, want: { expires: -1 } },
  { name: "no expiry as the end of the session", given: { expires: undefined }, want: { expires: -1 } },
  { name: "null as no expiry", given: { expires: null, expirationDate: null }, want: { expires: -1 } },
  { name: "a fraction of a second", given: { expires: 1_900_000_000.25 }, want: { expires: 1_900_000_000.25 } },
  { name: "a second after the epoch", given: { expires: 1 }, want: { expires: 1 } },
  { name: "the end of the year 9999", given: { expires: 253_402_300_799 }, want: { expires: 253_402_300_799 } },
  {
    name: "what is later as milliseconds",
    given: { expires: 1_900_000_000_250 },
    want: { expires: 1_900_000_000.25 },
    losses: ["assumed expires"],
  },
  {
    name: "no microseconds",
    given: { expires: 1_900_000_000_000_000 },
    want: { expires: -1 },
    losses: ["dropped expires"],
  },
  { name: "no time before the epoch", given: { expires: -2 }, want: { expires: -1 }, losses: ["dropped expires"] },
  { name: "no text as a time", given: { expires: "1900000000" }, want: { expires: -1 }, losses: ["dropped expires"] },
  { name: "NaN as no time", given: { expires: NaN }, want: { expires: -1 }, losses: ["dropped expires"] },
  { name: "Infinity as no time", given: { expires: Infinity }, want: { expires: -1 }, losses: ["dropped expires"] },
  {
    name: "expirationDate in place of expires",
    given: { expires: undefined, expirationDate: 1_800_000_000 },
    want: { expires: 1_800_000_000 },
  },
  { name: "two times that are the same", given: { expirationDate: 1_900_000_000 }, want: {} },
  {
    name: "two times that are the same in two units",
    given: { expirationDate: 1_900_000_000_000 },
    want: {},
    losses: ["assumed expirationDate"],
  },
  {
    name: "expires before another expirationDate",
    given: { expirationDate: 1_900_000_000.5 },
    want: {},
    losses: ["dropped expirationDate"],
  },
  {
    name: "expirationDate before an expires that says none",
    given: { expires: -1, expirationDate: 1_800_000_000 },
    want: { expires: 1_800_000_000 },
    losses: ["dropped expires"],
  },
  {
    name: "a time before an expirationDate that says none",
    given: { expirationDate: 0 },
    want: {},
    losses: ["dropped expirationDate"],
  },
  { name: "session that fits the time", given: { session: false }, want: {} },
  { name: "session that fits no time", given: { session: true, expires: -1 }, want: { expires: -1 } },
  { name: "a time before session", given: { session: true }, want: {}, losses: ["dropped session"] },
  {
    name: "no time although session says otherwise",
    given: { session: false, expires: -1 },
    want: { expires: -1 },
    losses: ["dropped session"],
  },

  {
    name: "a dot as the sign of subdomains",
    given: { domain: ".a.example", hostOnly: null },
    want: { domain: ".a.example" },
  },
  { name: "hostOnly false without dot", given: { hostOnly: false }, want: { domain: ".a.example" } },
  { name: "no dot as the sign of one host", given: { hostOnly: null }, want: {}, losses: ["assumed hostOnly"] },
  { name: "hostOnly before a dot", given: { domain: ".a.example" }, want: {}, losses: ["assumed hostOnly"] },
  { name: "an IP address as one host", given: { domain: "127.0.0.1", hostOnly: null }, want: { domain: "127.0.0.1" } },
  {
    name: "an IP address as one host despite a dot",
    given: { domain: ".127.0.0.1", hostOnly: null },
    want: { domain: "127.0.0.1" },
    losses: ["assumed hostOnly"],
  },
  {
    name: "a top-level domain as one host",
    given: { domain: "example", hostOnly: false },
    want: { domain: "example" },
    losses: ["assumed hostOnly"],
  },
  { name: "an IPv6 address", given: { domain: "[::1]", hostOnly: null }, want: { domain: "[::1]" } },
  { name: "an IPv6 address without brackets", given: { domain: "::1", hostOnly: null }, want: { domain: "[::1]" } },
  { name: "a domain in capitals", given: { domain: "A.Example" }, want: {} },
  {
    name: "a domain in another script",
    given: { domain: "bücher.example" },
    want: { domain: "xn--bcher-kva.example" },
  },
  { name: "a domain with underscore", given: { domain: "a_b.example" }, want: { domain: "a_b.example" } },

  { name: "no path as the whole host", given: { path: null }, want: {}, losses: ["assumed path"] },
  { name: "an empty path as the whole host", given: { path: "" }, want: {}, losses: ["assumed path"] },
  { name: "no httpOnly as false", given: { httpOnly: null }, want: { httpOnly: false }, losses: ["assumed httpOnly"] },
  { name: "no secure as false", given: { secure: null }, want: { secure: false }, losses: ["assumed secure"] },
  { name: "text as no flag", given: { secure: "true" }, want: { secure: false }, losses: ["assumed secure"] },
  {
    name: "no secure as true by name",
    given: { name: "__Secure-a", secure: null },
    want: { name: "__Secure-a" },
    losses: ["assumed secure"],
  },
  {
    name: "no secure as true by None",
    given: { sameSite: "None", secure: null },
    want: { sameSite: "None" },
    losses: ["assumed secure"],
  },
  {
    name: "no secure as true by partition",
    given: { secure: null, partitionKey: "https://top.example" },
    want: { partitionKey: "https://top.example" },
    losses: ["assumed secure"],
  },
  { name: "an empty partition as none", given: { partitionKey: "" }, want: {} },

  ...["Strict", "strict", "STRICT"].map((sameSite) => ({
    name: `${sameSite} as Strict`,
    given: { sameSite },
    want: { sameSite: "Strict" },
  })),
  ...["Lax", "lax"].map((sameSite) => ({ name: `${sameSite} as Lax`, given: { sameSite }, want: { sameSite: "Lax" } })),
  ...["None", "none", "no_restriction"].map((sameSite) => ({
    name: `${sameSite} as None`,
    given: { sameSite },
    want: { sameSite: "None" },
  })),
  ...["unspecified", "Default", null].map((sameSite) => ({
    name: `${sameSite} as no same-site rule`,
    given: { sameSite },
    want: {},
  })),
  ...["", "constructor", "Lax ", 1, {}].map((sameSite) => ({
    name: `${JSON.stringify(sameSite)} as no same-site rule, with a loss`,
    given: { sameSite },
    want: {},
    losses: ["dropped sameSite"],
  })),

  { name: "no storeId", given: { storeId: "0" }, want: {}, losses: ["dropped storeId"] },
  { name: "no field that is new", given: { priority: "High" }, want: {}, losses: ["dropped priority"] },
  { name: "no loss in a new field without meaning", given: { sameParty: false, storeId: null }, want: {} },
];
test.for(readings)("reads $name", ({ given, want, losses = [] }) => {
  expect(read({ ...fullCookie, ...given })).toEqual({ cookies: [{ ...written, ...want }], losses });
});

const unreadable: { name: string; given: unknown; field: string }[] = [
  ...[null, undefined, "sid=s3cr3t", 7, true, ["sid", "s3cr3t"]].map((given) => ({
    name: `what is no object: ${JSON.stringify(given)}`,
    given,
    field: "cookie",
  })),
  { name: "an empty object", given: {}, field: "name" },
  ...[undefined, null, "", 7, {}, "a=b", "a;b", "a\nb", "a\u0000b", " a", "a "].map((name) => ({
    name: `the name ${JSON.stringify(name)}`,
    given: { ...fullCookie, name },
    field: "name",
  })),
  ...[undefined, null, 7, {}, "a;b", "a\r\nb", "a\tb", "a\u007F", " a", "a "].map((value) => ({
    name: `the value ${JSON.stringify(value)}`,
    given: { ...fullCookie, value },
    field: "value",
  })),
  ...[
    undefined,
    null,
    "",
    ".",
    "..a.example",
    "a..example",
    7,
    "a b",
    "a/b",
    "a?b",
    "a#b",
    "a\\b",
    "u@a",
    "a:80",
    "a\nb",
    "a%2Fb",
    "[a]",
    "::1::",
    "1.2.3.4.5",
  ].map((domain) => ({
    name: `the domain ${JSON.stringify(domain)}`,
    given: { ...fullCookie, domain },
    field: "domain",
  })),
  ...["a", "a/b", 7, {}, "/a;b", "/a\nb"].map((path) => ({
    name: `the path ${JSON.stringify(path)}`,
    given: { ...fullCookie, path },
    field: "path",
  })),
  ...[7, true, {}, { topLevelSite: "https://a.example" }].map((partitionKey) => ({
    name: `the partition ${JSON.stringify(partitionKey)}`,
    given: { ...fullCookie, partitionKey },
    field: "partitionKey",
  })),
];
test.for(unreadable)("skips $name", ({ given, field }) => {
  expect(read(given)).toEqual({ cookies: [], losses: [`skipped ${field}`] });
});

test("reports where, which cookie, and what became of it; of a skipped one nothing else", () => {
  const { cookies, losses } = toPlaywrightCookies({
    cookies: [
      { ...fullCookie, path: "" },
      { value: "s3cr3t" },
      { name: "b", domain: "b.example", sameSite: "?" },
      fullCookie,
    ],
  });
  expect(cookies).toEqual([written, written]);
  expect(losses).toEqual([
    { reason: "assumed", field: "path", at: 0, name: "sid", domain: "a.example" },
    { reason: "skipped", field: "name", at: 1 },
    { reason: "skipped", field: "value", at: 2, name: "b", domain: "b.example" },
  ]);
});

test("does not change what it is given, nor hand it out", () => {
  const given = Object.freeze([Object.freeze({ ...fullCookie })]);
  const { cookies } = fromPlaywrightCookies(given);
  expect(cookies[0]).not.toBe(given[0]);
  expect(given).toEqual([fullCookie]);
});
