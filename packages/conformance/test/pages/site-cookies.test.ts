import { expect, test } from "vitest";
import { cookieJar } from "../../src/site/pages/cookies.ts";

const rows: readonly { host: string; domains: readonly string[] }[] = [
  { host: "site.example.test", domains: ["site.example.test"] },
  { host: "127.0.0.1", domains: [] },
  { host: "localhost", domains: [] },
];

test.for(rows)("the cookies of a page on $host have the domains $domains", ({ host, domains }) => {
  const { headers } = cookieJar("article", "/folder", host);
  expect(headers.flatMap((header) => /; Domain=([^;]*)/.exec(header)?.[1] ?? [])).toEqual(domains);
});

test("every value of a cookie holds the secret of its page, and no sign that RFC 6265 does not allow", () => {
  const { secret, cookies } = cookieJar("product", "/folder", "127.0.0.1");
  expect(secret).toMatch(/^[0-9a-f]{24}$/);
  expect(cookies.filter(({ value }) => !value.includes(secret))).toEqual([]);
  expect(cookies.filter(({ value }) => !/^[!#-+\--:<-[\]-~]+$/.test(value))).toEqual([]);
  expect(Math.max(...cookies.map(({ value }) => value.length))).toBe(1_104);
});
