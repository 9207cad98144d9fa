import { pageFaults } from "./faulty-servers/faulty-servers.ts";
import { pictureFaults } from "../recordings/picture-faults.ts";
import { relationFaults } from "../relations/relation-faults.ts";

/** Rows about seconds that pass: findings name them in `checks/checks.test.ts`, on answers whose times are changed. */
export const rowsOfTime: ReadonlySet<string> = new Set(["replay.ready-when-ended", "stream.closes-soon"]);

/** The rows that findings on known pages and recordings name: that they do is proven for each server, in the long tests of this folder. */
export const rowsOnPages: ReadonlySet<string> = new Set([
  ...[...pageFaults, ...relationFaults].map(({ requirement }) => requirement),
  ...pictureFaults.map(({ requirement }) => `recording.${requirement}`),
]);
