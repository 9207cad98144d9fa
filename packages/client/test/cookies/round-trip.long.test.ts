import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
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
  type Cookie,
  type CookieLoss,
} from "../../src/cookies.ts";
import { conversions } from "./cookie-conversions.ts";

/** More cases: `SEED=7 TIMES=9 npx vitest run test/cookies/round`. */
const numRuns = 2000 * Number(process.env["TIMES"] ?? 1);

const pick = <Item>(...items: Item[]): fc.Arbitrary<Item> => fc.constantFrom(...items);
/** Text that a cookie can hold, of characters that mean something somewhere, and of others. */
const createText = (others: "binary" | "grapheme-ascii"): fc.Arbitrary<string> =>
  fc
    .string({
      unit: fc.oneof(fc.string({ unit: others, minLength: 1, maxLength: 1 }), pick("a", " ", "=", '"', ",", "#", "%")),
      maxLength: 9,
    })
    // oxlint-disable-next-line no-control-regex -- they can't be in a cookie
    .filter((text) => !/[\0-\x1f\x7f;]|^ | $/.test(text));
const time = fc.oneof(
  fc.integer({ min: 1, max: 253_402_300_799 }),
  fc.double({ min: 1, max: 2_000_000_000, noNaN: true }),
);

/** A cookie with all that the service can say of it, in the one way in which we write it. */
const getCookies = (fit: fc.Arbitrary<string>): fc.Arbitrary<Cookie> =>
  fc
    .record({
      name: fit.filter((text) => text !== "" && !text.includes("=")),
      value: fit,
      host: pick("a.example", "b.a.example", "xn--bcher-kva.example", "a_b.example", "127.0.0.1", "localhost", "[::1]"),
      hostOnly: fc.boolean(),
      path: fit.map((text) => `/${text}`),
      expires: fc.oneof(time, pick(-1)),
      httpOnly: fc.boolean(),
      secure: fc.boolean(),
      sameSite: pick("Strict", "Lax", "None", undefined),
      partitionKey: pick("https://c.example", undefined, undefined, undefined),
    })
    .map(({ host, hostOnly: maybe, sameSite, partitionKey, ...rest }): Cookie => {
      const hostOnly = maybe || !/[a-z]\./.test(host);
      const secure = rest.secure || sameSite === "None" || partitionKey !== undefined;
      const domain = hostOnly ? host : `.${host}`;
      const cookie: Cookie = Object.assign(rest, { domain, hostOnly, secure, session: rest.expires < 0 });
      if (sameSite) cookie.sameSite = sameSite;
      if (partitionKey) cookie.partitionKey = partitionKey;
      return cookie;
    });
const anyCookie = getCookies(createText("binary"));

/** What browsers hold: a path as addresses have it, which is no other one. */
function getBrowserPart(cookie: Cookie): Cookie | undefined {
  const { path = "" } = cookie;
  const isOther = path.split(/[/\\]/).some((step) => /^(?:\.|%2e){1,2}$/i.test(step)) || path.includes("\\");
  // As an address has it, but for these two, which Chromium encodes, too, and for what is encoded already.
  const encoded = encodeURI(path).replaceAll("%25", "%").replace(/[?#]/g, encodeURIComponent);
  return isOther ? undefined : { ...cookie, path: encoded.replaceAll("%5B", "[").replaceAll("%5D", "]") };
}

const isOurs = ({ partitionKey }: Cookie): boolean => partitionKey === undefined;
const forms: {
  name: string;
  trip: (cookies: Cookie[]) => { there: readonly CookieLoss[]; back: { cookies: Cookie[]; losses: CookieLoss[] } };
  /** The part of a cookie that the form can hold; `undefined` when it can't hold it at all. */
  part: (cookie: Cookie) => Cookie | undefined;
}[] = [
  {
    name: "Playwright",
    trip(cookies) {
      const { cookies: inPlaywright, losses } = toPlaywrightCookies(cookies);
      return { there: losses, back: fromPlaywrightCookies(inPlaywright) };
    },
    part: getBrowserPart,
  },
  {
    name: "Puppeteer",
    trip(cookies) {
      const { cookies: inPuppeteer, losses } = toPuppeteerCookies(cookies);
      return { there: losses, back: fromPuppeteerCookies(inPuppeteer) };
    },
    part: getBrowserPart,
  },
  {
    name: "tough-cookie",
    trip(cookies) {
      const { cookies: inTough, losses } = toToughCookies(cookies);
      return { there: losses, back: fromToughCookies(JSON.parse(JSON.stringify(inTough))) };
    },
    part(cookie) {
      const { expires = -1 } = cookie;
      return isOurs(cookie) ? { ...cookie, expires: expires < 0 ? -1 : Math.round(expires * 1000) / 1000 } : undefined;
    },
  },
  {
    name: "cookies.txt",
    trip(cookies) {
      const { text, losses } = toCookiesTxt(cookies);
      return { there: losses, back: fromCookiesTxt(text) };
    },
    part(cookie) {
      const { sameSite: _sameSite, expires = -1, ...rest } = cookie;
      return isOurs(cookie) ? { ...rest, expires: Math.ceil(expires) } : undefined;
    },
  },
];
test.for(forms)("what $name can hold comes back unchanged, and the rest is reported", ({ trip, part }) => {
  const property = fc.property(fc.array(anyCookie, { maxLength: 4 }), (cookies) => {
    const { there, back } = trip(cookies);
    const parts = cookies.map(part);
    expect(back).toEqual({ cookies: parts.filter((one) => one !== undefined), losses: [] });
    for (const [at, cookie] of cookies.entries()) {
      const reported = there.filter((loss) => loss.at === at).map(({ reason, field }) => `${reason} ${field}`);
      const dropped = Object.keys(cookie).filter((field) => !Object.hasOwn(parts[at] ?? {}, field));
      const assumed = parts[at]?.path === cookie.path ? [] : ["assumed path"];
      const skipped = [part === getBrowserPart ? "skipped path" : "skipped partitionKey"];
      const want = parts[at] ? [...assumed, ...dropped.map((field) => `dropped ${field}`)] : skipped;
      expect(reported).toEqual(want);
    }
  });
  fc.assert(property, { seed, numRuns });
});

test("what a header can hold comes back unchanged", () => {
  const ascii = getCookies(createText("grapheme-ascii"));
  const property = fc.property(fc.array(ascii, { minLength: 1, maxLength: 4 }), (cookies) => {
    const here = cookies.map((cookie) => ({ ...cookie, domain: "a.example", hostOnly: true, path: "/", expires: -1 }));
    const ours = here.filter(isOurs);
    const { header } = toCookieHeader(here, "https://a.example/");
    const back = fromCookieHeader(header, "https://a.example/").cookies;
    const place = { domain: "a.example", hostOnly: true, path: "/", secure: true };
    expect(back).toEqual(ours.map(({ name, value }) => Object.assign({ name, value }, place)));
  });
  fc.assert(property, { seed, numRuns });
});

const fields = pick(
  ..."name key value domain path expires expirationDate httpOnly secure hostOnly session sameSite".split(" "),
  ..."partitionKey storeId url maxAge creation lastAccessed priority partitionKeyOpaque __proto__".split(" "),
);
const secret = pick<unknown>("s3cr3t", "s3cr3t;", " s3cr3t\n", { sourceOrigin: "s3cr3t" }, ["s3cr3t"], { a: "s3cr3t" });
const odd = fc.oneof(
  fc
    .dictionary(
      fields,
      fc.oneof(
        secret,
        pick<unknown>(null, true, 1, -1, 1e300, NaN, "", "/", "None", "https://a.example"),
        fc.anything(),
      ),
      { maxKeys: 12 },
    )
    .map((cookie) => Object.assign({ name: "sid", key: "sid", domain: "a.example" }, cookie)),
  fc.anything(),
);
test.for(conversions.filter(({ takes }) => takes === "list"))(
  "$name accepts anything for a cookie, and reports no value",
  ({ run }) => {
    const property = fc.property(fc.array(odd, { maxLength: 3 }), (cookies) => {
      const { losses }: { losses: CookieLoss[] } = Reflect.apply(run, undefined, [cookies]);
      // Only what takes the place of name and domain may be reported.
      const reported = losses.map(({ name: _name, domain: _domain, ...rest }) => rest);
      expect(JSON.stringify(reported)).not.toContain("s3cr3t");
    });
    fc.assert(property, { seed, numRuns });
  },
);

test("reads any text as a file, and reports no value", () => {
  const part = pick("a.example", "\t", "\t", "\t", "TRUE", "FALSE", "/", "0", "sid", "\n", "#HttpOnly_", "#", "s3cr3t");
  const property = fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
    const { cookies, losses } = fromCookiesTxt(parts.join(""));
    const broken = losses.filter(({ field }) => field === "cookie");
    expect(JSON.stringify(broken)).not.toContain("s3cr3t");
    expect(cookies.every(({ name, value }) => typeof name === "string" && typeof value === "string")).toBe(true);
  });
  fc.assert(property, { seed, numRuns });
});
