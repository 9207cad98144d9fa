import { expect, test } from "vitest";
import { fromToughCookies, toToughCookies, type Cookie } from "../../src/cookies.ts";
import { plainCookie } from "./cookie-samples.ts";
import { shorten } from "./short-losses.ts";

/** What the form of the service says of each cookie below when nothing else is said. */
const defaults = { ...plainCookie, session: true };

const tough = {
  key: "sid",
  value: "v",
  domain: "a.example",
  hostOnly: true,
  path: "/",
  expires: "Infinity",
  httpOnly: false,
  secure: false,
};
const toTough: { name: string; cookie: Cookie; want?: object; losses?: string[] }[] = [
  { name: "a cookie that ends with the session", cookie: {}, want: {} },
  { name: "a time", cookie: { expires: 1_900_000_000.1236 }, want: { expires: "2030-03-17T17:46:40.124Z" } },
  {
    name: "a time that would round to none",
    cookie: { expires: 0.0001 },
    want: { expires: "1970-01-01T00:00:00.001Z" },
  },
  { name: "subdomains", cookie: { domain: ".a.example", hostOnly: false }, want: { hostOnly: false } },
  { name: "a same-site rule", cookie: { sameSite: "STRICT" }, want: { sameSite: "strict" } },
  { name: "None without secure", cookie: { sameSite: "None" }, want: { sameSite: "none" } },
  { name: "an IPv6 address", cookie: { domain: "[::1]" }, want: { domain: "::1" } },
  {
    name: "no partition",
    cookie: { secure: true, partitionKey: "https://b.example" },
    losses: ["skipped partitionKey"],
  },
];
test.for(toTough)("to tough-cookie: $name", ({ cookie, want, losses = [] }) => {
  const result = toToughCookies([{ ...plainCookie, ...cookie }]);
  expect(result.cookies).toEqual(want ? [{ ...tough, ...want }] : []);
  expect(shorten(result.losses)).toEqual(losses);
});

const [earlier, later] = ["2030-01-01T00:00:00.000Z", "2030-01-02T00:00:00.000Z"];
const day = Date.parse(earlier) / 1000;
const fromTough: { name: string; from: object; want?: object; losses?: string[] }[] = [
  {
    name: "what toJSON leaves out",
    from: { key: "sid", value: "v", domain: "a.example", path: "/", hostOnly: true },
    want: {},
  },
  {
    name: "what only a jar knows",
    from: { ...tough, creation: earlier, lastAccessed: later, pathIsDefault: true },
    want: {},
  },
  {
    name: "a cookie that was parsed and is in no jar",
    from: { ...tough, hostOnly: null },
    want: { domain: ".a.example", hostOnly: false },
  },
  { name: "a time", from: { ...tough, expires: earlier }, want: { expires: day, session: false } },
  {
    name: "a time of a Cookie",
    from: { ...tough, expires: new Date(earlier) },
    want: { expires: day, session: false },
  },
  {
    name: "a time that is over",
    from: { ...tough, expires: "1970-01-01T00:00:00.000Z" },
    want: { expires: 1, session: false },
  },
  { name: "no time that is none", from: { ...tough, expires: "soon" }, want: {}, losses: ["dropped expires"] },
  {
    name: "maxAge since the last access",
    from: { ...tough, maxAge: 10, creation: earlier, lastAccessed: later },
    want: { expires: day + 86_410, session: false },
  },
  {
    name: "maxAge since the creation",
    from: { ...tough, maxAge: 10, creation: earlier },
    want: { expires: day + 10, session: false },
  },
  {
    name: "maxAge before expires",
    from: { ...tough, expires: later, maxAge: 10, creation: earlier },
    want: { expires: day + 10, session: false },
  },
  { name: "maxAge that is over", from: { ...tough, maxAge: 0 }, want: { expires: 1, session: false } },
  {
    name: "maxAge that was always over",
    from: { ...tough, maxAge: "-Infinity" },
    want: { expires: 1, session: false },
  },
  { name: "maxAge without end", from: { ...tough, expires: earlier, maxAge: "Infinity" }, want: {} },
  {
    name: "no maxAge, as its start is unknown",
    from: { ...tough, expires: earlier, maxAge: 10 },
    want: { expires: day, session: false },
    losses: ["dropped maxAge"],
  },
  {
    name: "no maxAge that is none",
    from: { ...tough, maxAge: "60", creation: earlier },
    want: {},
    losses: ["dropped maxAge"],
  },
  {
    name: "a same-site rule",
    from: { ...tough, sameSite: "none", secure: true },
    want: { sameSite: "None", secure: true },
  },
  { name: "an IPv6 address", from: { ...tough, domain: "::1" }, want: { domain: "[::1]" } },
  {
    name: "extensions as a loss",
    from: { ...tough, extensions: ["Priority=High"] },
    want: {},
    losses: ["dropped extensions"],
  },
  { name: "no cookie without domain", from: { ...tough, domain: null }, losses: ["skipped domain"] },
];
test.for(fromTough)("from tough-cookie: $name", ({ from, want, losses = [] }) => {
  const result = fromToughCookies([from]);
  expect(result.cookies).toEqual(want ? [{ ...defaults, ...want }] : []);
  expect(shorten(result.losses)).toEqual(losses);
});
