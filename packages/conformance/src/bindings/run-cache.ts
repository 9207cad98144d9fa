import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResults } from "./check-tests.ts";

/**
 * Caches the results of a run in a folder, for worker processes that report them one after the other. When a test has already reported its
 * result, a new run is made.
 */
export class RunCache {
  readonly #folder: string;
  readonly #results: string;
  readonly #reported: string;

  /** @param key - Values that all processes of one run share. */
  constructor(folder: string, key: readonly (string | number)[]) {
    const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 16);
    this.#folder = folder;
    this.#results = join(folder, `.conformance-${name}.json`);
    this.#reported = join(folder, `.conformance-${name}.reported`);
  }

  /** Returns the cached results, or those of a new run when there are none or the test has already reported its result. */
  async resultsFor(name: string, run: () => Promise<RunResults>): Promise<RunResults> {
    if (existsSync(this.#results) && !this.#hasReported(name)) {
      const results: RunResults = JSON.parse(readFileSync(this.#results, "utf8"));
      return results;
    }
    rmSync(this.#results, { force: true });
    rmSync(this.#reported, { force: true });
    const results = await run();
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(`${this.#results}.new`, JSON.stringify(results));
    renameSync(`${this.#results}.new`, this.#results);
    return results;
  }

  /** Records that a test reports its result. */
  markReported(name: string): void {
    appendFileSync(this.#reported, `${name}\n`);
  }

  #hasReported(name: string): boolean {
    return existsSync(this.#reported) && readFileSync(this.#reported, "utf8").split("\n").includes(name);
  }
}
