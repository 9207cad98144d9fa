import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turns } from "../src/recording/turns.ts";

/** What timers may be early by, in milliseconds. */
const earlyMs = 5;

it("gives one turn at a time, in the order in which they were asked for", async () => {
  const turns = new Turns();
  const said: string[] = [];
  const work = async (name: string): Promise<void> => {
    const end = await turns.take();
    said.push(`${name} begins`);
    await sleep(10);
    said.push(`${name} ends`);
    end();
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(said).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

it("lets as much time pass after a turn as it took", async () => {
  const turns = new Turns();
  const end = await turns.take();
  await sleep(60);
  const next = turns.take();
  const endedMs = performance.now();
  end();
  end();
  await next;
  expect(performance.now() - endedMs).toBeGreaterThanOrEqual(60 - earlyMs);
});

it("does not wait for who forgets to end", async () => {
  const turns = new Turns();
  const fromMs = performance.now();
  await turns.take();
  const end = await turns.take();
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(500 - 2 * earlyMs);
  end();
});
