import type { Command } from "commander";
import { decideGate } from "../baseline/gate.ts";
import { readReport } from "../report/read-report.ts";
import { visibleLine } from "../report/visible-text.ts";

/** Adds `conformance gate`. */
export function register(program: Command): void {
  program
    .command("gate")
    .description("decide on a release: one exit code, one sentence")
    .argument("<report>", "report.json of the run")
    .option("--baseline <report>", "report.json of an earlier run; the release may not be worse")
    .option("--allow-mock", "accept the report of a mock")
    .addHelpText(
      "after",
      `
The first row that applies decides the exit code:
  the report, or the baseline, is of a mock          2   (--allow-mock accepts it)
  either judged a selection of the checks            2
  the run of the baseline was interrupted            2
  the run was interrupted                            3
  an expected failure is stale, expired or unknown   1
  without a baseline: the verdict                    0 conforming, 1 not, 2 nothing checked, 3 unfinished
  with one: a new failure                            1
            a stated check is no longer judged       1
            the run is unfinished, or judged nothing 3, 2
            otherwise: failures of the baseline stay 0
A report that can't be read: 2.`,
    )
    .action((path: string, flags: { baseline?: string; allowMock?: boolean }) => {
      const report = readReport(path);
      const baseline = flags.baseline === undefined ? {} : { baseline: readReport(flags.baseline) };
      const { exitCode, sentence } = decideGate(report, { ...baseline, allowMock: flags.allowMock === true });
      process.stdout.write(`${visibleLine(sentence)}\n`);
      process.exitCode = exitCode;
    });
}
