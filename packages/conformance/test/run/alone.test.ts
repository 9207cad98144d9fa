/** The whole sweep, with faulty servers, is in alone.long.test.ts. */
import { expect, test } from "vitest";
import { listChecksDifferingAlone } from "./alone.ts";

test("a check that runs alone judges a correct server as it does in a whole run", async () => {
  expect(await listChecksDifferingAlone(undefined, (at) => at % 60 === 7)).toEqual([]);
});
