import { expect, test } from "vitest";
import { re2From } from "../../src/extraction/re2-syntax.ts";
import { differingTexts, patterns } from "./pattern-texts.ts";

test.for(patterns)("%s means what the flag u of the language says", (pattern) => {
  expect([differingTexts(pattern), re2From(pattern)]).toEqual([[], expect.stringMatching(/./s)]);
});
