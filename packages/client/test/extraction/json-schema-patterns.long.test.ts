import { test } from "vitest";
import { expectSameMatches, patterns } from "./pattern-texts.ts";

test.for(patterns)("%s means what the flag u of the language says", (pattern) => expectSameMatches(pattern));
