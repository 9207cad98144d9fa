import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import type { PooledContext } from "../../src/pool/pooled-context.ts";
import { readStorageState, restoreStorageState, type ReadState } from "../../src/storage/context-storage.ts";

let pool: BrowserPool;
let site: Site;
const cookieHeaders: string[] = [];

beforeAll(async () => {
  pool = await BrowserPool.start();
  site = await startSite({
    "/": "<title>Shop</title>",
    "/leave": `<script>addEventListener("pagehide", () => localStorage.setItem("left", "yes"))</script>`,
    "/hang": "<title>Hangs</title><script>setTimeout(() => { for (;;); }, 50)</script>",
    "/cookies": (_, response) =>
      void response
        .writeHead(200, {
          "content-type": "text/html",
          "set-cookie": [
            "__Host-sid=host; Secure; Path=/; HttpOnly; SameSite=Strict",
            "lasting=one; Max-Age=86400; Path=/",
            "unstated=two; Path=/",
            "brief=three; Max-Age=1; Path=/",
          ],
        })
        .end("<title>Cookies</title>"),
    "/chips": (request, response) => {
      cookieHeaders.push(request.headers.cookie ?? "");
      response
        .writeHead(200, {
          "content-type": "text/html",
          "set-cookie": "__Host-part=chips; Secure; Path=/; SameSite=None; Partitioned",
        })
        .end("<title>Framed</title>");
    },
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await pool.close();
});

const limits = { databaseBytes: 2 ** 20 };
const read = (pooled: PooledContext, ...origins: string[]): Promise<ReadState> =>
  readStorageState(pooled, origins, limits);

/** Names in local storage, some of which are those of its own methods. */
const names = ["token", "", "length", "key", "getItem", "toString", "__proto__"];

/** Fills a database with values of all kinds that can be stored. */
async function fill(): Promise<void> {
  const request = indexedDB.open("kinds", 3);
  request.addEventListener("upgradeneeded", () => {
    const { result } = request;
    result.createObjectStore("values");
    const people = result.createObjectStore("people", { keyPath: ["team", "id"], autoIncrement: false });
    people.createIndex("by name", "name", { unique: true });
    people.createIndex("by tag", "tags", { multiEntry: true });
    result.createObjectStore("counted", { autoIncrement: true });
    result.createObjectStore("empty", { keyPath: "" });
  });
  const database = await new Promise<IDBDatabase>((resolve) =>
    request.addEventListener("success", () => resolve(request.result)),
  );
  const transaction = database.transaction(["values", "people", "counted"], "readwrite");
  const values = transaction.objectStore("values");
  const shared = { name: "shared" };
  const cyclic: Record<string, unknown> = { one: shared, two: shared };
  cyclic["self"] = cyclic;
  values.put({ token: "idb-token", at: new Date(86_400_000) }, "login");
  values.put(new Uint8Array([1, 2, 255]).buffer, "buffer");
  values.put([new Float64Array([0.5, Number.NaN]), new Uint8ClampedArray([7]), new BigInt64Array([-9n])], "views");
  values.put(
    new Map<unknown, unknown>([
      ["a", new Set([1n, -0])],
      [new Date(5), undefined],
    ]),
    "map",
  );
  values.put(cyclic, "cyclic");
  values.put([Number.NaN, Infinity, -0, null, undefined, 10n, /a+/giu, new RangeError("far")], "odd");
  values.put(new Date(Number.NaN), new Date(99));
  values.put("by a key of bytes", new Uint8Array([4, 2]));
  values.put("by a key of parts", ["a", 1, new Date(7)]);
  values.put(new Blob(["photo"]), "blob");
  values.put({ deep: [new File(["x"], "x.txt")] }, "file");
  values.put(
    await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]).catch(() => 0),
    "cr",
  );
  transaction.objectStore("people").put({ team: 1, id: 2, name: "Ann", tags: ["x", "y"] });
  transaction.objectStore("counted").put("first");
  await new Promise((resolve) => transaction.addEventListener("complete", resolve));
}

function sortCookies(cookies: ReadState["state"]["cookies"]): unknown {
  return cookies.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Says what is in that database, so that two can be compared. */
async function describeAll(): Promise<string> {
  const request = indexedDB.open("kinds");
  const database = await new Promise<IDBDatabase>((resolve) =>
    request.addEventListener("success", () => resolve(request.result)),
  );
  const content: unknown[] = [database.version];
  const tell = (value: unknown, visited: unknown[] = []): unknown => {
    const tag = Object.prototype.toString.call(value);
    if (visited.includes(value)) return `#${visited.indexOf(value)}`;
    if (value instanceof Date) return [tag, value.getTime().toString()];
    if (value instanceof Error) return [tag, value.name, value.message];
    if (value instanceof ArrayBuffer) return [tag, ...new Uint8Array(value)];
    if (ArrayBuffer.isView(value)) return [tag, ...new Uint8Array(value.buffer).values()];
    if (value instanceof RegExp || typeof value !== "object" || value === null)
      return [tag, Object.is(value, -0) ? "-0" : String(value)];
    visited.push(value);
    if (value instanceof Map || value instanceof Set)
      return [tag, ...[...value].map((item: unknown) => tell(item, visited))];
    return [tag, ...Object.entries(value).map(([name, item]) => [name, tell(item, visited)])];
  };
  for (const name of database.objectStoreNames) {
    const store = database.transaction(name).objectStore(name);
    const indexes = [...store.indexNames].map((one) => {
      const { keyPath, unique, multiEntry } = store.index(one);
      return [one, keyPath, unique, multiEntry];
    });
    content.push([name, store.keyPath, store.autoIncrement, indexes]);
    const cursors = store.openCursor();
    await new Promise<void>((resolve) =>
      cursors.addEventListener("success", () => {
        const { result } = cursors;
        if (!result) return resolve();
        content.push([tell(result.primaryKey), tell(result.value)]);
        result.continue();
      }),
    );
  }
  database.close();
  return JSON.stringify(content);
}

test("cookies, local storage and databases of all kinds of values are in another context as they were", async () => {
  const first = await pool.open();
  const page = await first.context.newPage();
  await page.goto(`${site.url}/cookies`);
  await page.evaluate((all) => {
    for (const name of all) localStorage.setItem(name, `läßt \u2028 \ud800 ${name}`);
  }, names);
  await page.evaluate(fill);
  const before = await page.evaluate(describeAll);
  const { state, unread, leftOut } = await read(first, site.url);
  expect(unread).toEqual([]);
  expect(leftOut.map(({ origin: _, ...one }) => one)).toEqual([
    { database: "kinds", store: "values", why: "a Blob can't be kept", records: 1 },
    { database: "kinds", store: "values", why: "a CryptoKey can't be kept", records: 1 },
    { database: "kinds", store: "values", why: "a File can't be kept", records: 1 },
  ]);
  await first.close();

  const second = await pool.open();
  const requestsBefore = site.requests.length;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what has just been written
  const copy = JSON.parse(JSON.stringify(state)) as typeof state;
  expect(await restoreStorageState(second, copy, Date.now() + 2_000)).toEqual([]);
  expect(site.requests.length).toBe(requestsBefore);
  expect(second.context.pages()).toEqual([]);
  const other = await second.context.newPage();
  await other.goto(`${site.url}/`);
  const after = await other.evaluate(describeAll);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `describeAll`
  const storable = (JSON.parse(before) as unknown[]).filter((one) => !/"(?:blob|file|cr)"/.test(JSON.stringify(one)));
  expect(JSON.parse(after)).toEqual(storable);
  const items = await other.evaluate((all) => all.map((name) => localStorage.getItem(name)), names);
  expect(items).toEqual(names.map((name) => `läßt \u2028 \ud800 ${name}`));
  const cookies = await second.context.cookies();
  expect(cookies.map(({ name, expires }) => `${name} ${expires === -1}`).toSorted()).toEqual([
    "__Host-sid true",
    "lasting false",
    "unstated true",
  ]);
  const { state: again } = await read(second, site.url);
  expect(sortCookies(again.cookies)).toEqual(sortCookies(state.cookies.filter(({ name }) => name !== "brief")));
  expect(again.origins).toEqual(state.origins);
  await second.close();
});

test("the state is one that Playwright takes, too", async () => {
  const first = await pool.open();
  const page = await first.context.newPage();
  await page.goto(`${site.url}/cookies`);
  await page.evaluate(fill);
  const { state } = await read(first, site.url);
  await first.close();
  const cookies = state.cookies.map(({ sameSite = "Lax" as const, ...cookie }) => ({ ...cookie, sameSite }));
  const own = await pool.open();
  const browser = own.context.browser();
  if (!browser) throw new Error("no browser");
  expect(chromium.name()).toBe("chromium");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Playwright's own type is of arrays that can be written to
  const storageState = { cookies, origins: state.origins } as unknown as { cookies: []; origins: [] };
  await own.context.setStorageState(storageState);
  const other = await own.context.newPage();
  await other.goto(`${site.url}/`);
  expect(await other.evaluate(describeAll)).toContain("idb-token");
  await own.close();
});

test("a partitioned cookie is sent under the site that it was set under, and nowhere else", async () => {
  const framing = `http://localhost:${new URL(site.url).port}`;
  const frame = async ({ context }: PooledContext, top: string): Promise<string> => {
    const page = await context.newPage();
    await page.goto(`${top}/`);
    await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const one = document.body.appendChild(document.createElement("iframe"));
          one.addEventListener("load", resolve);
          one.src = src;
        }),
      `${site.url}/chips`,
    );
    await page.close();
    return cookieHeaders.at(-1) ?? "";
  };
  const first = await pool.open();
  expect(await frame(first, framing)).toBe("");
  expect(await frame(first, framing)).toBe("__Host-part=chips");
  const { state } = await read(first);
  expect(state.cookies).toMatchObject([{ name: "__Host-part", partitionKey: "http://localhost" }]);
  await first.close();
  const second = await pool.open();
  expect(await restoreStorageState(second, state, Date.now())).toEqual([]);
  const direct = await second.context.newPage();
  await direct.goto(`${site.url}/chips`);
  expect(cookieHeaders.at(-1)).toBe("");
  await direct.close();
  expect(await frame(second, framing)).toBe("__Host-part=chips");
  await second.close();
});

test("what a page writes as it is left is read, and one that hangs keeps nothing from being read", async () => {
  const pooled = await pool.open();
  const leaving = await pooled.context.newPage();
  await leaving.goto(`${site.url}/leave`);
  const hanging = await pooled.context.newPage();
  await hanging.goto(`http://localhost:${new URL(site.url).port}/hang`);
  const { state, unread } = await read(pooled, site.url);
  expect(unread).toEqual([]);
  expect(state.origins).toMatchObject([{ localStorage: [{ name: "left", value: "yes" }] }]);
  await pooled.close();
});

test("a database that is too large, and an origin that can't be read, keep no other from being read", async () => {
  const pooled = await pool.open();
  const page = await pooled.context.newPage();
  await page.goto(`${site.url}/`);
  await page.evaluate(fill);
  await page.evaluate(async () => {
    const request = indexedDB.open("cache", 1);
    request.addEventListener("upgradeneeded", () => void request.result.createObjectStore("bodies"));
    const many = indexedDB.open("many", 1);
    many.addEventListener("upgradeneeded", () => {
      const store = many.result.createObjectStore("s", { keyPath: "id" });
      for (let id = 0; id < 5_000; id += 1) store.put({ id });
    });
    const filled = new Promise((resolve) => many.addEventListener("success", resolve));
    const database = await new Promise<IDBDatabase>((resolve) =>
      request.addEventListener("success", () => resolve(request.result)),
    );
    await filled;
    const transaction = database.transaction("bodies", "readwrite");
    for (let at = 0; at < 64; at += 1) transaction.objectStore("bodies").put("x".repeat(65_536), at);
    await new Promise((resolve) => transaction.addEventListener("complete", resolve));
  });
  const { state, unread, leftOut } = await read(pooled, "chrome://version", site.url);
  expect(unread).toEqual(["chrome://version"]);
  const databases = state.origins[0]?.indexedDB ?? [];
  expect(databases.map(({ name }) => name)).toEqual(["kinds", "many"]);
  const records = databases[1]?.stores[0]?.records ?? [];
  expect(records.map(({ value }) => value)).toEqual(Array.from({ length: 5_000 }, (_, id) => ({ id })));
  expect(leftOut.map(({ database, why }) => [database, why])).toContainEqual([
    "cache",
    "it is larger than 1048576 bytes",
  ]);
  await pooled.close();
});
