import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JudgedChecks } from "./judged-checks.ts";

/**
 * The results of a run, kept in a folder for the processes that tell them one after the other. A test that asks for what it
 * has already told belongs to another run, which is then made.
 */
export class KeptRun {
  readonly #folder: string;
  readonly #results: string;
  readonly #told: string;

  /** @param key - What processes have in common that tell the results of one run. */
  constructor(folder: string, key: readonly (string | number)[]) {
    const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 16);
    this.#folder = folder;
    this.#results = join(folder, `.conformance-${name}.json`);
    this.#told = join(folder, `.conformance-${name}.told`);
  }

  /** The results that are kept, unless the test has told its own already; else those of a run that is made now. */
  async judgedFor(name: string, judge: () => Promise<JudgedChecks>): Promise<JudgedChecks> {
    if (existsSync(this.#results) && !this.#hasTold(name)) {
      const kept: JudgedChecks = JSON.parse(readFileSync(this.#results, "utf8"));
      return kept;
    }
    rmSync(this.#results, { force: true });
    rmSync(this.#told, { force: true });
    const judged = await judge();
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(`${this.#results}.new`, JSON.stringify(judged));
    renameSync(`${this.#results}.new`, this.#results);
    return judged;
  }

  /** Notes that a test tells its result now. */
  tell(name: string): void {
    appendFileSync(this.#told, `${name}\n`);
  }

  #hasTold(name: string): boolean {
    return existsSync(this.#told) && readFileSync(this.#told, "utf8").split("\n").includes(name);
  }
}
