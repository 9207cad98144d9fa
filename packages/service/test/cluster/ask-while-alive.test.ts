import { expect, test } from "vitest";
import { askWhileAlive } from "../../src/http/nodes/ask-while-alive.ts";

const times = { everyMs: 1 };

test("a node that falls silent is given up, and what was asked of it is aborted", async () => {
  let signs = 0;
  const isAlive = async (): Promise<boolean> => (signs += 1) < 3;
  const answer = await askWhileAlive<string>(
    (silent) => new Promise((resolve) => silent.addEventListener("abort", () => resolve(undefined))),
    isAlive,
    times,
  );
  expect([answer, signs]).toEqual([undefined, 3]);
});

test("a node that is alive may take as long as it needs, and is asked no more once it has answered", async () => {
  let signs = 0;
  const enough = Promise.withResolvers<string>();
  const isAlive = async (): Promise<boolean> => {
    signs += 1;
    if (signs === 5) enough.resolve("late");
    return true;
  };
  expect(await askWhileAlive(() => enough.promise, isAlive, times)).toBe("late");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(signs).toBe(5);
});

test("what asking throws is thrown", async () => {
  const left = new Error("the client has left");
  await expect(
    askWhileAlive(
      () => Promise.reject(left),
      async () => true,
      times,
    ),
  ).rejects.toBe(left);
});
