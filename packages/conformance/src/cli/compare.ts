import type { Command } from "commander";
import { compareReports } from "../baseline/compare.ts";
import { readReport } from "../report/read-report.ts";
import { renderComparison } from "../baseline/comparison-text.ts";
import { visibleJson } from "../report/visible-text.ts";

/** Adds `conformance compare`. */
export function register(program: Command): void {
  program
    .command("compare")
    .description("compare two reports, and list what changed")
    .argument("<old>", "report.json of the earlier run")
    .argument("<new>", "report.json of the later run")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
A report is worse when a stated check newly fails and no expected failure covers it, when a stated check is no longer
judged, or when the verdict is no longer conforming. Changes of observations and assumed checks are only listed.

Exit codes:
  0  nothing is worse
  1  something is worse
  2  a report could not be read`,
    )
    .action((old: string, now: string, flags: { json?: boolean }) => {
      const comparison = compareReports(readReport(old), readReport(now));
      process.stdout.write(flags.json === true ? `${visibleJson(comparison)}\n` : renderComparison(comparison));
      process.exitCode = comparison.worse ? 1 : 0;
    });
}
