import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from "yaml";
import type { CheckResult, ExpectationProblem, ExpectedFailure } from "../report/report.ts";

/** Entries and mistakes read from a file of expected failures. */
export interface ExpectedFailuresFile {
  /** The entries without mistakes, in the order of the file. */
  readonly entries: readonly ExpectedFailure[];
  /** Each mistake as a sentence, with its line. Empty for a good file; with any, nothing of the file may be used. */
  readonly mistakes: readonly string[];
}

/** The fields of an entry, each with the advice for a person who left it out. */
const fields = {
  id: "name the check or the requirement",
  reason: "say why it fails",
  owner: "say who is to fix it",
  expires: "give the last day on which it is valid, as YYYY-MM-DD",
} as const satisfies Record<keyof ExpectedFailure, string>;

const names = ["id", "reason", "owner", "expires"] as const satisfies readonly (keyof typeof fields)[];

/**
 * Reads a file of expected failures: YAML or JSON, a list of entries with `id`, `reason`, `owner` and `expires`, all of them required.
 *
 * Checks neither that the ids exist nor that the entries are still valid: `applyExpectedFailures` does. An empty file has no entries.
 */
export function parseExpectedFailures(text: string): ExpectedFailuresFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const findLine = (offset: number | undefined): number => lines.linePos(offset ?? 0).line;
  if (document.errors.length > 0) {
    return {
      entries: [],
      mistakes: document.errors.map((error) => `Line ${findLine(error.pos[0])}: ${error.message}.`),
    };
  }
  const list = document.contents;
  if (list === null || (isScalar(list) && list.value === null)) return { entries: [], mistakes: [] };
  if (!isSeq(list))
    return { entries: [], mistakes: ["The file is not a list; write entries that begin with `- id:`."] };
  const entries: ExpectedFailure[] = [];
  const mistakes: string[] = [];
  const firstLines = new Map<string, number>();
  for (const item of list.items) {
    const at = findLine(isMap(item) || isScalar(item) || isSeq(item) ? item.range?.[0] : undefined);
    const { entry, wrong } = readEntry(item, document);
    mistakes.push(...wrong.map((sentence) => `Line ${at}: ${sentence}`));
    if (!entry) continue;
    const first = firstLines.get(entry.id);
    if (first === undefined) {
      firstLines.set(entry.id, at);
      entries.push(entry);
    } else {
      mistakes.push(`Line ${at}: ${entry.id} repeats the entry in line ${first}; keep one of them.`);
    }
  }
  return { entries, mistakes };
}

function readEntry(item: unknown, document: Document): { entry?: ExpectedFailure; wrong: string[] } {
  if (!isMap(item)) return { wrong: ["this is not an entry; write `id`, `reason`, `owner` and `expires`."] };
  const value: unknown = item.toJS(document);
  const values = new Map(Object.entries(value ?? {}));
  const id = values.get("id");
  const title = typeof id === "string" && id.trim() !== "" ? `the entry ${id.trim()}` : "the entry";
  const wrong = [...values.keys()]
    .filter((key) => !Object.hasOwn(fields, key))
    .map((key) => `${title} has the unknown key \`${key}\`; use ${names.join(", ")}.`);
  const readField = (name: keyof typeof fields): string => {
    const field: unknown = values.get(name);
    if (typeof field === "string" && field.trim() !== "") return field.trim();
    if (field === undefined || field === null || typeof field === "string") {
      wrong.push(`${title} has no \`${name}\`: ${fields[name]}.`);
    } else {
      wrong.push(`${title} has a \`${name}\` that is not a string: ${fields[name]}.`);
    }
    return "";
  };
  const entry = {
    id: readField("id"),
    reason: readField("reason"),
    owner: readField("owner"),
    expires: readField("expires"),
  };
  if (entry.expires !== "" && !isDay(entry.expires)) {
    wrong.push(`${title} expires on "${entry.expires}", which is not a valid date: ${fields.expires}.`);
  }
  return wrong.length > 0 ? { wrong } : { entry, wrong };
}

/** Returns whether a text is a valid date as `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Results of a run after the expected failures were applied to them. */
export interface AppliedExpectations {
  /** The results of the run; those whose failure is covered have `expected`. */
  readonly checks: readonly CheckResult[];
  /** At most one problem for each entry, in the order of the entries. */
  readonly problems: readonly ExpectationProblem[];
}

/**
 * Marks the expected failures, and finds the entries that are stale, expired or unknown.
 *
 * An entry with the id of a check covers all findings of this check; one with the id of a requirement covers the findings
 * of this requirement, in whatever check, and no others. A failed check is expected when each of its findings is covered;
 * of several entries that cover it, `expected` is the one that expires first. A check that could not be judged (`error`)
 * is never covered.
 *
 * An entry is `unknown` when no check judges what it names; `stale` when every check that it names passed, and none was
 * left out: a check that was skipped or could not be judged may still fail, so it makes no entry stale; `expired` from the
 * day after its last one, whether or not its check was run. An expired entry covers nothing.
 *
 * @param results - Every check of the suite, the skipped ones as well.
 * @param today - The day of the run as `YYYY-MM-DD`, in UTC.
 */
export function applyExpectedFailures(
  results: readonly CheckResult[],
  entries: readonly ExpectedFailure[],
  today: string,
): AppliedExpectations {
  const valid = entries.filter((entry) => entry.expires >= today);
  const checks = results.map((check) => {
    const expected = findCover(check, valid);
    return expected ? { ...check, expected } : check;
  });
  return { checks, problems: entries.flatMap((entry) => findProblem(entry, results, today) ?? []) };
}

/** Returns whether an entry covers a check's findings about a requirement. */
export function covers(entry: Pick<ExpectedFailure, "id">, check: CheckResult, requirement: string): boolean {
  return entry.id === check.id || entry.id === requirement;
}

function findCover(check: CheckResult, entries: readonly ExpectedFailure[]): ExpectedFailure | undefined {
  if (check.status !== "fail" || check.findings.length === 0) return undefined;
  const covering = check.findings.map(({ requirement }) =>
    entries.filter((entry) => covers(entry, check, requirement)),
  );
  if (covering.some((some) => some.length === 0)) return undefined;
  return covering.flat().toSorted((a, b) => (a.expires < b.expires ? -1 : Number(a.expires > b.expires)))[0];
}

/** Returns the problem of an entry, if it has one. A stale entry is to be removed, so its expiry is not reported as well. */
function findProblem(
  { id, expires, owner, reason }: ExpectedFailure,
  results: readonly CheckResult[],
  today: string,
): ExpectationProblem | undefined {
  const subjects = results.filter((check) => check.id === id || check.requirements.includes(id));
  if (subjects.length === 0) {
    return {
      id,
      kind: "unknown",
      sentence: `${id} is expected to fail, but no check has this id or judges it; correct it, or remove the entry.`,
    };
  }
  if (subjects.every((check) => check.status === "pass")) {
    return { id, kind: "stale", sentence: `${id} is expected to fail, but holds now; remove the entry.` };
  }
  if (expires >= today) return undefined;
  return {
    id,
    kind: "expired",
    sentence: `${id} was expected to fail until ${expires} (${reason}); ${owner} is to fix it, or to set a later date.`,
  };
}
