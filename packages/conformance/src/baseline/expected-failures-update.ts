import { isMap, isSeq, parseDocument, YAMLSeq, type Document } from "yaml";
import { covers, parseExpectedFailures } from "./expected-failures.ts";
import type { CheckResult } from "../report/report.ts";

/** An updated file of expected failures. */
export interface ExpectedFailuresUpdate {
  /** The whole new file. */
  readonly text: string;
  /** Ids of the entries that were added; their reason and owner are still to be written. */
  readonly added: readonly string[];
  /** Ids of the entries that were removed: stale ones, and those that name nothing. */
  readonly removed: readonly string[];
}

/** Days until a new entry expires, unless a person sets another date. */
const defaultDays = 30;

/** Keeps the YAML writer from folding long lines, so that text written by people stays as it is. */
const asWritten = { lineWidth: 0 };

/** A check and a requirement that it found violated. */
interface Failing {
  readonly check: CheckResult;
  readonly requirement: string;
}

/**
 * Writes the least file of expected failures that covers what fails in a run.
 *
 * Entries that stay are not touched: reason, owner, day and comments are kept, and an expired entry stays expired. Stale entries and those
 * that name nothing are removed. What fails uncovered gets an entry by check or by requirement, whichever covers nothing else. A new entry
 * has an empty reason and an empty owner, and expires after 30 days: reading the file fails until a person has filled them in, because
 * nobody should agree to a failure by running a command.
 *
 * Only failed checks of the level `stated` get entries; the others decide nothing.
 *
 * @param text - The file as it is; an empty string for none. A malformed entry is kept when it has an id.
 * @param today - The day of the run as `YYYY-MM-DD`, in UTC.
 * @throws {SyntaxError} when the file is not YAML, or not a list.
 */
export function updateExpectedFailures(
  text: string,
  results: readonly CheckResult[],
  today: string,
): ExpectedFailuresUpdate {
  const isJson = text.trimStart().startsWith("[");
  const document: Document = parseDocument(text);
  const empty = document.contents === null || document.toJS() === null;
  const list = empty ? new YAMLSeq() : document.contents;
  if (document.errors.length > 0 || !isSeq(list)) {
    throw new SyntaxError(parseExpectedFailures(text).mistakes.join("\n"));
  }
  const removed: string[] = [];
  const oldIds: string[] = [];
  const [first] = list.items;
  list.items = list.items.filter((item) => {
    const id: unknown = isMap(item) ? item.get("id") : undefined;
    if (typeof id !== "string") return true;
    const stays = isNeeded(id, results);
    (stays ? oldIds : removed).push(id);
    return stays;
  });
  if (isMap(first) && first !== list.items[0]) document.commentBefore = findHead(first.commentBefore);
  const added = leastCover(results, oldIds);
  const day = new Date(Date.parse(`${today}T00:00:00Z`) + defaultDays * 86_400_000).toISOString().slice(0, 10);
  for (const id of added) list.add(document.createNode({ id, reason: null, owner: null, expires: day }));
  document.contents = list;
  if (isJson) return { text: `${JSON.stringify(document.toJS(), null, 2)}\n`, added, removed };
  list.flow = list.items.length === 0;
  return { text: document.toString({ ...asWritten, nullStr: "" }), added, removed };
}

/** Returns the part of a comment that is about the whole file: everything up to its last blank line. */
function findHead(comment: string | null | undefined): string | null {
  const end = comment?.lastIndexOf("\n\n") ?? -1;
  return (end === -1 ? comment : comment?.slice(0, end)) ?? null;
}

function isNeeded(id: string, results: readonly CheckResult[]): boolean {
  const subjects = results.filter((check) => check.id === id || check.requirements.includes(id));
  return subjects.length > 0 && !subjects.every((check) => check.status === "pass");
}

/** Returns ids that cover all uncovered failures. Ids that cover nothing else come first, and of those the ones that cover most. */
function leastCover(results: readonly CheckResult[], oldIds: readonly string[]): string[] {
  const failing = results
    .filter((check) => check.status === "fail" && check.level === "stated")
    .flatMap((check) =>
      [...new Set(check.findings.map((finding) => finding.requirement))].map((requirement) => ({ check, requirement })),
    );
  let open = failing.filter(({ check, requirement }) => !oldIds.some((id) => covers({ id }, check, requirement)));
  const choice: string[] = [];
  while (open.length > 0) {
    const candidates = [
      ...new Set([...open.map(({ check }) => check.id), ...open.map(({ requirement }) => requirement)]),
    ];
    const ranking = candidates
      .map((id) => ({ id, excess: measureExcess(id, results, failing), covered: coveredBy(id, open).length }))
      .toSorted((a, b) => a.excess - b.excess || b.covered - a.covered);
    const best = ranking[0]?.id ?? "";
    choice.push(best);
    open = open.filter(({ check, requirement }) => !covers({ id: best }, check, requirement));
  }
  return choice;
}

function coveredBy(id: string, failing: readonly Failing[]): Failing[] {
  return failing.filter(({ check, requirement }) => covers({ id }, check, requirement));
}

/** Counts the results that an entry would cover although they do not fail now, and could fail later unnoticed. */
function measureExcess(id: string, results: readonly CheckResult[], failing: readonly Failing[]): number {
  const all = results.flatMap((check) =>
    check.requirements.filter((requirement) => covers({ id }, check, requirement)),
  );
  return all.length - coveredBy(id, failing).length;
}
