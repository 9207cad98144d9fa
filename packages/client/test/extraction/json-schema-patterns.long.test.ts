import { expect, test } from "vitest";
import { listDifferingTexts, patterns } from "./pattern-texts.ts";

test.for(patterns)("%s means what the flag u of the language says", (pattern) => {
  expect(listDifferingTexts(pattern)).toEqual([]);
});
