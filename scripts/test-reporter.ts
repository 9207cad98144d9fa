import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  TestSuite,
  Vitest,
} from "vitest/node";

const repository = fileURLToPath(new URL("..", import.meta.url));

/** Lines of an error, and of its difference, that are kept: what it says stands at the beginning. */
const keptLines = { message: 6, difference: 16 };

/** Failure of a test, of a hook, of a file that could not be loaded, or of something outside of all files. */
interface Failure {
  /** Path of the file in its package; missing outside of all files. */
  readonly file?: string;
  /** Full name of the test or of the suite whose hook failed; missing where the whole file failed. */
  readonly name?: string;
  /** Lines of the error: its message, expected and received, and where. Never empty. */
  readonly error: readonly string[];
}

/** Results of a project of a package, as `scripts/test-results.mjs` reads them. */
interface TestResults {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skipped: readonly { readonly file: string; readonly name: string; readonly why: string }[];
  /** Time that the run took, by the clock. */
  readonly seconds: number;
}

/**
 * What vitest's own reporter leaves out: which file has begun, so that minutes of silence have a name, and a file with the results of
 * each project, `reports/tests-<project>.json`, which `scripts/test-results.mjs` adds up. The results are written for turbo's tasks only,
 * whose cache brings them back with the task: who runs one file by hand changes none. An interrupted run leaves none.
 */
export class TestReporter implements Reporter {
  #root = "";
  #began = 0;
  #projects: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#began = performance.now();
    this.#projects =
      process.env["TURBO_HASH"] === undefined ? [] : [...new Set(specifications.map(({ project }) => project.name))];
    for (const project of this.#projects) rmSync(this.#getFile(project), { force: true });
  }

  onTestModuleStart(module: TestModule): void {
    if (module.project.name === "long") console.log(` ▶ ${module.relativeModuleId}`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    if (reason === "interrupted") return;
    for (const project of this.#projects) {
      const own = modules.filter((module) => module.project.name === project);
      const results: TestResults = {
        passed: own.flatMap((module) => [...module.children.allTests("passed")]).length,
        failures: [
          ...own.flatMap((module) => this.#listFailures(module)),
          ...errors.map((error) => ({ error: ["outside of all tests:", ...this.#writeLines(error)] })),
        ],
        skipped: own.flatMap((module) =>
          [...module.children.allTests("skipped")].map((test) => ({
            file: module.relativeModuleId,
            name: test.fullName,
            why: getReason(test),
          })),
        ),
        seconds: Math.round((performance.now() - this.#began) / 100) / 10,
      };
      const file = this.#getFile(project);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(results)}\n`);
    }
  }

  #getFile(project: string): string {
    return join(this.#root, "reports", `tests-${project}.json`);
  }

  /** Returns what failed in a file. A file that could not be loaded, or a hook of it, fails without a failed test. */
  #listFailures(module: TestModule): Failure[] {
    const file = module.relativeModuleId;
    const tests = [...module.children.allTests("failed")].map((test) =>
      this.#makeFailure(file, test.fullName, test.result().errors),
    );
    const suites = [...module.children.allSuites()]
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => this.#makeFailure(file, suite.fullName, suite.errors()));
    const failures = [...tests, ...suites];
    const isWhole = module.errors().length > 0 || (failures.length === 0 && module.state() === "failed");
    return isWhole ? [this.#makeFailure(file, undefined, module.errors()), ...failures] : failures;
  }

  #makeFailure(file: string, name: string | undefined, errors: readonly SerializedError[] | undefined): Failure {
    const [first] = errors ?? [];
    const error = first ? this.#writeLines(first) : ["failed without an error"];
    return { file, ...(name === undefined ? {} : { name }), error };
  }

  #writeLines({ name, message, diff, stacks }: SerializedError & { diff?: string }): string[] {
    const messageLines = takeFirstLines(`${name ?? "Error"}: ${message}`, keptLines.message);
    const difference = diff === undefined ? [] : takeFirstLines(diff, keptLines.difference);
    const [place] = stacks ?? [];
    const where = place ? [`at ${relative(repository, place.file)}:${place.line}:${place.column}`] : [];
    return [...messageLines, ...difference, ...where];
  }
}

/** Returns why a test was not run. */
function getReason(test: TestCase): string {
  const result = test.result();
  if (result.state === "skipped" && result.note !== undefined) return result.note;
  if (test.options.mode === "todo") return "not written yet";
  const parents: (TestSuite | TestModule)[] = [];
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    parents.push(parent);
    if (parent.type === "module") break;
  }
  if (parents.some((parent) => parent.errors().length > 0)) return "a hook before it failed";
  return "its file says so: skip, a condition that does not hold here, or another test that is the only one";
}

/** Returns the first lines of a text, without colors and empty lines, and says when there are more. */
function takeFirstLines(text: string, count: number): string[] {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.length > count ? [...lines.slice(0, count), "…"] : lines;
}
