import { expect, test } from "vitest";
import { LeaseKeeper } from "../../src/cluster/lease-keeper.ts";
import { machineClock } from "../../src/cluster/monotonic-clock.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteLeaseStore } from "../../src/storage/sqlite/sqlite-lease-store.ts";
import type { Lease, LeaseStore } from "../../src/storage/lease-store.ts";

test("a node whose store fails closes its sessions, then acquires another lease, and leaves none behind", async () => {
  const database = openDatabase(":memory:");
  const leases = new SqliteLeaseStore(database);
  const failed = Promise.withResolvers<void>();
  let isReached = true;
  const reached: LeaseStore["renew"] = async (...asked) => {
    if (isReached) return leases.renew(...asked);
    failed.resolve();
    throw new Error("no connection");
  };
  const held: Lease[] = [];
  const lost = Promise.withResolvers<Lease>();
  const again = Promise.withResolvers<void>();
  const faults: unknown[] = [];
  const keeper = new LeaseKeeper({
    leases: {
      acquire: (name, terms) => leases.acquire(name, terms),
      release: (lease) => leases.release(lease),
      held: () => leases.held(),
      revokeExpired: (seen) => leases.revokeExpired(seen),
      renew: reached,
    },
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
  expect(await leases.held()).toMatchObject([{ name: "a", about: { url: "http://a.example" } }]);
  expect(faults).not.toEqual([]);
  await keeper.close();
  expect(keeper.lease).toBeUndefined();
  expect(await leases.held()).toEqual([]);
  database.close();
});
