import { Hono } from "hono";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { ProfileView } from "../../src/control/profiles/profile-view.ts";
import { listRoles } from "../../src/http/authentication.ts";
import { answerError } from "../../src/http/problems.ts";
import { addProfileRoutes } from "../../src/http/profiles/profile-routes.ts";
import { Keys, noQuota } from "../../src/keys/keys.ts";
import { Profiles } from "../../src/profiles/profiles.ts";
import type { KeyRole } from "../../src/storage/key-store.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlKeyStore } from "../../src/storage/sql/sql-key-store.ts";
import { SqlProfileStore } from "../../src/storage/sql/sql-profile-store.ts";
import { readAnswer } from "../running-service.ts";
import { makeCookie, createCipher, makeKey, nowMs, secret, makeState } from "./profile-data.ts";

const use: readonly KeyRole[] = ["use"];

/** The routes of profiles on a store in memory, as keys with roles see them. */
function serve(
  keys: readonly string[] | undefined,
  { most = 3, bytes = 100_000 } = {},
  database = openDatabase(":memory:"),
): {
  ask: (
    method: string,
    path: string,
    options?: { body?: unknown; key?: string | null; roles?: readonly KeyRole[] },
  ) => Promise<Response>;
  profiles: Profiles;
  apiKeys: Keys;
  database: typeof database;
  log: string[];
} {
  const log: string[] = [];
  const profiles = new Profiles({
    store: new SqlProfileStore(new SqliteDatabase(database)),
    cipher: keys && createCipher(...keys),
    limits: { count: most, bytes },
    readQuota: async (key) => (key === "bounded" ? 1 : null),
    clock: { now: () => nowMs },
  });
  const apiKeys = new Keys(new SqlKeyStore(new SqliteDatabase(database)));
  const ask: ReturnType<typeof serve>["ask"] = async (method, path, { body, key = null, roles = use } = {}) => {
    const app = new Hono();
    app.use((c, next) => {
      c.set("holder", { name: key, roles, quota: noQuota });
      return next();
    });
    app.onError((error, c) => answerError(error) ?? c.text(String(error), 500));
    addProfileRoutes(app, {
      profiles,
      keys: apiKeys,
      clock: { now: () => nowMs },
      log: pino({}, { write: (line) => void log.push(line) }),
    });
    const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    return app.request(path, { method, ...init });
  };
  return { ask, profiles, apiKeys, database, log };
}

const upload = (more: object = {}): object => ({ name: "shop", storage_state: makeState(), ...more });

describe("the routes", () => {
  test("take a storage state, list it without a value, export it and delete it", async () => {
    const { ask, database, log } = serve([makeKey()]);
    const storage = {
      cookies: [
        makeCookie(),
        makeCookie({ name: "old", expires: 1 }),
        makeCookie({ name: "__Host-p", sameSite: "None", partitionKey: "https://top.example" }),
      ],
      origins: [
        { origin: "https://shop.example", localStorage: [{ name: "token", value: secret, extra: 1 }], opfs: [] },
      ],
      credentials: [],
    };
    const created = await ask("POST", "/control/profiles", { body: upload({ storage_state: storage }) });
    expect(created.status).toBe(201);
    const body = await created.text();
    expect(JSON.parse(body)).toMatchObject({
      name: "shop",
      key: "main",
      saved_at: "2030-01-01T00:00:00.000Z",
      used_at: null,
      version: 1,
      encryption_key: "current",
      in_use_by: null,
      last_write: null,
      sites: [{ site: "shop.example", login: ["cookie", "local-storage"], cookies: 2, local_storage: 1 }],
      left_out: [
        "1 cookie has expired",
        "credentials: passkeys are not kept",
        "https://shop.example: files (OPFS) are not kept",
      ],
    });
    const listed = await (await ask("GET", "/control/profiles")).text();
    const one = await (await ask("GET", "/control/profiles/shop")).text();
    for (const text of [body, listed, one, ...log]) expect(text).not.toContain(secret);
    const rows = database.prepare("SELECT * FROM profiles").all();
    expect(
      Buffer.concat(
        Object.values(rows[0] ?? {}).map((cell) => (cell instanceof Uint8Array ? cell : Buffer.from(String(cell)))),
      ).includes("shop.example"),
    ).toBe(false);
    const exported = await ask("GET", "/control/profiles/shop/storage-state");
    expect(exported.headers.get("cache-control")).toBe("no-store");
    expect(await exported.json()).toEqual({
      cookies: [
        { ...makeCookie(), sameSite: "Lax" },
        {
          ...makeCookie({ name: "__Host-p", sameSite: "None", partitionKey: "https://top.example" }),
          _crHasCrossSiteAncestor: false,
        },
      ],
      origins: [{ origin: "https://shop.example", localStorage: [{ name: "token", value: secret }] }],
    });
    expect(await (await ask("DELETE", "/control/profiles/shop")).json()).toEqual({ deleted: true, in_use_by: null });
    for (const [method, path] of [
      ["DELETE", "shop"],
      ["GET", "shop"],
      ["GET", "shop/storage-state"],
    ] as const)
      expect((await ask(method, `/control/profiles/${path}`)).status).toBe(404);
  });

  test("replace where that is asked for, and keep to the limits of size and number", async () => {
    const { ask } = serve([makeKey()], { most: 2, bytes: 500 });
    const readStatus = async (body: object, key: string | null = null): Promise<number> =>
      (await ask("POST", "/control/profiles", { body, key })).status;
    expect(await readStatus(upload())).toBe(201);
    expect(await readStatus(upload())).toBe(422);
    expect(await readStatus(upload({ replace: true }))).toBe(201);
    expect(await readAnswer<ProfileView>(await ask("GET", "/control/profiles/shop"))).toMatchObject({ version: 2 });
    expect(await readStatus(upload({ name: "two" }))).toBe(201);
    expect(await readStatus(upload({ name: "three" }))).toBe(429);
    expect(await readStatus(upload({ name: "three" }), "team")).toBe(201);
    expect(await readStatus(upload({ name: "one" }), "bounded")).toBe(201);
    expect(await readStatus(upload({ name: "two" }), "bounded")).toBe(429);
    expect(
      await readStatus(
        upload({ name: "big", storage_state: makeState({ cookies: Array(9).fill(makeCookie()) }) }),
        "team",
      ),
    ).toBe(422);
  });

  test.each<[string, unknown, readonly (string | number)[]]>([
    ["neither of the two", { name: "shop" }, ["body"]],
    ["both of them", upload({ cookies_txt: "x" }), ["body"]],
    ["a name with a path", upload({ name: "../x" }), ["body", "name"]],
    ["a name that is a dot", upload({ name: "." }), ["body", "name"]],
    [
      "a cookie without a domain",
      upload({ storage_state: { cookies: [{ ...makeCookie(), domain: undefined }], origins: [] } }),
      ["body", "storage_state", "cookies", 0, "domain"],
    ],
    [
      "a cookie of a wrong type",
      upload({ storage_state: { cookies: [{ ...makeCookie(), value: [secret] }], origins: [] } }),
      ["body", "storage_state", "cookies", 0, "value"],
    ],
    [
      "a __Host- cookie of a domain",
      upload({ storage_state: makeState({ cookies: [makeCookie({ name: "__Host-a", domain: ".shop.example" })] }) }),
      ["body", "storage_state", "cookies", 0, "domain"],
    ],
    [
      "a partition that is no site",
      upload({ storage_state: makeState({ cookies: [makeCookie({ partitionKey: secret })] }) }),
      ["body", "storage_state", "cookies", 0, "partitionKey"],
    ],
    [
      "an origin with a path",
      upload({ storage_state: makeState({ origins: [{ origin: "https://shop.example/", localStorage: [] }] }) }),
      ["body", "storage_state", "origins", 0, "origin"],
    ],
    [
      "an origin that is there twice",
      upload({
        storage_state: makeState({ origins: [1, 2].map(() => ({ origin: "https://shop.example", localStorage: [] })) }),
      }),
      ["body", "storage_state", "origins", 1, "origin"],
    ],
    [
      "a database without stores",
      upload({
        storage_state: {
          cookies: [],
          origins: [{ origin: "https://shop.example", localStorage: [], indexedDB: [{ name: secret, version: 1 }] }],
        },
      }),
      ["body", "storage_state", "origins", 0, "indexedDB", 0, "stores"],
    ],
    ["a line that is wrong", { name: "shop", cookies_txt: `# c\n${secret} b` }, ["body", "cookies_txt", 2]],
    [
      "a line with a cookie that no browser takes",
      { name: "shop", cookies_txt: `a b\tTRUE\t/\tTRUE\t0\tsid\t${secret}` },
      ["body", "cookies_txt", 1],
    ],
    ["what is not JSON", `{"name":"shop","cookies_txt":"${secret}`, ["body"]],
  ])("refuse %s, with its place and without a value", async (_, body, place) => {
    const { ask, log } = serve([makeKey()]);
    const answer = await ask("POST", "/control/profiles", { body });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([422, expect.any(String)]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the interface has it
    const { detail } = JSON.parse(text) as { detail: { loc: unknown }[] };
    expect(detail.map(({ loc }) => loc)).toContainEqual(place);
    expect(text + log.join("")).not.toContain(secret);
    expect((await ask("GET", "/control/profiles/shop")).status).toBe(404);
  });

  test("show a key its own profiles only, and an operator those of all, but nothing in them", async () => {
    const { ask, apiKeys } = serve([makeKey()]);
    await apiKeys.create({ name: "one", roles: use, quota: noQuota, expires_ms: null }, 1);
    await ask("POST", "/control/profiles", { body: upload(), key: "one" });
    const operator = { key: "boss", roles: ["operate"] as const };
    const readStatus = async (
      method: string,
      path: string,
      as: { key: string; roles?: readonly KeyRole[] },
    ): Promise<number> => (await ask(method, `/control/profiles${path}`, as)).status;
    expect(await readStatus("GET", "/shop", { key: "one" })).toBe(200);
    expect(await readStatus("GET", "/shop", { key: "other" })).toBe(404);
    expect(await readStatus("GET", "/shop?key=one", { key: "other" })).toBe(403);
    expect(await readStatus("DELETE", "/shop?key=one", { key: "other" })).toBe(403);
    expect(await readStatus("GET", "/shop/storage-state", { key: "other" })).toBe(404);
    const all = await readAnswer<{ profiles: ProfileView[] }>(await ask("GET", "/control/profiles?key=*", operator));
    expect(all.profiles.map(({ key, name }) => [key, name])).toEqual([["one", "shop"]]);
    expect(await readStatus("GET", "/shop?key=one", operator)).toBe(200);
    expect(await readStatus("DELETE", "/shop?key=*", operator)).toBe(422);
    expect(await readStatus("DELETE", "/shop?key=one", operator)).toBe(200);
    expect(listRoles("GET", "/control/profiles/shop")).toEqual(["use", "operate"]);
    expect(listRoles("GET", "/control/profiles/shop/storage-state")).toEqual(["use"]);
    expect(listRoles("POST", "/control/profiles")).toEqual(["use"]);
    expect(listRoles("POST", "/control/profiles/reencrypt")).toEqual(["operate"]);
  });

  test("say that there are no profiles without a key, and why one can't be read with another key", async () => {
    const [old, next] = [makeKey(), makeKey()];
    const off = serve(undefined);
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["GET", "/shop/storage-state"],
      ["POST", "/reencrypt"],
    ] as const) {
      const answer = await off.ask(method, `/control/profiles${path}`, method === "POST" ? { body: upload() } : {});
      expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining("CLOUD_BROWSER_PROFILE_KEY")]);
    }
    expect(await off.profiles.findFault()).toBeUndefined();

    const before = serve([old]);
    await before.ask("POST", "/control/profiles", { body: upload() });
    const wrong = serve([next], {}, before.database);
    const view = await readAnswer<ProfileView>(await wrong.ask("GET", "/control/profiles/shop"));
    expect(view).toMatchObject({ encryption_key: "unknown", sites: null });
    const exported = await wrong.ask("GET", "/control/profiles/shop/storage-state");
    expect([exported.status, await exported.text()]).toEqual([
      503,
      expect.stringContaining("is encrypted with the key"),
    ]);
    expect(await wrong.profiles.findFault()).toContain("1 of the profiles");
    expect(await wrong.profiles.reencrypt()).toEqual({ reencrypted: 0, unreadable: 1 });

    const rotating = serve([next, old], {}, before.database);
    expect(await rotating.profiles.findFault()).toBeUndefined();
    expect(await readAnswer(await rotating.ask("GET", "/control/profiles/shop"))).toMatchObject({
      encryption_key: "old",
    });
    expect(await rotating.profiles.countTotals()).toMatchObject({
      counts: new Map([
        ["current", 0],
        ["old", 1],
        ["unknown", 0],
      ]),
    });
    const done = await rotating.ask("POST", "/control/profiles/reencrypt");
    expect(await done.json()).toEqual({ reencrypted: 1, unreadable: 0 });
    const after = serve([next], {}, before.database);
    expect(await (await after.ask("GET", "/control/profiles/shop/storage-state")).text()).toContain(secret);
    expect(await readAnswer(await after.ask("GET", "/control/profiles/shop"))).toMatchObject({
      version: 1,
      encryption_key: "current",
    });
  });
});
