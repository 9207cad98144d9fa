import { expect, test } from "vitest";
import { toPlaywrightCookies, toPuppeteerCookies, type Cookie } from "../../src/cookies.ts";
import { plainCookie } from "./cookie-samples.ts";
import { short } from "./short-losses.ts";

/** What Chromium 153 was seen to do with each: it refused all cookies of the call, or set one with another domain or path. */
const refused: Record<string, unknown[]> = {
  domain: [
    ..."a;b.example ;.example *.example a*b.example @.example \\.example 。example a。example a\u00adb.example".split(" "),
    ..."%61.example a%2Ab.example 1.2.3 127.1 0x7f.1 0x7f000001 2130706433 01.2.3.4 １.２.３.４ ｅxample.org".split(" "),
  ],
  path: ["/..", "/.", "/a/..", "/a/../b", "/a/./b", "/%2e%2e", "/%2E", "/.%2e/a", "/\\", "/a\\..\\b", "/a\ud800", `/${"ä".repeat(400)}`],
  name: ["a\ud800"],
  value: ["a\udc00"],
}; // prettier-ignore
const rows = Object.entries(refused).flatMap(([field, all]) => all.map((given) => ({ field, given })));
test.for(rows)("leaves a cookie out and tells it: $field $given", ({ field, given }) => {
  for (const hostOnly of [true, false]) {
    const cookies = [plainCookie, { ...plainCookie, hostOnly, [field]: given }, { ...plainCookie, name: "last" }];
    for (const convert of [toPlaywrightCookies, toPuppeteerCookies]) {
      const { cookies: kept, losses } = convert(cookies);
      expect(kept.map(({ name }) => name)).toEqual(["sid", "last"]);
      expect(losses).toMatchObject([{ reason: "skipped", field, at: 1 }]);
    }
  }
});

const kept: { given: Partial<Cookie>; want: object; losses?: string[] }[] = [
  ...["a b", 'a"b', "a#b", "a<b", "a>b", "a?b", "a^b", "a`b", "a{b", "a|b", "a}b", "ä", "😀", "\u00a0"].map((path) => ({
    given: { path: `/${path}` },
    want: { path: `/${encodeURIComponent(path)}` },
    losses: ["assumed path"],
  })),
  ...["/a%20b", "/.a/b..", "//", "/a//b", "/%zz", "/~", "/[a]"].map((path) => ({ given: { path }, want: { path } })),
  ...["a_b.example", "a-.example", "a.example.", "a!b.example", "1.2.3.4", "[::1]"].map((domain) => ({ given: { domain }, want: { domain } })),
  { given: { domain: "A.Example" }, want: { domain: "a.example" } },
  { given: { domain: "ä.example" }, want: { domain: "xn--4ca.example" } },
  { given: { domain: "🍪.example" }, want: { domain: "xn--hj8h.example" } },
]; // prettier-ignore
test.for(kept)("keeps a cookie, in the words of browsers: $given", ({ given, want, losses = [] }) => {
  for (const convert of [toPlaywrightCookies, toPuppeteerCookies]) {
    const converted = convert([{ ...plainCookie, ...given }]);
    expect(converted.cookies).toMatchObject([want]);
    expect(short(converted.losses)).toEqual(losses);
  }
});
