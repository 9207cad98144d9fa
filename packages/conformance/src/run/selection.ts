import { posix } from "node:path";
import type { SuiteCheck } from "../checks/check.ts";
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
export function selectChecks(checks: readonly SuiteCheck[], { only, skip }: Selection): readonly SuiteCheck[] {
  const findAll = (pattern: string): readonly SuiteCheck[] => {
    const hits = checks.filter((check) => matches(check, pattern));
    if (hits.length === 0) throw unknownPattern(pattern, checks);
    return hits;
  };
  const selection = new Set(only.length === 0 ? checks : only.flatMap(findAll));
  const unwanted = new Set(skip.flatMap(findAll));
  const selected = checks.filter((check) => selection.has(check) && !unwanted.has(check));
  if (selected.length > 0) return selected;
  throw new SuiteError("usage", `no check is left: \`skip\` (${skip.join(", ")}) excludes all selected checks`);
}

function matches(check: SuiteCheck, pattern: string): boolean {
  const [, field, rest = ""] = /^(operation|level):(.*)$/.exec(pattern) ?? [];
  if (field === "operation") return matchesGlob(check.operation, rest);
  if (field === "level") return matchesGlob(check.level, rest);
  const ids = [check.id, ...check.requirements];
  if (ids.some((id) => matchesGlob(id, pattern))) return true;
  return !pattern.includes("/") && ids.some((id) => id.includes("/") && matchesGlob(id, `*/${pattern}`));
}

/** Matches a glob. One without special characters is compared as it is: a glob is compiled anew for each id. */
function matchesGlob(id: string, glob: string): boolean {
  return id === glob || (/[^\w./:-]/.test(glob) && posix.matchesGlob(id, glob));
}

function unknownPattern(pattern: string, checks: readonly SuiteCheck[]): SuiteError {
  const names = new Set(
    checks.flatMap(({ id, requirements, operation, level }) => [
      id,
      ...requirements,
      `operation:${operation}`,
      `level:${level}`,
    ]),
  );
  const text = pattern.replaceAll("*", "");
  const near = didYouMean(text, names) || "; `conformance list` shows all ids";
  return new SuiteError("usage", `no check and no requirement matches "${pattern}"${near}`);
}
