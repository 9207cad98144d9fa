import { testEra } from "./era-tests.ts";

testEra("2025");
