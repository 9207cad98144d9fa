import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { StorageState } from "@cloud-browser/browsers";
import { readCookiesTxt } from "../../src/profiles/cookies-txt.ts";
import { parseProfileKeys } from "../../src/profiles/profile-cipher.ts";
import { listSites } from "../../src/profiles/profile-sites.ts";
import { fitState } from "../../src/profiles/stored-state.ts";
import { makeCookie, createCipher, makeKey, nowMs, secret, makeState } from "./profile-data.ts";

describe("encryption keys", () => {
  const [base64, hex, url] = [makeKey(), randomBytes(32).toString("hex"), randomBytes(32).toString("base64url")];

  test("are Base64 or hexadecimal, one or several, by commas or lines", () => {
    expect(parseProfileKeys(`${base64},${hex}\n  ${url}\n`, "KEY").map((key) => key.length)).toEqual([32, 32, 32]);
    expect(parseProfileKeys(hex, "KEY")[0]?.toString("hex")).toBe(hex);
    expect(parseProfileKeys(base64, "KEY")[0]?.toString("base64")).toBe(base64);
  });

  test.each([
    ["", "KEY has no key"],
    [" ,\n", "KEY has no key"],
    ["correct horse battery", "key 1 of 3 has 5 bytes"],
    [randomBytes(16).toString("base64"), "the key has 16 bytes"],
    [randomBytes(31).toString("hex"), "the key has 46 bytes"],
    ["pässwörd!", "the key is neither Base64 nor hexadecimal"],
    [`${base64},short`, "key 2 of 2 has 3 bytes"],
  ])("%j is refused, and not repeated", (text, why) => {
    const parse = (): unknown => parseProfileKeys(text, "KEY");
    expect(parse).toThrow(why);
    expect(parse).toThrow("openssl rand -base64 32");
    const words = text.split(/[\s,]+/).filter((word) => word.length > 3 && word !== "short");
    for (const word of words) expect(parse).not.toThrow(word);
  });
});

describe("what is encrypted", () => {
  const [old, next] = [makeKey(), makeKey()];

  test("is read with its key, wherever that stands in the list, and says which key is missing", () => {
    const before = createCipher(old);
    const sealed = before.seal("p1", "state", secret);
    expect(Buffer.from(sealed).includes(secret)).toBe(false);
    expect(createCipher(next, old).open("p1", "state", before.keyId, sealed)).toBe(secret);
    expect(() => createCipher(next).open("p1", "state", before.keyId, sealed)).toThrow(
      expect.objectContaining({ code: "profile-unreadable", message: expect.stringContaining(before.keyId) }),
    );
    expect(createCipher(old).seal("p1", "state", secret)).not.toEqual(sealed);
  });

  test("is read in no other place, and not when a bit of it was changed or it was cut", () => {
    const cipher = createCipher(old);
    const sealed = cipher.seal("p1", "state", secret);
    const wrong: readonly (() => unknown)[] = [
      () => cipher.open("p2", "state", cipher.keyId, sealed),
      () => cipher.open("p1", "sites", cipher.keyId, sealed),
      ...[0, 5, 20, sealed.length - 1].map((at) => () => {
        const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte));
        return cipher.open("p1", "state", cipher.keyId, changed);
      }),
      ...[0, 1, 28, sealed.length - 1].map(
        (length) => () => cipher.open("p1", "state", cipher.keyId, sealed.subarray(0, length)),
      ),
    ];
    for (const open of wrong) expect(open).toThrow(expect.objectContaining({ code: "profile-unreadable" }));
  });
});

describe("a cookies.txt file", () => {
  test("is read with any line ends, comments, HttpOnly marks and values that are missing", () => {
    const text = [
      "# Netscape HTTP Cookie File",
      "",
      ".shop.example\tTRUE\t/\tTRUE\t1893456000\tid\tone=1",
      "#HttpOnly_shop.example\tfalse\t/a\tFALSE\t0\tsid\ttwo",
      "shop.example\tFALSE\t/\tFALSE\t\tempty",
    ].join("\r\n");
    expect(readCookiesTxt(`\uFEFF${text}\n`)).toMatchObject([
      { line: 3, cookie: { domain: ".shop.example", expires: 1893456000, secure: true, value: "one=1" } },
      { line: 4, cookie: { domain: "shop.example", path: "/a", expires: -1, httpOnly: true, value: "two" } },
      { line: 5, cookie: { name: "empty", value: "", expires: -1 } },
    ]);
  });

  test.each([
    ["shop.example FALSE / FALSE 0 sid value", "1 fields in place of 7", "separated by tabs"],
    ["a\tb\tc", "3 fields in place of 7", ""],
    ["shop.example\tyes\t/\tFALSE\t0\tsid\tv", "second field, subdomains, must be TRUE or FALSE", ""],
    ["shop.example\tTRUE\t/\t1\t0\tsid\tv", "fourth field, secure, must be TRUE or FALSE", ""],
    ["shop.example\tTRUE\t/\tTRUE\tnever\tsid\tv", "fifth field, expiry", ""],
    ["\tTRUE\t/\tTRUE\t0\tsid\tv", "first field, domain, is empty", ""],
  ])("says what is wrong with the line %j", (line, why, hint) => {
    const read = readCookiesTxt(`# comment\n${line}\n`);
    const [fault] = "faults" in read ? read.faults : [];
    expect([fault?.line, fault?.why]).toEqual([2, expect.stringContaining(why)]);
    expect(fault?.why).toContain(hint);
  });

  test("without a cookie is none", () => {
    expect(readCookiesTxt("# nothing\n\n")).toEqual({ faults: [{ line: 1, why: "there is no cookie in the file" }] });
  });
});

const store = (name: string, records: number): object => ({
  name,
  autoIncrement: false,
  indexes: [],
  records: Array.from({ length: records }, () => ({ value: 1 })),
});
const listLogins = (overrides: Partial<StorageState>): unknown =>
  listSites({ cookies: [], origins: [], ...overrides }, [], nowMs).map(({ site, login }) => [site, login]);

const database = (name: string, size: number): NonNullable<StorageState["origins"][number]["indexedDB"]>[number] => ({
  name,
  version: 1,
  stores: [{ name: "s", autoIncrement: false, indexes: [], records: [{ key: 1, value: "x".repeat(size) }] }],
});

describe("sites", () => {
  test.each([
    ["sessionid", "abc123def", true],
    ["PHPSESSID", "k3j4h5", true],
    ["__Secure-next-auth.session-token", "x".repeat(30), true],
    ["connect.sid", "s%3Aabcd", true],
    ["_ga", "GA1.2.3.4", false],
    ["csrf_token", "abcdefgh", false],
    ["cookie_consent", "yes-please", false],
    ["theme", "dark", false],
    ["sid", "", false],
  ])("the cookie %s is a login: %s %s", (name, value, isLogin) => {
    const cookies = [makeCookie({ name, value, httpOnly: false, domain: ".www.shop.example" })];
    expect(listLogins({ cookies })).toEqual([["shop.example", isLogin ? ["cookie"] : []]]);
  });

  test("logins are in cookies, local storage and databases, and listed first", () => {
    const jwt = "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln";
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stores as short as the test needs them
    const origins = [
      { origin: "https://a.example:8443", localStorage: [{ name: "theme", value: "dark" }] },
      { origin: "https://z.example", localStorage: [{ name: "state", value: JSON.stringify({ jwt }) }] },
      {
        origin: "https://y.example",
        localStorage: [],
        indexedDB: [{ name: "firebaseLocalStorageDb", version: 1, stores: [store("x", 1)] }],
      },
      {
        origin: "https://b.example",
        localStorage: [],
        indexedDB: [{ name: "authDb", version: 1, stores: [store("x", 0)] }],
      },
    ] as StorageState["origins"];
    expect(listLogins({ origins })).toEqual([
      ["y.example", ["indexed-db"]],
      ["z.example", ["local-storage"]],
      ["a.example", []],
      ["b.example", []],
    ]);
  });

  test("a login is as old as when it was first saved, and tells when its first cookie expires", () => {
    const first = listSites(
      makeState({ cookies: [makeCookie({ expires: 2_000 }), makeCookie({ name: "auth", expires: 1_000 })] }),
      [],
      5,
    );
    expect(first).toMatchObject([{ login_since_ms: 5, login_expires_ms: 1_000_000, cookies: 2 }]);
    expect(listSites(makeState(), first, 9)).toMatchObject([{ login_since_ms: 5, login_expires_ms: null }]);
    const loggedOut = listSites(makeState({ cookies: [makeCookie({ name: "theme", value: "dark" })] }), first, 9);
    expect(loggedOut).toMatchObject([{ login_since_ms: null }]);
    expect(listSites(makeState(), loggedOut, 12)).toMatchObject([{ login_since_ms: 12 }]);
    expect(JSON.stringify(first)).not.toContain(secret);
  });
});

const origin = (
  host: string,
  ...indexedDB: readonly ReturnType<typeof database>[]
): StorageState["origins"][number] => ({
  origin: `https://${host}`,
  localStorage: [{ name: "a", value: host }],
  indexedDB,
});

describe("what is written back", () => {
  const began = { state: makeState({ origins: [origin("old.example"), origin("gone.example")] }), refused: [] };

  test("keeps of origins that could not be read what they had, and tells what is missing", () => {
    const read = {
      state: makeState({ origins: [origin("new.example")] }),
      unread: ["https://old.example"],
      leftOut: [{ origin: "https://old.example", why: "its storage could not be read (timeout)" }],
    };
    const fitted = fitState(read, began, 10_000);
    expect(fitted?.state.origins.map((one) => one.origin)).toEqual(["https://new.example", "https://old.example"]);
    expect(fitted?.missing).toBe("https://old.example: its storage could not be read (timeout)");
    expect(JSON.parse(fitted?.text ?? "")).toEqual(fitted?.state);
  });

  test("keeps of a database that could not be read what it had, and not of a record that can't be kept", () => {
    const before = {
      state: makeState({ origins: [origin("a.example", database("cut", 5), database("gone", 5))] }),
      refused: [],
    };
    const read = {
      state: makeState({ origins: [origin("a.example", database("new", 5))] }),
      unread: [],
      leftOut: [
        { origin: "https://a.example", database: "cut", why: "it could not be read in time" },
        { origin: "https://a.example", database: "new", store: "s", why: "a Blob can't be kept", records: 1 },
        { origin: "https://b.example", database: "cut", why: "it could not be read in time" },
      ],
    };
    const fitted = fitState(read, before, 10_000);
    expect(fitted?.state.origins.map(({ indexedDB }) => indexedDB?.map(({ name }) => name))).toEqual([["new", "cut"]]);
    expect(fitted?.missing).toContain("a.example cut: it could not be read in time");
  });

  test("leaves out the largest databases until it fits, and nothing when that is not enough", () => {
    const origins = [
      origin("a.example", database("small", 10), database("large", 5_000)),
      origin("b.example", database("larger", 6_000)),
    ];
    const read = { state: makeState({ origins }), unread: [], leftOut: [] };
    const none = { state: undefined, refused: [] };
    const fitted = fitState(read, none, 2_000);
    expect(fitted?.state.origins.map(({ indexedDB }) => indexedDB?.map(({ name }) => name))).toEqual([["small"], []]);
    expect(fitted?.missing).toMatch(/b\.example larger: .*; .*a\.example large: /u);
    expect(Buffer.byteLength(fitted?.text ?? "")).toBeLessThanOrEqual(2_000);
    expect(fitState(read, none, 100)).toBeUndefined();
    expect(fitState(read, none, 100_000)?.missing).toBeNull();
  });
});
