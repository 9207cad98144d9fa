import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startGracePeriod } from "../../../src/http/body/grace-period.ts";

/** Keeps the event loop busy, in milliseconds. */
const block = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("what arrives while the event loop is busy comes before the end of a grace period", async () => {
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  startGracePeriod(50, () => resolve(void order.push("end of the period")));
  const arrive = async (): Promise<void> => {
    await delay(10);
    await delay(10);
    order.push("arrival");
  };
  const arrived = arrive();
  block(300);
  await Promise.all([promise, arrived]);
  expect(order).toEqual(["arrival", "end of the period"]);
});

test("a grace period ends although the event loop is always busy", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  startGracePeriod(10, () => resolve("end"));
  const busy = setInterval(() => block(20), 1);
  expect(await promise).toBe("end");
  clearInterval(busy);
});

test("a stopped grace period does not end", async () => {
  let ended = 0;
  const stop = startGracePeriod(10, () => (ended += 1));
  stop();
  const { promise, resolve } = Promise.withResolvers<void>();
  startGracePeriod(100, resolve);
  await promise;
  expect(ended).toBe(0);
});
