import { afterAll, beforeAll, expect, test } from "vitest";
import * as cookies from "../../src/cookies.ts";
import * as main from "../../src/index.ts";
import * as replays from "../../src/replay.ts";
import * as runs from "../../src/runs.ts";
import { abortCall, listLeaking, places, silent, waits } from "./aborts.ts";
import { harmless } from "./reasons-with-keys.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

/** By every fifth reason, and each reason at every fifth place; by all at each in secrets-aborts.long.test.ts. */
test.for(places)("the reason of an abort shows no key: $name, waiting: $isWaiting", async (place) => {
  expect([await listLeaking(place, 5), unhandled]).toEqual([[], []]);
});

test.for(places)(
  "the reason of an abort is the cause itself: $name, waiting: $isWaiting",
  async ({ call, isWaiting }) => {
    for (const { reason } of harmless) expect(Object(await abortCall(call, reason, isWaiting)).cause).toBe(reason);
  },
);

/** Public functions that take no signal. */
const without =
  /^(?:from|to)\w*Cookie\w*$|^(?:createCloudBrowser|createSpendLedger|\w+Error|parsePlaylist|segmentsBetween)$/;
test("no public function that takes a signal is missing above", () => {
  const names = [cookies, main, replays, runs, silent].flatMap((each) => Object.keys(each));
  const tested = new Set(waits.map(({ name }) => name.split(",")[0]));
  expect(names.filter((name) => !without.test(name)).sort((a, b) => a.localeCompare(b))).toEqual(
    [...tested].sort((a = "", b = "") => a.localeCompare(b)),
  );
});
