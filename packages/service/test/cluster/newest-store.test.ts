import { expect, test } from "vitest";
import { followNewest } from "../../src/cluster/newest-store.ts";

class Counter {
  #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  async add(one: number, other = 0): Promise<number> {
    this.#count += one + other;
    return this.#count;
  }
}

test("each call reaches the newest store, and throws what there is none for", async () => {
  let newest: Counter | undefined;
  const store = followNewest(() => {
    if (newest) return newest;
    throw new Error("no lease");
  });
  expect(() => store.add(1)).toThrow("no lease");
  const first = new Counter(0);
  newest = first;
  expect(await store.add(1, 2)).toBe(3);
  newest = new Counter(100);
  expect(await store.add(1)).toBe(101);
  expect(await first.add(0)).toBe(3);
});

test("a store can be awaited, and what it has no method for is said", async () => {
  const store = followNewest(() => new Counter(1));
  expect(await Promise.resolve(store)).toBe(store);
  expect(() => Reflect.apply(Reflect.get(store, "drop"), store, [])).toThrow("no method drop");
});
