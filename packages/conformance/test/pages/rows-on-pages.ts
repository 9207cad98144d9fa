import { pageFaults } from "./faults/page-faults.ts";
import { pictureFaults } from "../recordings/picture-faults.ts";
import { relationFaults } from "../relations/relation-faults.ts";

/** The rows that findings on known pages and recordings name: that they do is proven for each server, in the long tests of this folder. */
export const rowsOnPages: ReadonlySet<string> = new Set([
  ...[...pageFaults, ...relationFaults].map(({ requirement }) => requirement),
  ...pictureFaults.map(({ requirement }) => `recording.${requirement}`),
]);
