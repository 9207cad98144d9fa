import { expect, test } from "vitest";
import { liveThrough } from "./lease-histories.ts";

test("a lease is never used after it is revoked, in 100,000 histories", { timeout: 3_600_000 }, async () => {
  const seed = Date.now() % 2 ** 31;
  const { violation } = await liveThrough(100_000, seed);
  expect(violation, `seed ${seed}`).toBeUndefined();
});
