import { afterAll, beforeAll, expect, test } from "vitest";
import { listLeaking, places } from "./aborts.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

test.for(places)("no reason of an abort shows a key: $name, waiting: $isWaiting", async (place) => {
  expect([await listLeaking(place), unhandled]).toEqual([[], []]);
});
