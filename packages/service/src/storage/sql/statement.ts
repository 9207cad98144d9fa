import type { SqlValue, SqlValues } from "./sql-database.ts";

/** A statement as the database reads it, and the names of its parameters by position. */
export interface Statement {
  readonly text: string;
  readonly names: readonly string[];
}

/** `:name`, but not the type in `value::type`. */
const parameter = /(?<!:):([a-z]\w*)/gu;

/** Returns a statement with numbered parameters in place of named ones. @param sign - What a number follows: `$` or `?`. */
export function numberParameters(text: string, sign: "$" | "?"): Statement {
  const names: string[] = [];
  const position = text.replaceAll(parameter, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `${sign}${names.indexOf(name) + 1}`;
  });
  return { text: position, names };
}

/** Returns the values of a statement by position. @throws {Error} When one is missing. */
export function listValues({ names }: Statement, values: SqlValues): readonly SqlValue[] {
  return names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the statement has no value for :${name}`);
    return typeof value === "string" ? toStorableText(value) : value;
  });
}

/** Returns rows as JSON, for a table of {@link Dialect.rows}. */
export function writeRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  // Only what JSON escapes can't be stored, and most texts have nothing of that.
  if (!text.includes("\\u")) return text;
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? toStorableText(value) : value));
}

/** Returns a text that both databases can store: without NUL and unpaired surrogates. */
function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
