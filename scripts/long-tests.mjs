// The files of long tests of a package, and the share of them that is run.
//
// LONG_TESTS_SHARE=2/3 runs every third file, from the second on: three runs with 1/3, 2/3 and 3/3 run each file once. Default: all of them.
// Plain JavaScript, because the way in reads it before it knows that there is another Node.js.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Paths of the files of long tests below the folder of a package, in their order; those that are run, and those that are left out. */
export function longTests(folder, share = process.env.LONG_TESTS_SHARE) {
  const tests = join(folder, "test");
  const names = existsSync(tests) ? readdirSync(tests, { recursive: true }) : [];
  const files = names
    .filter((name) => name.endsWith(".long.test.ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .toSorted();
  const [own, of] = parseShare(share);
  return {
    run: files.filter((_, index) => index % of === own - 1),
    left: files.filter((_, index) => index % of !== own - 1),
  };
}

function parseShare(share) {
  if (!share) return [1, 1];
  const [, own, of] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(share)?.map(Number) ?? [];
  if (own === undefined || own > of)
    throw new Error(`LONG_TESTS_SHARE is "${share}"; give one such as 2/3, or unset it`);
  return [own, of];
}
