import { expect, test } from "vitest";
import type { ProfileClaim, SealedProfile } from "../../src/storage/profile-store.ts";
import type { Backend } from "./backend.ts";

const sealed = (text: string, keyId = "key-1"): SealedProfile => ({
  keyId,
  bytes: text.length,
  sites: new TextEncoder().encode(`sites of ${text}`),
  state: new TextEncoder().encode(text),
});
const findText = (bytes: Uint8Array | null | undefined): string | null =>
  bytes ? new TextDecoder().decode(bytes) : null;

const shop = { key: null, name: "shop" } as const;
const claim = (sessionId: string, more: Partial<ProfileClaim> = {}): ProfileClaim => ({
  ...shop,
  sessionId,
  mode: "write",
  nowMs: 10,
  most: 2,
  ...more,
});
const put = { profileId: "00000000-0000-4000-8000-000000000001", nowMs: 5, most: 2, replace: false } as const;

/** What every store of profiles does. */
export function testProfileStore(start: () => Promise<Backend>): void {
  test("what a session writes back is there for the next one, and outlives the process", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    await sessions.create("one", 1);
    const claimed = await profiles.claim(claim("one"));
    expect(claimed).toMatchObject({
      outcome: "claimed",
      profile: { name: "shop", key: null, version: 0, state: null },
    });
    expect(await profiles.get(shop)).toMatchObject({ saved_ms: null, used_ms: 10, writer: "one", bytes: 0 });
    expect(await profiles.save("one", sealed("first"), 20, null)).toBe(true);
    expect(await profiles.save("one", sealed("again"), 21, null)).toBe(false);
    await sessions.end("one", 22, "requested");
    const { profiles: again, sessions: later } = await backend.open();
    expect(findText((await again.read(shop))?.state)).toBe("first");
    const record = await again.get(shop);
    expect(findText(record?.sites)).toBe("sites of first");
    expect(record).toMatchObject({ created_ms: 10, saved_ms: 20, version: 1, key_id: "key-1", bytes: 5, writer: null });
    expect(record?.last_write).toEqual({
      session_id: "one",
      name: "shop",
      mode: "write",
      outcome: "saved",
      why: null,
      settled_ms: 20,
    });
    await later.create("two", 30);
    const next = await again.claim(claim("two", { mode: "read", nowMs: 31 }));
    expect(next.outcome === "claimed" && findText(next.profile.state)).toBe("first");
  });

  test("one session at a time writes a profile, and any number read it", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    for (const id of ["one", "two", "three", "four"]) await sessions.create(id, 1);
    expect(await profiles.claim(claim("one", { mode: "read" }))).toEqual({ outcome: "unknown" });
    const outcomes = await Promise.all(["one", "two", "three"].map((id) => profiles.claim(claim(id))));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["claimed", "in-use", "in-use"]);
    const winner = ["one", "two", "three"][outcomes.findIndex(({ outcome }) => outcome === "claimed")] ?? "";
    expect(outcomes.flatMap((one) => (one.outcome === "in-use" ? one.by : []))).toEqual([winner, winner]);
    expect(await profiles.findWriter(shop)).toBe(winner);
    expect(await profiles.findWriter({ ...shop, name: "other" })).toBeUndefined();
    expect((await profiles.claim(claim("four", { mode: "read" }))).outcome).toBe("claimed");
    expect(await profiles.save("four", sealed("by a reader"), 20, null)).toBe(false);
    expect(await profiles.put(shop, sealed("imported"), { ...put, replace: true })).toEqual({ inUseBy: winner });
    // Of another key it is another profile.
    expect((await profiles.claim(claim("never", { key: "team" }))).outcome).toBe("claimed");
  });

  test("a claim ends with its session, however that ends: what it would have written is nothing then", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    await profiles.put(shop, sealed("good"), put);
    await sessions.create("one", 1);
    await sessions.create("two", 1);
    await profiles.claim(claim("one"));
    expect((await profiles.claim(claim("two"))).outcome).toBe("in-use");
    await sessions.end("one", 30, "host-lost");
    await sessions.settle("one");
    expect(await profiles.save("one", sealed("late"), 31, null)).toBe(false);
    expect(findText((await profiles.read(shop))?.state)).toBe("good");
    expect((await profiles.get(shop))?.last_write).toMatchObject({
      outcome: "lost",
      why: "the session ended (host-lost)",
      settled_ms: 30,
    });
    expect((await profiles.claim(claim("two", { nowMs: 40 }))).outcome).toBe("claimed");
    expect(await profiles.save("two", sealed("better"), 41, "a database is missing")).toBe(true);
    expect(findText((await profiles.read(shop))?.state)).toBe("better");
    expect(await profiles.readUses(["one", "two", "nobody"])).toHaveLength(2);
    expect((await profiles.get(shop))?.last_write).toMatchObject({ outcome: "saved", why: "a database is missing" });
    // A session that nobody knows of is none that is open.
    expect((await profiles.claim(claim("unknown", { nowMs: 50 }))).outcome).toBe("claimed");
    expect((await profiles.claim(claim("two-more", { nowMs: 51 }))).outcome).toBe("claimed");
  });

  test("the outcome of a use is noted once", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    await sessions.create("one", 1);
    await profiles.claim(claim("one"));
    expect(await profiles.readUses(["one"])).toMatchObject([{ outcome: "open", why: null, settled_ms: null }]);
    await profiles.settle("one", "failed", "the browser is gone", 20);
    await profiles.settle("one", "read", null, 21);
    expect(await profiles.readUses(["one"])).toMatchObject([
      { outcome: "failed", why: "the browser is gone", settled_ms: 20 },
    ]);
    expect(await profiles.findWriter(shop)).toBeNull();
    expect(await profiles.save("one", sealed("late"), 22, null)).toBe(false);
  });

  test("profiles are stored from outside, replaced where that is asked for, and no more than a key may have", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    const other = { ...put, profileId: "00000000-0000-4000-8000-000000000002" };
    const third = { ...put, profileId: "00000000-0000-4000-8000-000000000003" };
    expect(await profiles.put(shop, sealed("one"), put)).toBe("created");
    expect(await profiles.put(shop, sealed("two"), other)).toBe("exists");
    expect(await profiles.put(shop, sealed("two!"), { ...other, replace: true })).toBe("changed");
    expect(await profiles.put(shop, sealed("two!"), { ...put, replace: true, nowMs: 6 })).toBe("replaced");
    expect(await profiles.get(shop)).toMatchObject({ profile_id: put.profileId, version: 2, saved_ms: 6, bytes: 4 });
    expect(await profiles.put({ key: null, name: "Bank" }, sealed("b"), other)).toBe("created");
    expect(await profiles.put({ key: null, name: "more" }, sealed("m"), third)).toBe("too-many");
    await sessions.create("one", 1);
    expect(await profiles.claim(claim("one", { name: "more" }))).toEqual({ outcome: "too-many" });
    expect(await profiles.put({ key: "team", name: "shop" }, sealed("t"), third)).toBe("created");
    const names = async (key?: string | null): Promise<unknown> =>
      (await profiles.list(key)).map(({ key: its, name }) => [its, name]);
    expect(await names(null)).toEqual([
      [null, "Bank"],
      [null, "shop"],
    ]);
    expect(await names("team")).toEqual([["team", "shop"]]);
    expect(await names()).toHaveLength(3);
    expect(await profiles.countTotals()).toEqual({ bytes: 6, byKey: new Map([["key-1", 3]]) });
  });

  test("of profiles that are made at once no more are made than a key may have", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    const ids = Array.from({ length: 8 }, (_, index) => `s${index}`);
    for (const id of ids) await sessions.create(id, 1);
    const claimed = await Promise.all(ids.map((id) => profiles.claim(claim(id, { name: `name of ${id}` }))));
    expect(claimed.filter(({ outcome }) => outcome === "claimed")).toHaveLength(2);
    expect(await profiles.list(null)).toHaveLength(2);
  });

  test("a profile that is deleted is not written back, also when there is another one of its name", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    await sessions.create("one", 1);
    await profiles.claim(claim("one"));
    expect(await profiles.delete(shop)).toEqual({ writer: "one" });
    expect(await profiles.delete(shop)).toBeUndefined();
    expect(await profiles.put(shop, sealed("another"), put)).toBe("created");
    expect(await profiles.save("one", sealed("old"), 20, null)).toBe(false);
    expect(findText((await profiles.read(shop))?.state)).toBe("another");
    expect(await profiles.delete(shop)).toEqual({ writer: null });
    expect(await profiles.readUses(["one"])).toMatchObject([{ name: "shop", outcome: "open" }]);
  });

  test("contents are stored under another key, unless they were written meanwhile", async () => {
    await using backend = await start();
    const { profiles } = await backend.open();
    await profiles.put(shop, sealed("one"), put);
    const [old] = await profiles.listSealedOtherwise("key-2", "", 10);
    expect(old).toMatchObject({ name: "shop", version: 1, key_id: "key-1" });
    expect(await profiles.listSealedOtherwise("key-2", put.profileId, 10)).toEqual([]);
    await profiles.put(shop, sealed("two"), { ...put, replace: true });
    expect(await profiles.reseal(put.profileId, 1, sealed("one", "key-2"))).toBe(false);
    expect(await profiles.reseal(put.profileId, 2, sealed("two", "key-2"))).toBe(true);
    expect(await profiles.listSealedOtherwise("key-2", "", 10)).toEqual([]);
    expect(await profiles.get(shop)).toMatchObject({ key_id: "key-2", version: 2 });
  });

  test("uses are forgotten after nine days", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    await sessions.create("one", 1);
    await sessions.create("two", 1);
    await profiles.claim(claim("one"));
    await profiles.settle("one", "failed", "no room", 11);
    await profiles.claim(claim("two", { nowMs: 11 + 9 * 24 * 3_600_000 }));
    expect(await profiles.readUses(["one", "two"])).toMatchObject([{ session_id: "two" }]);
  });

  test("what can't be written is told, and the version before stands", async () => {
    await using backend = await start();
    const { profiles, sessions } = await backend.open();
    await sessions.create("one", 1);
    await profiles.put(shop, sealed("good"), put);
    await profiles.claim(claim("one"));
    await backend.setWritable(false);
    await expect(profiles.save("one", sealed("bad"), 20, null)).rejects.toThrow();
    await expect(profiles.delete(shop)).rejects.toThrow();
    await expect(profiles.claim(claim("two"))).rejects.toThrow();
    await expect(profiles.settle("one", "read", null, 20)).rejects.toThrow();
    await backend.setWritable(true);
    expect(findText((await profiles.read(shop))?.state)).toBe("good");
    expect(await profiles.save("one", sealed("better"), 21, null)).toBe(true);
  });
}
