import { expect, test } from "vitest";
import {
  fromCookieHeader,
  fromCookiesTxt,
  fromPlaywrightCookies,
  fromPuppeteerCookies,
  fromToughCookies,
  toCookieHeader,
  toCookiesTxt,
  toPlaywrightCookies,
  toPuppeteerCookies,
  toToughCookies,
  type CookieLoss,
} from "../src/cookies.ts";

const full = {
  name: "sid",
  value: "s3cr3t",
  domain: "a.example",
  path: "/",
  expires: 1_900_000_000,
  httpOnly: true,
  secure: true,
  hostOnly: true,
};

const url = "https://a.example/";
// Callers without types may pass anything.
const conversions: { name: string; run: (given: never) => unknown; takes: "list" | "text" }[] = [
  { name: "toPlaywrightCookies", run: toPlaywrightCookies, takes: "list" },
  { name: "fromPlaywrightCookies", run: fromPlaywrightCookies, takes: "list" },
  { name: "toPuppeteerCookies", run: toPuppeteerCookies, takes: "list" },
  { name: "fromPuppeteerCookies", run: fromPuppeteerCookies, takes: "list" },
  { name: "toToughCookies", run: toToughCookies, takes: "list" },
  { name: "fromToughCookies", run: fromToughCookies, takes: "list" },
  { name: "toCookiesTxt", run: toCookiesTxt, takes: "list" },
  { name: "fromCookiesTxt", run: fromCookiesTxt, takes: "text" },
  { name: "toCookieHeader", run: (given) => toCookieHeader(given, url), takes: "list" },
  { name: "fromCookieHeader", run: (given) => fromCookieHeader(given, url), takes: "text" },
];
const noLists = [undefined, null, 7, {}, { cookies: {} }, { cookies: "s3cr3t" }];
const misuses = conversions.flatMap(({ name, run, takes }) =>
  [...noLists, takes === "list" ? "s3cr3t" : ["s3cr3t"]].map((given) => ({ name, run, given })),
);
test.for(misuses)("$name calls it misuse, and quotes nothing: $given", ({ run, given }) => {
  expect(() => Reflect.apply(run, undefined, [given])).toThrow(
    expect.objectContaining({ name: "ClientError", code: "misuse", message: expect.not.stringContaining("s3cr3t") }),
  );
});

const odd = [
  null,
  7,
  "s3cr3t",
  ["s3cr3t"],
  { name: {}, key: [], value: "s3cr3t" },
  { name: "a", key: "a", value: { s3cr3t: "s3cr3t" } },
  {
    name: "a",
    key: "a",
    value: "s3cr3t\n",
    domain: 7,
    path: [],
    expires: {},
    sameSite: [],
    partitionKey: Symbol("s3cr3t"),
  },
  {
    name: "a",
    key: "a",
    value: "s3cr3t",
    domain: "a.example",
    path: {},
    url: "s3cr3t",
    maxAge: "s3cr3t",
    priority: [],
  },
  {
    name: "a",
    key: "a",
    value: "s3cr3t",
    domain: "a.example",
    expires: "s3cr3t",
    session: "s3cr3t",
    storeId: "s3cr3t",
  },
  { name: "a", key: "a", value: "s3cr3t", url: 7, partitionKey: { sourceOrigin: {} }, creation: {}, lastAccessed: 7 },
];
test.for(conversions.filter(({ takes }) => takes === "list"))("$name never throws for a cookie", ({ run }) => {
  expect(Reflect.apply(run, undefined, [odd])).toMatchObject({ losses: expect.anything() });
});

const told = [
  "s3cr3t",
  "a=b; s3cr3t; s3cr3t\u0000=s3cr3t; c=s3cr3t\u0000",
  "s3cr3t\na.example\tTRUE\t/\tTRUE\t0\t\ts3cr3t\na.example\tTRUE\t/\tTRUE\ts3cr3t\ta\ts3cr3t\na.example\tTRUE\t/\tTRUE\t0\ta\ts3cr3t\ts3cr3t",
];
test.for(conversions)("$name tells no value in its losses", ({ run, takes }) => {
  for (const given of takes === "list" ? [odd, [{ ...full, key: "a", partitionKey: "x", sameSite: "?" }]] : told) {
    const { losses }: { losses: CookieLoss[] } = Reflect.apply(run, undefined, [given]);
    expect(losses.length).toBeGreaterThan(0);
    expect(JSON.stringify(losses)).not.toContain("s3cr3t");
  }
});
