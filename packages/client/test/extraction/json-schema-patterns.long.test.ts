import { expect, test } from "vitest";
import { differingTexts, patterns } from "./pattern-texts.ts";

test.for(patterns)("%s means what the flag u of the language says", (pattern) => {
  expect(differingTexts(pattern)).toEqual([]);
});
