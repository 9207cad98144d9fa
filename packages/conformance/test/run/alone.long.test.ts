import { expect, test } from "vitest";
import { faultyTargets } from "../targets/faulty-targets.ts";
import { listChecksDifferingAlone } from "./alone.ts";

/** One of each kind: the later of its faults are the less usual ones. */
const faulty = Object.values(faultyTargets).flatMap((targets) => targets.at(-1) ?? []);

test("each check that runs alone judges a correct server as it does in a whole run", { timeout: 600_000 }, async () => {
  expect(await listChecksDifferingAlone()).toEqual([]);
});

test.for(faulty)("each check that runs alone judges $id as in a whole run", { timeout: 600_000 }, async (fault) => {
  expect(await listChecksDifferingAlone(fault, (at) => at % 8 === 0)).toEqual([]);
});
