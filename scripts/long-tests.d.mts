/** Files of long tests of a package, as paths from its folder. */
export interface LongTests {
  /** The files that are run. */
  readonly run: readonly string[];
  /** The files that are left out. */
  readonly left: readonly string[];
}

/**
 * Lists the long tests of a package.
 *
 * @param share - Which of them are run, such as `2/3`. Default: `LONG_TESTS_SHARE`, or else all.
 */
export function longTests(folder: string, share?: string): LongTests;
