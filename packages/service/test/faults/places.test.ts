import { expect, test } from "vitest";
import { findPlaces } from "./places.ts";
import { triedPlaces } from "./tried-places.ts";

test("each place where the sources ask the system for a file, a process, a connection or a statement is one that is tried, or says why not", () => {
  expect(findPlaces()).toEqual(Object.keys(triedPlaces).sort());
});
