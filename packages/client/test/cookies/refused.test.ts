import { expect, test } from "vitest";
import { toPlaywrightCookies, toPuppeteerCookies, type Cookie } from "../../src/cookies.ts";
import { plainCookie } from "./cookie-samples.ts";
import { shorten } from "./short-losses.ts";

/** What Chromium 153 was seen to do with each: it refused all cookies of the call, or set one with another domain or path. */
const badValues: Record<string, unknown[]> = {
  domain: [
    ..."a;b.example ;.example *.example a*b.example @.example \\.example 。example a。example a\u00adb.example".split(" "),
    ..."%61.example a%2Ab.example 1.2.3 127.1 0x7f.1 0x7f000001 2130706433 01.2.3.4 １.２.３.４ ｅxample.org".split(" "),
  ],
  path: ["/..", "/.", "/a/..", "/a/../b", "/a/./b", "/%2e%2e", "/%2E", "/.%2e/a", "/\\", "/a\\..\\b", "/a\ud800", `/${"ä".repeat(400)}`],
  name: ["a\ud800"],
  value: ["a\udc00"],
}; // prettier-ignore
const rows = Object.entries(badValues).flatMap(([field, all]) => all.map((value) => ({ field, value })));
test.for(rows)("leaves a cookie out and tells it: $field $value", ({ field, value }) => {
  for (const hostOnly of [true, false]) {
    const cookies = [plainCookie, { ...plainCookie, hostOnly, [field]: value }, { ...plainCookie, name: "last" }];
    for (const convert of [toPlaywrightCookies, toPuppeteerCookies]) {
      const { cookies: others, losses } = convert(cookies);
      expect(others.map(({ name }) => name)).toEqual(["sid", "last"]);
      expect(losses).toMatchObject([{ reason: "skipped", field, at: 1 }]);
    }
  }
});

const goodCookies: { cookie: Partial<Cookie>; want: object; losses?: string[] }[] = [
  ...["a b", 'a"b', "a#b", "a<b", "a>b", "a?b", "a^b", "a`b", "a{b", "a|b", "a}b", "ä", "😀", "\u00a0"].map((path) => ({
    cookie: { path: `/${path}` },
    want: { path: `/${encodeURIComponent(path)}` },
    losses: ["assumed path"],
  })),
  ...["/a%20b", "/.a/b..", "//", "/a//b", "/%zz", "/~", "/[a]"].map((path) => ({ cookie: { path }, want: { path } })),
  ...["a_b.example", "a-.example", "a.example.", "a!b.example", "1.2.3.4", "[::1]"].map((domain) => ({ cookie: { domain }, want: { domain } })),
  { cookie: { domain: "A.Example" }, want: { domain: "a.example" } },
  { cookie: { domain: "ä.example" }, want: { domain: "xn--4ca.example" } },
  { cookie: { domain: "🍪.example" }, want: { domain: "xn--hj8h.example" } },
]; // prettier-ignore
test.for(goodCookies)("keeps a cookie, in the words of browsers: $cookie", ({ cookie, want, losses = [] }) => {
  for (const convert of [toPlaywrightCookies, toPuppeteerCookies]) {
    const converted = convert([{ ...plainCookie, ...cookie }]);
    expect(converted.cookies).toMatchObject([want]);
    expect(shorten(converted.losses)).toEqual(losses);
  }
});
