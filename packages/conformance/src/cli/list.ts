import type { Command } from "commander";
import { formatCount } from "../report/visible-text.ts";
import { selectChecks } from "../run/selection.ts";
import { checks } from "../run/suite.ts";

/** Adds `conformance list`. */
export function register(program: Command): void {
  program
    .command("list [patterns...]")
    .description("list the checks with the requirements that they judge; with patterns, those that --only would judge")
    .option("--json", "as JSON")
    .action(list);
}

function list(patterns: readonly string[], flags: { json?: boolean }): void {
  const rows = selectChecks(checks, { only: patterns, skip: [] }).map(
    ({ id, level, operation, requirements, title }) => ({ id, level, operation, requirements, title }),
  );
  if (flags.json === true) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const width = Math.max(...rows.map((row) => row.id.length));
  for (const row of rows)
    console.log(`${row.id.padEnd(width)}  ${row.level.padEnd(7)}  ${row.requirements.join(", ")}`);
  console.log(`\n${formatCount(rows.length, "check")}`);
}
