import { describe, expect, test } from "vitest";
import { LeaseKeeper } from "../../src/cluster/lease-keeper.ts";
import { machineClock } from "../../src/monotonic-clock.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlLeaseStore } from "../../src/storage/sql/sql-lease-store.ts";
import type { Lease, LeaseStore } from "../../src/storage/lease-store.ts";

/** A store whose leases are renewed in another way. */
const renewedBy = (leases: LeaseStore, renew: LeaseStore["renew"]): LeaseStore => ({
  acquire: (name, terms) => leases.acquire(name, terms),
  release: (lease) => leases.release(lease),
  list: () => leases.list(),
  revokeExpired: (marks) => leases.revokeExpired(marks),
  renew,
});

test("a node whose store fails closes its sessions, then acquires another lease, and leaves none behind", async () => {
  const database = openDatabase(":memory:");
  const leases = new SqlLeaseStore(new SqliteDatabase(database));
  const failed = Promise.withResolvers<void>();
  let isReached = true;
  const reached: LeaseStore["renew"] = async (...args) => {
    if (isReached) return leases.renew(...args);
    failed.resolve();
    throw new Error("no connection");
  };
  const held: Lease[] = [];
  const lost = Promise.withResolvers<Lease>();
  const again = Promise.withResolvers<void>();
  const faults: unknown[] = [];
  const keeper = new LeaseKeeper({
    leases: renewedBy(leases, reached),
    name: "a",
    about: () => ({ url: "http://a.example" }),
    times: { ttlMs: 60_000, everyMs: 20, stopMs: 200 },
    clock: machineClock,
    onHeld: (lease) => {
      held.push(lease);
      if (held.length > 1) again.resolve();
    },
    onLost: async (lease) => lost.resolve(lease),
    onFault: (error) => faults.push(error),
  });
  await keeper.start();
  expect(keeper.lease).toEqual(held[0]);
  isReached = false;
  await failed.promise;
  expect(await lost.promise).toEqual(held[0]);
  isReached = true;
  await again.promise;
  expect(keeper.lease?.epoch).toBeGreaterThan(held[0]?.epoch ?? Infinity);
  expect(await leases.list()).toMatchObject([{ name: "a", about: { url: "http://a.example" } }]);
  expect(faults).not.toEqual([]);
  await keeper.close();
  expect(keeper.lease).toBeUndefined();
  expect(await leases.list()).toEqual([]);
  database.close();
});

/** A keeper that renews its lease once an hour, and what the store has of it. */
const startKeeper = async (renew?: LeaseStore["renew"]) => {
  const database = openDatabase(":memory:");
  const store = new SqlLeaseStore(new SqliteDatabase(database));
  const info = { room: 0 };
  const faults: unknown[] = [];
  const keeper = new LeaseKeeper({
    leases: renew ? renewedBy(store, renew) : store,
    name: "a",
    about: () => ({ ...info }),
    times: { ttlMs: 7_200_000, everyMs: 3_600_000, stopMs: 5_400_000 },
    clock: machineClock,
    onHeld: () => undefined,
    onLost: () => Promise.resolve(),
    onFault: (error) => faults.push(error),
  });
  await keeper.start();
  const close = async (): Promise<void> => {
    await keeper.close();
    database.close();
  };
  return { keeper, store, told: info, faults, [Symbol.asyncDispose]: close };
};

describe("what a node has to tell", () => {
  test("is stored at once when it is published, each time", async () => {
    await using node = await startKeeper();
    for (const room of [6, 5, 0]) {
      node.told.room = room;
      await node.keeper.publish();
      expect(await node.store.list()).toMatchObject([{ name: "a", about: { room } }]);
    }
  });

  test("is stored by one renewal however often that is asked for meanwhile, and again when it is asked for during one", async () => {
    const stored: unknown[] = [];
    const sent = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await using node = await startKeeper(async (_, { about }) => {
      stored.push(about);
      sent.resolve();
      await gate.promise;
      return true;
    });
    node.told.room = 6;
    const first = [node.keeper.publish(), node.keeper.publish()];
    await sent.promise;
    node.told.room = 5;
    const second = node.keeper.publish();
    gate.resolve();
    await Promise.all([...first, second]);
    expect(stored).toEqual([{ room: 6 }, { room: 5 }]);
  });

  test("is waited for no longer than until the store has failed, or the node leaves", async () => {
    await using node = await startKeeper(() => Promise.reject(new Error("no connection")));
    await node.keeper.publish();
    expect(node.faults).toEqual([new Error("no connection")]);
    await node.keeper.close();
    await node.keeper.publish();
  });
});

test("the age of the last renewal is that of its request, and one that fails is none", async () => {
  const database = openDatabase(":memory:");
  const store = new SqlLeaseStore(new SqliteDatabase(database));
  let nowMs = 1_000;
  let isReached = true;
  const renew: LeaseStore["renew"] = async (...args) => {
    nowMs += 300;
    if (isReached) return store.renew(...args);
    throw new Error("no connection");
  };
  const keeper = new LeaseKeeper({
    leases: renewedBy(store, renew),
    name: "a",
    about: () => ({}),
    times: { ttlMs: 10_000, everyMs: 2_000, stopMs: 5_000 },
    clock: { now: () => nowMs, callAfter: () => () => undefined },
    onHeld: () => undefined,
    onLost: async () => undefined,
    onFault: () => undefined,
  });
  expect(keeper.renewedAgoMs).toBeUndefined();
  await keeper.start();
  nowMs += 2_000;
  expect(keeper.renewedAgoMs).toBe(2_000);
  isReached = false;
  await keeper.publish();
  expect(keeper.renewedAgoMs).toBe(2_300);
  isReached = true;
  await keeper.publish();
  await expect.poll(() => keeper.renewedAgoMs).toBe(300);
  nowMs += 4_700;
  expect(keeper.renewedAgoMs).toBeUndefined();
  await keeper.close();
  database.close();
});
