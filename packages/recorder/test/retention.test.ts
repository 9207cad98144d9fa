import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "../src/clock.ts";
import { Retention } from "../src/recordings/retention.ts";

it.each(["by its timer", "by a sweep"])("is closed when what is being deleted %s is", async (how) => {
  const isBySweep = how === "by a sweep";
  let hasClosed = false;
  const begin = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const retention = new Retention({
    clock: isBySweep ? { now: Date.now, at: () => () => undefined } : systemClock,
    sweepMs: isBySweep ? 5 : 60_000,
    beforeSweep: async () => undefined,
  });
  retention.watch({
    dueMs: () => 0,
    remove: async () => {
      begin.resolve();
      await end.promise;
    },
    onFailure: () => undefined,
  });
  await begin.promise;
  const closing = Promise.resolve(retention.close()).then(() => void (hasClosed = true));
  await delay(20);
  expect(hasClosed).toBe(false);
  end.resolve();
  await closing;
});
