import { expect, test } from "vitest";
import { fromPlaywrightCookies, toPlaywrightCookies } from "../../src/cookies.ts";
import { fullCookie } from "./cookie-samples.ts";
import { shorten } from "./short-losses.ts";

const { hostOnly: _, ...playwrightCookie } = fullCookie;

/** What a caller without types, or a service that surprises, may hand over. */
function read(cookie: unknown) {
  // @ts-expect-error: that is what is tested
  const { cookies, losses } = toPlaywrightCookies([cookie]);
  return { cookies, losses: shorten(losses) };
}

const readings: { name: string; cookie: object; want: object; losses?: string[] }[] = [
  { name: "a full cookie as it is", cookie: {}, want: {} },
  { name: "an empty value", cookie: { value: "" }, want: { value: "" } },
  { name: "a value with = , and quotes", cookie: { value: '"a=b, c"' }, want: { value: '"a=b, c"' } },

  { name: "-1 as the end of the session", cookie: { expires: -1 }, want: { expires: -1 } },
  { name: "0 as the end of the session", cookie: { expires: 0 }, want: { expires: -1 } },
  { name: "no expiry as the end of the session", cookie: { expires: undefined }, want: { expires: -1 } },
  { name: "null as no expiry", cookie: { expires: null, expirationDate: null }, want: { expires: -1 } },
  { name: "a fraction of a second", cookie: { expires: 1_900_000_000.25 }, want: { expires: 1_900_000_000.25 } },
  { name: "a second after the epoch", cookie: { expires: 1 }, want: { expires: 1 } },
  { name: "the end of the year 9999", cookie: { expires: 253_402_300_799 }, want: { expires: 253_402_300_799 } },
  {
    name: "what is later as milliseconds",
    cookie: { expires: 1_900_000_000_250 },
    want: { expires: 1_900_000_000.25 },
    losses: ["assumed expires"],
  },
  {
    name: "no microseconds",
    cookie: { expires: 1_900_000_000_000_000 },
    want: { expires: -1 },
    losses: ["dropped expires"],
  },
  { name: "no time before the epoch", cookie: { expires: -2 }, want: { expires: -1 }, losses: ["dropped expires"] },
  { name: "no text as a time", cookie: { expires: "1900000000" }, want: { expires: -1 }, losses: ["dropped expires"] },
  { name: "NaN as no time", cookie: { expires: NaN }, want: { expires: -1 }, losses: ["dropped expires"] },
  { name: "Infinity as no time", cookie: { expires: Infinity }, want: { expires: -1 }, losses: ["dropped expires"] },
  {
    name: "expirationDate in place of expires",
    cookie: { expires: undefined, expirationDate: 1_800_000_000 },
    want: { expires: 1_800_000_000 },
  },
  { name: "two times that are the same", cookie: { expirationDate: 1_900_000_000 }, want: {} },
  {
    name: "two times that are the same in two units",
    cookie: { expirationDate: 1_900_000_000_000 },
    want: {},
    losses: ["assumed expirationDate"],
  },
  {
    name: "expires before another expirationDate",
    cookie: { expirationDate: 1_900_000_000.5 },
    want: {},
    losses: ["dropped expirationDate"],
  },
  {
    name: "expirationDate before an expires that says none",
    cookie: { expires: -1, expirationDate: 1_800_000_000 },
    want: { expires: 1_800_000_000 },
    losses: ["dropped expires"],
  },
  {
    name: "a time before an expirationDate that says none",
    cookie: { expirationDate: 0 },
    want: {},
    losses: ["dropped expirationDate"],
  },
  { name: "session that fits the time", cookie: { session: false }, want: {} },
  { name: "session that fits no time", cookie: { session: true, expires: -1 }, want: { expires: -1 } },
  { name: "a time before session", cookie: { session: true }, want: {}, losses: ["dropped session"] },
  {
    name: "no time although session says otherwise",
    cookie: { session: false, expires: -1 },
    want: { expires: -1 },
    losses: ["dropped session"],
  },

  {
    name: "a dot as the sign of subdomains",
    cookie: { domain: ".a.example", hostOnly: null },
    want: { domain: ".a.example" },
  },
  { name: "hostOnly false without dot", cookie: { hostOnly: false }, want: { domain: ".a.example" } },
  { name: "no dot as the sign of one host", cookie: { hostOnly: null }, want: {}, losses: ["assumed hostOnly"] },
  { name: "hostOnly before a dot", cookie: { domain: ".a.example" }, want: {}, losses: ["assumed hostOnly"] },
  { name: "an IP address as one host", cookie: { domain: "127.0.0.1", hostOnly: null }, want: { domain: "127.0.0.1" } },
  {
    name: "an IP address as one host despite a dot",
    cookie: { domain: ".127.0.0.1", hostOnly: null },
    want: { domain: "127.0.0.1" },
    losses: ["assumed hostOnly"],
  },
  {
    name: "a top-level domain as one host",
    cookie: { domain: "example", hostOnly: false },
    want: { domain: "example" },
    losses: ["assumed hostOnly"],
  },
  { name: "an IPv6 address", cookie: { domain: "[::1]", hostOnly: null }, want: { domain: "[::1]" } },
  { name: "an IPv6 address without brackets", cookie: { domain: "::1", hostOnly: null }, want: { domain: "[::1]" } },
  { name: "a domain in capitals", cookie: { domain: "A.Example" }, want: {} },
  {
    name: "a domain in another script",
    cookie: { domain: "bücher.example" },
    want: { domain: "xn--bcher-kva.example" },
  },
  { name: "a domain with underscore", cookie: { domain: "a_b.example" }, want: { domain: "a_b.example" } },

  { name: "no path as the whole host", cookie: { path: null }, want: {}, losses: ["assumed path"] },
  { name: "an empty path as the whole host", cookie: { path: "" }, want: {}, losses: ["assumed path"] },
  { name: "no httpOnly as false", cookie: { httpOnly: null }, want: { httpOnly: false }, losses: ["assumed httpOnly"] },
  { name: "no secure as false", cookie: { secure: null }, want: { secure: false }, losses: ["assumed secure"] },
  { name: "text as no flag", cookie: { secure: "true" }, want: { secure: false }, losses: ["assumed secure"] },
  {
    name: "no secure as true by name",
    cookie: { name: "__Secure-a", secure: null },
    want: { name: "__Secure-a" },
    losses: ["assumed secure"],
  },
  {
    name: "no secure as true by None",
    cookie: { sameSite: "None", secure: null },
    want: { sameSite: "None" },
    losses: ["assumed secure"],
  },
  {
    name: "no secure as true by partition",
    cookie: { secure: null, partitionKey: "https://top.example" },
    want: { partitionKey: "https://top.example" },
    losses: ["assumed secure"],
  },
  { name: "an empty partition as none", cookie: { partitionKey: "" }, want: {} },

  ...["Strict", "strict", "STRICT"].map((sameSite) => ({
    name: `${sameSite} as Strict`,
    cookie: { sameSite },
    want: { sameSite: "Strict" },
  })),
  ...["Lax", "lax"].map((sameSite) => ({
    name: `${sameSite} as Lax`,
    cookie: { sameSite },
    want: { sameSite: "Lax" },
  })),
  ...["None", "none", "no_restriction"].map((sameSite) => ({
    name: `${sameSite} as None`,
    cookie: { sameSite },
    want: { sameSite: "None" },
  })),
  ...["unspecified", "Default", null].map((sameSite) => ({
    name: `${sameSite} as no same-site rule`,
    cookie: { sameSite },
    want: {},
  })),
  ...["", "constructor", "Lax ", 1, {}].map((sameSite) => ({
    name: `${JSON.stringify(sameSite)} as no same-site rule, with a loss`,
    cookie: { sameSite },
    want: {},
    losses: ["dropped sameSite"],
  })),

  { name: "no storeId", cookie: { storeId: "0" }, want: {}, losses: ["dropped storeId"] },
  { name: "no field that is new", cookie: { priority: "High" }, want: {}, losses: ["dropped priority"] },
  { name: "no loss in a new field without meaning", cookie: { sameParty: false, storeId: null }, want: {} },
];
test.for(readings)("reads $name", ({ cookie, want, losses = [] }) => {
  expect(read({ ...fullCookie, ...cookie })).toEqual({ cookies: [{ ...playwrightCookie, ...want }], losses });
});

const unreadable: { name: string; input: unknown; field: string }[] = [
  ...[null, undefined, "sid=s3cr3t", 7, true, ["sid", "s3cr3t"]].map((input) => ({
    name: `what is no object: ${JSON.stringify(input)}`,
    input,
    field: "cookie",
  })),
  { name: "an empty object", input: {}, field: "name" },
  ...[undefined, null, "", 7, {}, "a=b", "a;b", "a\nb", "a\u0000b", " a", "a "].map((name) => ({
    name: `the name ${JSON.stringify(name)}`,
    input: { ...fullCookie, name },
    field: "name",
  })),
  ...[undefined, null, 7, {}, "a;b", "a\r\nb", "a\tb", "a\u007F", " a", "a "].map((value) => ({
    name: `the value ${JSON.stringify(value)}`,
    input: { ...fullCookie, value },
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
    input: { ...fullCookie, domain },
    field: "domain",
  })),
  ...["a", "a/b", 7, {}, "/a;b", "/a\nb"].map((path) => ({
    name: `the path ${JSON.stringify(path)}`,
    input: { ...fullCookie, path },
    field: "path",
  })),
  ...[7, true, {}, { topLevelSite: "https://a.example" }].map((partitionKey) => ({
    name: `the partition ${JSON.stringify(partitionKey)}`,
    input: { ...fullCookie, partitionKey },
    field: "partitionKey",
  })),
];
test.for(unreadable)("skips $name", ({ input, field }) => {
  expect(read(input)).toEqual({ cookies: [], losses: [`skipped ${field}`] });
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
  expect(cookies).toEqual([playwrightCookie, playwrightCookie]);
  expect(losses).toEqual([
    { reason: "assumed", field: "path", at: 0, name: "sid", domain: "a.example" },
    { reason: "skipped", field: "name", at: 1 },
    { reason: "skipped", field: "value", at: 2, name: "b", domain: "b.example" },
  ]);
});

test("does not change what it is given, nor hand it out", () => {
  const input = Object.freeze([Object.freeze({ ...fullCookie })]);
  const { cookies } = fromPlaywrightCookies(input);
  expect(cookies[0]).not.toBe(input[0]);
  expect(input).toEqual([fullCookie]);
});
