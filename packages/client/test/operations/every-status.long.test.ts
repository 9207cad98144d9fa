import { expect, test } from "vitest";
import { listRepeatedStatuses } from "./one-request.ts";

test("one request per run, for every status, whatever its headers suggest", async () => {
  expect(await listRepeatedStatuses(Array.from({ length: 400 }, (_, at) => 200 + at))).toEqual([]);
});
