import { posix } from "node:path";
import type { Check } from "../checks/check.ts";
import { didYouMean } from "../contract/similar-names.ts";
import { SuiteError } from "../http/suite-error.ts";

/** Patterns that select checks. */
export interface Selection {
  /** Patterns of which a check has to match at least one; empty for all checks. */
  readonly only: readonly string[];
  /** Patterns of checks that are left out. */
  readonly skip: readonly string[];
}

/** Reason of a requirement whose checks were left out. */
export const notSelectedReason = "Not selected: its checks were left out (--only, --skip).";

/**
 * Returns the selected checks, in the order of the suite.
 *
 * A pattern is a glob over ids of checks and of requirements (`scrape/*`, `rejects-*`, `scrape.request.**`), or
 * `operation:` or `level:` with a glob. `*` stops at a slash; a pattern without a slash also stands for what follows the
 * slash of an id.
 *
 * @throws {SuiteError} `usage` when a pattern matches nothing, or no check is left.
 */
export function selectChecks(checks: readonly Check[], { only, skip }: Selection): readonly Check[] {
  for (const pattern of [...only, ...skip]) {
    if (!checks.some((check) => matches(check, pattern))) throw unknownPattern(pattern, checks);
  }
  const selected = checks.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matches(check, pattern))) &&
      !skip.some((pattern) => matches(check, pattern)),
  );
  if (selected.length > 0) return selected;
  throw new SuiteError("usage", `no check is left: --skip ${skip.join(", ")} excludes all selected checks`);
}

function matches(check: Check, pattern: string): boolean {
  const [, field, rest = ""] = /^(operation|level):(.*)$/.exec(pattern) ?? [];
  if (field === "operation") return posix.matchesGlob(check.operation, rest);
  if (field === "level") return posix.matchesGlob(check.level, rest);
  return [check.id, ...check.requirements].some(
    (id) => posix.matchesGlob(id, pattern) || (!pattern.includes("/") && posix.matchesGlob(id, `*/${pattern}`)),
  );
}

function unknownPattern(pattern: string, checks: readonly Check[]): SuiteError {
  const names = new Set(
    checks.flatMap(({ id, requirements, operation, level }) => [
      id,
      ...requirements,
      `operation:${operation}`,
      `level:${level}`,
    ]),
  );
  const wanted = pattern.replaceAll("*", "");
  const near = didYouMean(wanted, names) || "; `conformance list` shows all ids";
  return new SuiteError("usage", `no check and no requirement matches "${pattern}"${near}`);
}
