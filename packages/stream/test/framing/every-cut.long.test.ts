import { test } from "vitest";
import cases from "../data/sse-cases.json" with { type: "json" };
import { expectAlike } from "./decoded-cases.ts";

test.for(cases)("reads alike at every chunking: $name", (one) => expectAlike(one));
