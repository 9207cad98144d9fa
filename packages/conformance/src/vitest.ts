import { beforeAll, describe, test } from "vitest";
import type { Finding } from "./check.ts";
import type { CheckResult, Report } from "./report.ts";
import { runConformance, type RunOptions } from "./run-conformance.ts";
import { checks } from "./suite.ts";
import type { Target } from "./target.ts";

/** How a target is judged inside of a vitest run. Source: ours. */
export interface DescribeConformanceOptions extends RunOptions {
  /** The target, or a function that makes it ready before the first check. */
  target: Target | (() => Target | Promise<Target>);
  /** Title of the `describe` block. Default: `conformance`. */
  title?: string;
  /** How long the whole run may take, in milliseconds. Default: 120,000. */
  timeoutMs?: number;
  /** Called with the report when all is judged, for writers of one's own. Default: nothing. */
  onReport?: (report: Report) => void | Promise<void>;
}

const defaultTimeoutMs = 120_000;

/**
 * Registers every check of the suite as a test of its own.
 *
 * A stated check that fails, fails its test with all findings; an assumed one is annotated and passes; a check that the
 * target can't show is skipped with the reason; a fault of the setup fails the test and says that it is none of the
 * target.
 *
 * Source: ours.
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  describe(options.title ?? "conformance", () => {
    let results: ReadonlyMap<string, CheckResult> = new Map();
    beforeAll(async () => {
      const target = typeof options.target === "function" ? await options.target() : options.target;
      const report = await runConformance(target, options);
      results = new Map(report.checks.map((result) => [result.id, result]));
      await options.onReport?.(report);
    }, options.timeoutMs ?? defaultTimeoutMs);

    test.for(checks)("$id", async ({ id }, { annotate, skip }) => {
      const result = results.get(id);
      if (!result) throw new Error(`the run has no result for ${id}`);
      if (result.status === "skip") skip(result.reason ?? "");
      if (result.status === "error") throw new Error(`could not be judged: ${result.reason}`);
      if (result.status !== "fail") return;
      const text = result.findings.map(findingText).join("\n\n");
      if (result.level === "stated") throw new Error(`${result.title}\n\n${text}`);
      await annotate(text, "warning");
    });
  });
}

function findingText({ requirement, where, expected, received, exchange }: Finding): string {
  return `${requirement}\n  where     ${where}\n  expected  ${expected}\n  received  ${received}\n  exchange  ${exchange}`;
}
