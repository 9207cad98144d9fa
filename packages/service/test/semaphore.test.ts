import { array, assert, asyncProperty, integer, option, record, scheduler as anyScheduler } from "fast-check";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { Semaphore, type Permit } from "../src/semaphore.ts";

/** One user of a slot: at how many points others come between, where it fails, and how often it releases. */
const users = array(
  record({
    waits: integer({ min: 0, max: 3 }),
    failsAt: option(integer({ min: 0, max: 3 })),
    releases: integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);

test("under any interleaving, failure or double release no more than the limit hold a slot, and no slot is lost", async () => {
  await assert(
    asyncProperty(anyScheduler(), integer({ min: 1, max: 4 }), users, async (scheduler, limit, all) => {
      const semaphore = new Semaphore(limit);
      let inside = 0;
      let most = 0;
      const work = async ({ waits, failsAt }: (typeof all)[number]): Promise<void> => {
        for (let at = 0; at <= waits; at += 1) {
          await scheduler.schedule(Promise.resolve());
          if (at === failsAt) throw new Error("failed");
        }
      };
      const use = async (user: (typeof all)[number]): Promise<void> => {
        const free = limit - inside;
        const permit: Permit | undefined = semaphore.tryAcquire();
        expect(permit !== undefined).toBe(free > 0); // refused only when all slots are really in use
        if (!permit) return;
        most = Math.max(most, (inside += 1));
        await work(user).catch(() => undefined);
        inside -= 1;
        for (let count = 0; count < user.releases; count += 1) permit.release();
        expect(semaphore.inUse).toBe(inside);
      };
      const done = all.map(async (user) => scheduler.schedule(Promise.resolve()).then(() => use(user)));
      await scheduler.waitAll();
      await Promise.all(done);
      expect(most).toBeLessThanOrEqual(limit);
      expect(semaphore.inUse).toBe(0);
    }),
    { seed },
  );
});
