import { afterAll, beforeAll, expect, test } from "vitest";
import { Place } from "../command-line.ts";
import { honest, startWith } from "./faulty-start.ts";

let place: Place;
beforeAll(() => void (place = new Place()));
afterAll(() => place[Symbol.asyncDispose]());

// A choice of `start.long.test.ts`, of those that end before there is a browser.
test.each([
  ["service/src/data-folder.ts writeFileSync", "ENOSPC", "the disk is full; free disk space"],
  ["recorder/src/recordings/recordings.ts mkdir", "EMFILE", "raise the limit of open files"],
] as const)("a start that the system refuses (%s, %s) says so in a sentence", async (where, kind, advice) => {
  const outcome = await startWith(place, { place: where, kind }, []);
  expect(outcome).toEqual(honest(outcome));
  expect(outcome.refusal).toContain(advice);
});
