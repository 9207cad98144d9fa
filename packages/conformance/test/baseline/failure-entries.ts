/** A file of expected failures and results of checks, for the tests of what brings them together. */
import type { CheckResult, ExpectedFailure } from "../../src/report/report.ts";

export const today = "2026-11-21";

export const good = `# What we know of.
- id: scrape/a
  reason: The new renderer drops it. # see our tracker
  owner: team-pages
  expires: 2026-12-31
`;

/** Results from short words: `a pass`, `a fail r1 r2` with the requirements that are found violated. */
export function results(...rows: readonly string[]): CheckResult[] {
  return rows.map(makeResult);
}

function makeResult(row: string): CheckResult {
  const [id = "", status = "", ...violated] = row.split(" ");
  return {
    id,
    title: "It holds.",
    requirements: id === "wide" ? ["r1", "r2"] : id === "other" ? ["r2"] : ["r1"],
    level: id.startsWith("assumed") ? "assumed" : "stated",
    operation: "page_scrape",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows of the tables are ours
    status: status as CheckResult["status"],
    ...makeReason(status),
    findings: violated.map((requirement) => ({
      requirement,
      where: "w",
      expected: "e",
      received: "r",
      exchange: "x",
    })),
    exchanges: [],
  };
}

function makeReason(status: string): { reason?: string } {
  return status === "skip" || status === "error" ? { reason: "why" } : {};
}

export function entry(id: string, expires = "2026-12-31"): ExpectedFailure {
  return { id, reason: "known", owner: "team", expires };
}
