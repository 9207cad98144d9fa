import { expect, test } from "vitest";
import type { Backend } from "./backend.ts";

const terms = { ttlMs: 3_600_000, about: { url: "http://a.example", sessions: 0 } } as const;

/** What every store of leases does. */
export function testLeaseStore(start: () => Promise<Backend>): void {
  test("a lease has one holder until it is released", async () => {
    await using backend = await start();
    const { leases } = await backend.open();
    const lease = await leases.acquire("x", terms);
    expect(await leases.acquire("x", terms)).toBeUndefined();
    expect(lease && (await leases.renew(lease, terms))).toBe(true);
    if (lease) await leases.release(lease);
    expect(lease && (await leases.renew(lease, terms))).toBe(false);
    const next = await leases.acquire("x", terms);
    expect(next?.epoch).toBeGreaterThan(lease?.epoch ?? Infinity);
  });

  test("one of many concurrent requests gets it", async () => {
    await using backend = await start();
    const { leases } = await backend.open();
    const acquisitions = Array.from({ length: 20 }, () => leases.acquire("x", terms));
    expect((await Promise.all(acquisitions)).filter(Boolean)).toHaveLength(1);
  });

  test("an expired lease can't be renewed, and another one can be acquired once it is revoked", async () => {
    await using backend = await start();
    const { leases } = await backend.open();
    const lease = await leases.acquire("x", terms);
    await backend.expire("x");
    expect(lease && (await leases.renew(lease, terms))).toBe(false);
    expect(await leases.acquire("x", terms)).toBeUndefined();
    await leases.revokeExpired(await leases.list());
    const next = await leases.acquire("x", terms);
    expect(next?.epoch).toBeGreaterThan(lease?.epoch ?? Infinity);
    expect(lease && (await leases.renew(lease, terms))).toBe(false);
    expect(next && (await leases.renew(next, terms))).toBe(true);
  });

  test("a lease that was revoked stays so, also when the clock is set back", async () => {
    await using backend = await start();
    const { leases } = await backend.open();
    const lease = await leases.acquire("x", terms);
    const other = await leases.acquire("y", terms);
    expect(await leases.revokeExpired(await leases.list())).toEqual([]);
    await backend.expire("x");
    const held = await leases.list();
    expect(held).toContainEqual(expect.objectContaining({ ...lease, isOver: true }));
    expect(held).toContainEqual(expect.objectContaining({ ...other, isOver: false }));
    expect(await leases.revokeExpired(held)).toEqual([lease]);
    expect(await leases.revokeExpired(held)).toEqual([]);
    await backend.setBack("x");
    expect(lease && (await leases.renew(lease, terms))).toBe(false);
    expect(other && (await leases.renew(other, terms))).toBe(true);
  });

  test("a lease that was renewed since it was seen is not revoked", async () => {
    await using backend = await start();
    const { leases } = await backend.open();
    const lease = await leases.acquire("x", terms);
    const held = await leases.list();
    expect(lease && (await leases.renew(lease, { ...terms, ttlMs: terms.ttlMs + 1_000 }))).toBe(true);
    await backend.expire("x");
    expect(await leases.revokeExpired(held)).toEqual([]);
    expect(await leases.revokeExpired(await leases.list())).toEqual([lease]);
  });

  test("other nodes see held leases, with the latest data of their holders", async () => {
    await using backend = await start();
    const { leases } = await backend.open();
    const [a, b, c] = [
      await leases.acquire("x a", terms),
      await leases.acquire("x b", terms),
      await leases.acquire("x c", terms),
    ];
    const about = { url: "http://b.example", sessions: 7 };
    if (b) await leases.renew(b, { ...terms, about });
    if (c) await leases.release(c);
    await backend.expire("x a");
    const held = (await leases.list()).filter(({ name }) => name.startsWith("x "));
    expect(held).toEqual([
      { ...a, about: terms.about, mark: expect.any(String), isOver: true },
      { ...b, about, mark: expect.any(String), isOver: false },
    ]);
  });
}
