import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from "vitest/node";

/**
 * What vitest's own reporter leaves out: which file has begun, so that minutes of silence have a name, and a file with the counts of
 * each project, `reports/tests-<project>.json`, which `scripts/test-results.mjs` adds up. The counts are written for turbo's tasks only,
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
      const tests = own.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
      // A file that could not be loaded, or a failed hook, fails the run without a failed test.
      const broken = own.filter(
        (module) => module.state() === "failed" && [...module.children.allTests("failed")].length === 0,
      );
      const passed = tests.filter((state) => state === "passed").length;
      const failed = tests.filter((state) => state === "failed").length + broken.length + errors.length;
      const file = this.#file(project);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify({ passed, failed })}\n`);
    }
  }

  #file(project: string): string {
    return join(this.#folder, `tests-${project}.json`);
  }
}
