import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { liveThrough } from "./leases/random-histories.ts";

test("a lease is never used after it is revoked, in 100,000 histories", { timeout: 3_600_000 }, async () => {
  const { violation, revoked, lost } = await liveThrough(100_000, seed);
  expect(violation, `seed ${seed}`).toBeUndefined();
  expect(revoked).toBeGreaterThan(10_000);
  expect(lost).toBeGreaterThan(33_000);
});
