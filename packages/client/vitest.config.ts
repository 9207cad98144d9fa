import { mergeConfig } from "vitest/config";
import base from "../../vitest.base.ts";

/** Most tests wait for servers, timers or compilers: a core is left idle when no other file runs meanwhile. */
export default mergeConfig(base, { test: { maxWorkers: "100%" } });
