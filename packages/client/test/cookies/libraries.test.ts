import { expect, test } from "vitest";
import {
  fromPlaywrightCookies,
  fromPuppeteerCookies,
  toPlaywrightCookies,
  toPuppeteerCookies,
  type Cookie,
} from "../../src/cookies.ts";
import { plainCookie } from "./cookie-samples.ts";
import { shorten } from "./short-losses.ts";

const { hostOnly: _, ...plain } = plainCookie;

const toBrowsers: { name: string; cookie: Cookie; want?: object; losses?: string[] }[] = [
  {
    name: "keeps what it can hold",
    cookie: { httpOnly: true, secure: true, sameSite: "None" },
    want: { httpOnly: true, secure: true, sameSite: "None" },
  },
  { name: "keeps None apart from secure out", cookie: { sameSite: "None" }, want: {}, losses: ["dropped sameSite"] },
  { name: "says by a dot that subdomains get it", cookie: { hostOnly: false }, want: { domain: ".a.example" } },
  {
    name: "leaves out an insecure cookie in a partition",
    cookie: { partitionKey: "https://b.example" },
    losses: ["skipped partitionKey"],
  },
  {
    name: "leaves out a partition that is no site",
    cookie: { secure: true, partitionKey: "b" },
    losses: ["skipped partitionKey"],
  },
  {
    name: "leaves out a partition of another scheme",
    cookie: { secure: true, partitionKey: "file:///b" },
    losses: ["skipped partitionKey"],
  },
  { name: "leaves out __Secure- that is not", cookie: { name: "__Secure-a" }, losses: ["skipped secure"] },
  { name: "leaves out __secure- that is not", cookie: { name: "__secure-a" }, losses: ["skipped secure"] },
  { name: "leaves out __Host- that is not secure", cookie: { name: "__Host-a" }, losses: ["skipped secure"] },
  {
    name: "leaves out __Host- with a path",
    cookie: { name: "__Host-a", secure: true, path: "/a" },
    losses: ["skipped path"],
  },
  {
    name: "leaves out __Host- with subdomains",
    cookie: { name: "__Host-a", secure: true, hostOnly: false },
    losses: ["skipped hostOnly"],
  },
  { name: "leaves out __Http- for scripts", cookie: { name: "__Http-a", secure: true }, losses: ["skipped httpOnly"] },
  {
    name: "leaves out __Host-Http- for scripts",
    cookie: { name: "__Host-Http-a", secure: true },
    losses: ["skipped httpOnly"],
  },
  { name: "keeps __Host-", cookie: { name: "__Host-a", secure: true }, want: { name: "__Host-a", secure: true } },
  {
    name: "keeps __Http-",
    cookie: { name: "__Http-a", secure: true, httpOnly: true, path: "/a" },
    want: { name: "__Http-a", secure: true, httpOnly: true, path: "/a" },
  },
  { name: "keeps 4096 bytes", cookie: { value: "é".repeat(2046) + "x" }, want: { value: "é".repeat(2046) + "x" } },
  { name: "leaves out 4097 bytes", cookie: { value: "é".repeat(2047) }, losses: ["skipped value"] },
  {
    name: "keeps a path of 1024 bytes",
    cookie: { path: `/${"a".repeat(1023)}` },
    want: { path: `/${"a".repeat(1023)}` },
  },
  {
    name: "keeps a domain of 1024 bytes",
    cookie: { domain: `${"a.".repeat(508)}aexample` },
    want: { domain: `${"a.".repeat(508)}aexample` },
  },
  { name: "leaves out a path of 1025 bytes", cookie: { path: `/${"a".repeat(1024)}` }, losses: ["skipped path"] },
  {
    name: "leaves out a domain of 1025 bytes",
    cookie: { domain: `${"a.".repeat(509)}example` },
    losses: ["skipped domain"],
  },
];
test.for(toBrowsers)("for Playwright and Puppeteer: $name", ({ cookie, want, losses = [] }) => {
  for (const convert of [toPlaywrightCookies, toPuppeteerCookies]) {
    const result = convert([{ ...plainCookie, ...cookie }]);
    expect(result.cookies).toEqual(want ? [{ ...plain, ...want }] : []);
    expect(shorten(result.losses)).toEqual(losses);
  }
});

const partitions = [
  { domain: "a.example", site: "https://b.example", thirdParty: true, losses: [] },
  { domain: "www.a.example", site: "https://a.example", thirdParty: false, losses: ["assumed partitionKey"] },
  { domain: "a.example", site: "https://a.example", thirdParty: false, losses: ["assumed partitionKey"] },
  { domain: "aa.example", site: "https://a.example", thirdParty: true, losses: [] },
];
test.for(partitions)("infers whether $site embedded a cookie of $domain", ({ domain, site, thirdParty, losses }) => {
  const cookies = [{ ...plainCookie, domain, secure: true, partitionKey: site }];
  const playwright = toPlaywrightCookies(cookies);
  const puppeteer = toPuppeteerCookies(cookies);
  expect(playwright.cookies[0]?.partitionKey).toBe(site);
  expect(puppeteer.cookies[0]?.partitionKey).toEqual({ sourceOrigin: site, hasCrossSiteAncestor: thirdParty });
  expect([shorten(playwright.losses), shorten(puppeteer.losses)]).toEqual([losses, losses]);
});

/** What the form of the service says of each cookie below when nothing else is said. */
const defaults = { ...plainCookie, session: true };

const fromPlaywright: { name: string; from: object; want?: object; losses?: string[] }[] = [
  { name: "what context.cookies gives", from: { ...plain, sameSite: "Lax" }, want: { sameSite: "Lax" } },
  { name: "a time", from: { ...plain, expires: 1_900_000_000.5 }, want: { expires: 1_900_000_000.5, session: false } },
  { name: "a dot", from: { ...plain, domain: ".a.example" }, want: { domain: ".a.example", hostOnly: false } },
  { name: "only what addCookies needs", from: { name: "sid", value: "v", domain: "a.example", path: "/" }, want: {} },
  {
    name: "a URL",
    from: { name: "sid", value: "v", url: "https://a.example/b/c?d" },
    want: { path: "/b/", secure: true },
  },
  { name: "a URL without path", from: { name: "sid", value: "v", url: "http://a.example" }, want: {} },
  { name: "no URL that is none", from: { name: "sid", value: "v", url: "a.example" }, losses: ["skipped domain"] },
  {
    name: "a partition",
    from: { ...plain, secure: true, partitionKey: "https://b.example", _crHasCrossSiteAncestor: true },
    want: { secure: true, partitionKey: "https://b.example" },
  },
  {
    name: "a partition, and not that its own site is embedded in another one there",
    from: { ...plain, secure: true, partitionKey: "https://a.example", _crHasCrossSiteAncestor: true },
    want: { secure: true, partitionKey: "https://a.example" },
    losses: ["dropped partitionKey"],
  },
];
test.for(fromPlaywright)("from Playwright: $name", ({ from, want, losses = [] }) => {
  const result = fromPlaywrightCookies([from]);
  expect(result.cookies).toEqual(want ? [{ ...defaults, ...want }] : []);
  expect(shorten(result.losses)).toEqual(losses);
});

test("from Playwright: a storage state", () => {
  const state = { cookies: [plain], origins: [] };
  expect(fromPlaywrightCookies(state)).toEqual({ cookies: [defaults], losses: [] });
});

const usual = { size: 4, session: true, priority: "Medium", sourceScheme: "Secure", sourcePort: 443 };
const fromPuppeteer: { name: string; from: object; want?: object; losses?: string[] }[] = [
  { name: "what browser.cookies gives", from: { ...plain, ...usual, partitionKey: undefined }, want: {} },
  {
    name: "another priority as a loss",
    from: { ...plain, ...usual, priority: "High" },
    want: {},
    losses: ["dropped priority"],
  },
  { name: "Default as no same-site rule", from: { ...plain, sameSite: "Default" }, want: {} },
  { name: "only what setCookie needs", from: { name: "sid", value: "v", domain: "a.example" }, want: {} },
  { name: "a URL", from: { name: "sid", value: "v", url: "https://a.example/b/c?d" }, want: { path: "/b" } },
  {
    name: "a URL and a path",
    from: { name: "sid", value: "v", url: "https://a.example/b/c", path: "/d" },
    want: { path: "/d" },
  },
  {
    name: "a URL and a domain",
    from: { name: "sid", value: "v", url: "https://b.a.example/", domain: ".a.example" },
    want: { domain: ".a.example", hostOnly: false },
  },
  {
    name: "a partition as text",
    from: { ...plain, secure: true, partitionKey: "https://b.example" },
    want: { secure: true, partitionKey: "https://b.example" },
  },
  {
    name: "a partition in parts",
    from: { ...plain, secure: true, partitionKey: { sourceOrigin: "https://b.example", hasCrossSiteAncestor: true } },
    want: { secure: true, partitionKey: "https://b.example" },
  },
  {
    name: "a partition without ancestors",
    from: { ...plain, secure: true, partitionKey: { sourceOrigin: "https://b.example" } },
    want: { secure: true, partitionKey: "https://b.example" },
  },
  {
    name: "a partition, and not what is said of its ancestors against all likelihood",
    from: { ...plain, secure: true, partitionKey: { sourceOrigin: "https://b.example", hasCrossSiteAncestor: false } },
    want: { secure: true, partitionKey: "https://b.example" },
    losses: ["dropped partitionKey"],
  },
  { name: "no opaque partition", from: { ...plain, partitionKeyOpaque: true }, losses: ["skipped partitionKey"] },
  { name: "no partition without origin", from: { ...plain, partitionKey: {} }, losses: ["skipped partitionKey"] },
  {
    name: "no partition of no origin",
    from: { ...plain, partitionKey: { sourceOrigin: "" } },
    losses: ["skipped partitionKey"],
  },
];
test.for(fromPuppeteer)("from Puppeteer: $name", ({ from, want, losses = [] }) => {
  const result = fromPuppeteerCookies([from]);
  expect(result.cookies).toEqual(want ? [{ ...defaults, ...want }] : []);
  expect(shorten(result.losses)).toEqual(losses);
});
