import { expect, test } from "vitest";
import cases from "../data/sse-cases.json" with { type: "json" };
import { readEach } from "./decoded-cases.ts";

test.for(cases)("reads alike at every chunking: $name", (one) => {
  const { readings, expectedItems } = readEach(one);
  for (const { cut, items } of readings) expect({ cut, items }).toEqual({ cut, items: expectedItems });
});
