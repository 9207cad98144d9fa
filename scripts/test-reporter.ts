import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from "vitest/node";

/**
 * What vitest's own reporter leaves out: which file has begun, so that minutes of silence have a name, and a file with the results of
 * each project, `reports/tests-<project>.json`, which `scripts/test-results.mjs` adds up. The results are written for turbo's tasks only,
 * whose cache brings them back with the task: who runs one file by hand changes none.
 */
export class TestReporter implements Reporter {
  #folder = "";
  #projects: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#folder = join(vitest.config.root, "reports");
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#projects =
      process.env["TURBO_HASH"] === undefined ? [] : [...new Set(specifications.map(({ project }) => project.name))];
    for (const project of this.#projects) rmSync(this.#file(project), { force: true });
  }

  onTestModuleStart(module: TestModule): void {
    if (module.project.name === "long") console.log(` ▶ ${module.relativeModuleId}`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const project of this.#projects) {
      const own = modules.filter((module) => module.project.name === project);
      const passed = own.flatMap((module) => [...module.children.allTests("passed")]).length;
      const failures = [...own.flatMap(failuresOf), ...errors.map((error) => `outside a test: ${firstLine(error)}`)];
      const file = this.#file(project);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify({ passed, failures })}\n`);
    }
  }

  #file(project: string): string {
    return join(this.#folder, `tests-${project}.json`);
  }
}

/** Says of each failed test of a file what failed, and why. A file that could not be loaded, or a failed hook, fails without a failed test. */
function failuresOf(module: TestModule): string[] {
  const tests = [...module.children.allTests("failed")];
  const failed = tests.length === 0 && module.state() === "failed" ? [module] : tests;
  return failed.map((one) => {
    const name = one.type === "test" ? ` > ${one.fullName}` : "";
    const errors = one.type === "test" ? one.result().errors : one.errors();
    return [`${module.relativeModuleId}${name}`, ...(errors ?? []).slice(0, 1).map(firstLine)].join(": ");
  });
}

function firstLine({ name, message }: SerializedError): string {
  return `${name ?? "Error"}: ${stripVTControlCharacters(message).split("\n", 1)[0] ?? ""}`;
}
