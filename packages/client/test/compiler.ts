import type { CloudBrowser } from "../src/index.ts";

/** Runs nothing: what is in the function is for tsc to judge. */
export function judgedByCompiler(_program: (client: CloudBrowser) => Promise<void>): void {}
