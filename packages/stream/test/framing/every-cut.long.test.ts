import { expect, test } from "vitest";
import cases from "../data/sse-cases.json" with { type: "json" };
import { readEach } from "./decoded-cases.ts";

test.for(cases)("reads alike at every chunking: $name", (one) => {
  const { readings, expected } = readEach(one);
  for (const { cut, got } of readings) expect({ cut, got }).toEqual({ cut, got: expected });
});
