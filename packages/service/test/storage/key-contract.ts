import { expect, test } from "vitest";
import { noQuota } from "../../src/keys/keys.ts";
import type { Backend } from "./backend.ts";

const reader = { name: "grafana", roles: ["metrics"], quota: noQuota, created_ms: 1, expires_ms: null } as const;
const team = {
  name: "team-a",
  roles: ["use", "metrics"],
  quota: { sessions: 3, runs: 2, profiles: 4, cost_usd_per_day: "0.10" },
  created_ms: 2,
  expires_ms: null,
} as const;

/** What every store of keys does. */
export function testKeyStore(start: () => Promise<Backend>): void {
  test("a key outlives the process that created it, and is found by its hash", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    expect(await keys.create(team, "hash a")).toBe(true);
    const { keys: again } = await backend.open();
    expect(await again.find("hash a", 10)).toEqual({ ...team, revoked_ms: null });
    expect(await again.find("hash b", 10)).toBeUndefined();
    expect(await again.find("", 10)).toBeUndefined();
  });

  test("keys are listed by name, without their hashes", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    await keys.create(team, "hash a");
    await keys.create(reader, "hash b");
    await keys.create({ ...reader, name: "Zed" }, "hash c");
    expect(await keys.list()).toEqual([
      { ...reader, name: "Zed", revoked_ms: null },
      { ...reader, revoked_ms: null },
      { ...team, revoked_ms: null },
    ]);
  });

  test("a name and a hash are unique, also with concurrent requests", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    const creations = Array.from({ length: 20 }, (_, index) => keys.create(team, `hash ${index}`));
    const outcomes = await Promise.all(creations);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    // Which of them was first is the database's affair.
    expect(await keys.create({ ...team, name: "team-b" }, `hash ${outcomes.indexOf(true)}`)).toBe(false);
    expect(await keys.list()).toHaveLength(1);
  });

  test("a revoked key is not found, can't be revoked again, and keeps its name", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    await keys.create(team, "hash a");
    await keys.create(reader, "hash b");
    expect(await keys.revoke("team-a", 5)).toBe(true);
    expect(await keys.revoke("team-a", 6)).toBe(false);
    expect(await keys.revoke("nobody", 6)).toBe(false);
    expect(await keys.find("hash a", 10)).toBeUndefined();
    expect(await keys.find("hash b", 10)).toMatchObject({ name: "grafana" });
    expect(await keys.create(team, "hash c")).toBe(false);
    const { keys: again } = await backend.open();
    expect(await again.find("hash a", 10)).toBeUndefined();
    expect((await again.list()).map(({ name, revoked_ms }) => [name, revoked_ms])).toEqual([
      ["grafana", null],
      ["team-a", 5],
    ]);
  });

  test("a key is good until it expires, and its expiry can be changed", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    await keys.create({ ...team, expires_ms: 100 }, "hash a");
    expect(await keys.find("hash a", 99)).toMatchObject({ name: "team-a", expires_ms: 100 });
    expect(await keys.find("hash a", 100)).toBeUndefined();
    expect(await keys.change("team-a", { expires_ms: 200 })).toMatchObject({ ...team, expires_ms: 200 });
    expect(await keys.find("hash a", 150)).toMatchObject({ name: "team-a" });
    expect(await keys.change("team-a", { expires_ms: null })).toMatchObject({ expires_ms: null });
    expect(await keys.find("hash a", 1_000)).toMatchObject({ name: "team-a" });
  });

  test("roles and quotas are changed one by one; those of a revoked key are not", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    await keys.create({ ...team, expires_ms: 100 }, "hash a");
    const changed = { ...team, expires_ms: 100, quota: { ...team.quota, runs: null, sessions: 9 }, revoked_ms: null };
    expect(await keys.change("team-a", { quota: { sessions: 9, runs: null } })).toEqual(changed);
    expect(await keys.change("team-a", { roles: ["use"] })).toEqual({ ...changed, roles: ["use"] });
    const { keys: again } = await backend.open();
    expect(await again.list()).toEqual([{ ...changed, roles: ["use"] }]);
    expect(await keys.change("nobody", { roles: ["use"] })).toBeUndefined();
    await keys.revoke("team-a", 5);
    expect(await keys.change("team-a", { roles: ["metrics"] })).toBeUndefined();
  });

  test("a key that is replaced is good for the overlap only, and one that was replaced before not at all", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    await keys.create(team, "hash a");
    expect(await keys.replace("team-a", "hash b", 50)).toBe(true);
    expect(await keys.find("hash b", 60)).toMatchObject({ name: "team-a", created_ms: 2 });
    expect(await keys.find("hash a", 49)).toMatchObject({ name: "team-a" });
    expect(await keys.find("hash a", 50)).toBeUndefined();
    expect(await keys.replace("team-a", "hash c", 90)).toBe(true);
    expect(await keys.find("hash a", 49)).toBeUndefined();
    expect(await keys.find("hash b", 49)).toMatchObject({ name: "team-a" });
    await keys.revoke("team-a", 5);
    for (const hash of ["hash a", "hash b", "hash c"]) expect(await keys.find(hash, 6)).toBeUndefined();
    expect(await keys.replace("team-a", "hash d", 90)).toBe(false);
    expect(await keys.replace("nobody", "hash d", 90)).toBe(false);
  });

  test("a key is not created, and stays valid, when its creation or revocation can't be written", async () => {
    await using backend = await start();
    const { keys } = await backend.open();
    await keys.create(team, "hash a");
    await backend.setWritable(false);
    await expect(keys.create(reader, "hash b")).rejects.toThrow();
    await expect(keys.revoke("team-a", 5)).rejects.toThrow();
    expect(await keys.find("hash a", 10)).toMatchObject({ name: "team-a" });
    await backend.setWritable(true);
    expect(await keys.find("hash b", 10)).toBeUndefined();
    expect(await keys.revoke("team-a", 6)).toBe(true);
  });
}
