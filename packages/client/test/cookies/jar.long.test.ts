import * as fc from "fast-check";
import { CookieJar, Cookie as JarCookie } from "tough-cookie";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { fromToughCookies, toCookieHeader, toToughCookies, type Cookie } from "../../src/cookies.ts";

/** More cases: `SEED=7 TIMES=9 npx vitest run test/cookies/jar`. */
const numRuns = 2000 * Number(process.env["TIMES"] ?? 1);

/** A jar with these cookies and nothing else. */
async function readJar(cookies: readonly Cookie[]): Promise<CookieJar> {
  const jar = new CookieJar();
  for (const json of toToughCookies(cookies).cookies) {
    const cookie = JarCookie.fromJSON(json);
    if (!cookie) throw new Error("tough-cookie took a cookie for none");
    await jar.store.putCookie(cookie);
  }
  return jar;
}

const common = { value: "v", path: "/", httpOnly: true, secure: false, expires: -1, hostOnly: true };
const soon = Date.now() / 1000 + 3600;
const cookies: Cookie[] = [
  { ...common, name: "host", domain: "a.example" },
  { ...common, name: "domain", domain: ".a.example", hostOnly: false },
  { ...common, name: "secure", domain: "a.example", secure: true, expires: soon },
  { ...common, name: "secureDomain", domain: ".a.example", hostOnly: false, secure: true, sameSite: "Strict" },
  { ...common, name: "path", domain: "a.example", path: "/b" },
  { ...common, name: "slash", domain: "a.example", path: "/b/" },
  { ...common, name: "expired", domain: "a.example", expires: soon - 7200 },
  { ...common, name: "sub", domain: "b.a.example" },
  { ...common, name: "local", domain: "localhost", secure: true },
  { ...common, name: "ip", domain: "127.0.0.1", secure: true },
  { ...common, name: "ip6", domain: "[::1]" },
  { ...common, name: "elsewhere", domain: "192.0.2.1", secure: true },
  { ...common, name: "partitioned", domain: "a.example", secure: true, partitionKey: "https://b.example" },
];
const urls: { url: string; names: string[] }[] = [
  { url: "https://a.example/", names: ["host", "domain", "secure", "secureDomain"] },
  { url: "http://a.example/", names: ["host", "domain"] },
  { url: "http://a.example/b", names: ["path", "host", "domain"] },
  { url: "http://a.example/b/c?d=/e", names: ["slash", "path", "host", "domain"] },
  { url: "http://a.example/bc", names: ["host", "domain"] },
  { url: "https://b.a.example/", names: ["domain", "secureDomain", "sub"] },
  { url: "http://c.b.a.example/", names: ["domain"] },
  { url: "http://ba.example/", names: [] },
  { url: "http://localhost:8080/", names: ["local"] },
  { url: "http://127.0.0.1/", names: ["ip"] },
  { url: "http://[::1]:8080/", names: ["ip6"] },
  { url: "http://192.0.2.1/", names: [] },
  { url: "https://192.0.2.1/", names: ["elsewhere"] },
];
test.for(urls)("sends to $url what a jar of tough-cookie sends", async ({ url, names }) => {
  const { header } = toCookieHeader(cookies, url);
  expect(header).toBe(names.map((name) => `${name}=v`).join("; "));
  expect(header).toBe(await (await readJar(cookies)).getCookieString(url));
});

const pick = <Item>(...items: Item[]): fc.Arbitrary<Item> => fc.constantFrom(...items);
const path = fc.array(pick("b", "b", "c", "bc", "é", ""), { maxLength: 2 }).map((parts) => `/${parts.join("/")}`);
const host = fc.oneof(
  pick("a.example", "b.a.example"),
  pick("c.b.a.example", "ba.example", "127.0.0.1", "localhost", "192.0.2.1"),
);
const text = fc.string({ unit: pick(..."abZ019-_.%\"!,+ ='{é€".split("")), maxLength: 8 });
const cookie = fc.record({
  name: pick("a", "b", "c", "é", "__Host-a"),
  value: fc.oneof(text, pick("")),
  domain: fc.tuple(pick("", "."), host).map((parts) => parts.join("")),
  path,
  hostOnly: fc.boolean(),
  secure: fc.boolean(),
  httpOnly: fc.boolean(),
  expires: pick(-1, -1, 0, 1, soon, soon + 0.5, soon * 1000, soon - 7200),
  sameSite: pick("Strict", "Lax", "None"),
  partitionKey: pick("", "", "", "", "", "https://a.example"),
});
/** A jar has one place for each of these. */
const getPlace = ({ domain, path: where, name }: Cookie): string =>
  JSON.stringify([domain?.replace(/^\./, ""), where, name]);
const request = fc.tuple(pick("http", "https"), host, path).map(([scheme, at, where]) => `${scheme}://${at}${where}`);

test("sends what a jar of tough-cookie sends, whatever the cookies and the URL", async () => {
  let withCookies = 0;
  const property = fc.asyncProperty(
    fc.uniqueArray(cookie, { selector: getPlace, minLength: 4, maxLength: 12 }),
    request,
    async (list, url) => {
      const { header, losses } = toCookieHeader(list, url);
      // Only the header leaves out what is not ASCII, and says so.
      const skipped = new Set(losses.filter(({ reason }) => reason === "skipped").map(({ at }) => at));
      const sendable = list.filter((_, index) => !skipped.has(index));
      expect(header).toBe(await (await readJar(sendable)).getCookieString(url));
      if (header !== "") withCookies++;
    },
  );
  await fc.assert(property, { seed, numRuns });
  console.log(`${withCookies} of ${numRuns} requests had cookies, seed ${seed}`);
  expect(withCookies).toBeGreaterThan(numRuns / 6);
});

test("reads what a jar has kept of answers", async () => {
  const jar = new CookieJar();
  const now = Date.now();
  await jar.setCookie("a=1; Path=/; Max-Age=60; SameSite=Lax", "https://www.a.example/b/c", { now: new Date(now) });
  await jar.setCookie(
    "b=2; Domain=a.example; Secure; HttpOnly; Expires=Tue, 01 Jan 2030 00:00:00 GMT",
    "https://www.a.example/b/c",
  );
  await jar.setCookie("c=3", "http://[::1]/");
  const { cookies: list, losses } = fromToughCookies(await jar.serialize());
  expect(losses).toEqual([]);
  const defaults = { path: "/", httpOnly: false, secure: false, session: true, expires: -1, hostOnly: true };
  expect(list).toEqual([
    {
      ...defaults,
      name: "a",
      value: "1",
      domain: "www.a.example",
      sameSite: "Lax",
      session: false,
      expires: expect.closeTo(now / 1000 + 60, 0),
    },
    {
      ...defaults,
      name: "b",
      value: "2",
      domain: ".a.example",
      hostOnly: false,
      path: "/b",
      secure: true,
      httpOnly: true,
      session: false,
      expires: 1_893_456_000,
    },
    { ...defaults, name: "c", value: "3", domain: "[::1]" },
  ]);
  expect(fromToughCookies(list.length > 0 ? await jar.store.getAllCookies() : [])).toEqual({ cookies: list, losses });
});
