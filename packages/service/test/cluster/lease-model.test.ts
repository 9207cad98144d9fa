import { describe, expect, test } from "vitest";
import { liveThrough } from "./leases/random-histories.ts";
import { live } from "./leases/live.ts";

const calm = { rates: [1, 1.01, 0.99], mishaps: [], delays: [0.01, 0.02] };

describe("leases under pauses, crashes, lost messages and a clock that is set", () => {
  test("are never used after they are revoked, in 300 histories", async () => {
    const { violation, revoked, lost } = await liveThrough(300, 1);
    expect(violation).toBeUndefined();
    expect(revoked).toBeGreaterThan(30);
    expect(lost).toBeGreaterThan(100);
  });

  test("are kept by all nodes while nothing fails", async () => {
    expect(await live(calm)).toEqual({ violations: [], revoked: 0, lost: 0, holders: 3 });
  });

  test("survive a clock of the store that is set back, or ahead by less than their remaining time", async () => {
    const mishaps = [3, -3, 7, -7].map((by, index) => ({ kind: "clock" as const, at: 5 + index * 4.1, by }));
    expect(await live({ ...calm, mishaps })).toMatchObject({ lost: 0, holders: 3 });
  });

  test("are acquired again when all faults are over", async () => {
    const mishaps = [
      { kind: "pause" as const, at: 10, node: 0, for: 20 },
      { kind: "crash" as const, at: 10, node: 1, for: 15 },
      { kind: "cut" as const, at: 10, node: 2, for: 15, what: "answers" as const },
    ];
    const outcome = await live({ ...calm, mishaps });
    expect(outcome).toMatchObject({ violations: [], holders: 3 });
    expect(outcome.lost).toBe(2);
  });
});

describe("the model finds a node", () => {
  test("that ignores the result of a renewal", async () => {
    const { violation } = await liveThrough(3_000, 1, {
      asSeen: (leases) => ({
        ...leases,
        renew: async (...args) =>
          leases.renew(...args).then(
            () => true,
            () => true,
          ),
      }),
    });
    expect(violation).toMatch(/acts under lease|has browsers under/);
  });

  test("that stops when its lease expires, and not before", async () => {
    const { violation } = await liveThrough(3_000, 1, { times: { stopMs: 10 } });
    expect(violation).toMatch(/has browsers under/);
  });

  test("that measures time by the clock of the store", async () => {
    const { violation } = await liveThrough(3_000, 1, { watchMs: 0 });
    expect(violation).toMatch(/acts under lease|has browsers under/);
  });
});
