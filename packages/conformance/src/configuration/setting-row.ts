/** Ways to read the text of a flag: unchanged, or parsed. */
export type FlagReader = "text" | "number" | "list" | "switch" | "header" | "reading";

/** A group of flags in the help. */
export type FlagGroup = "Target:" | "Requests:" | "Reports:";

/** Definition of one setting, wherever it can be given. */
export interface SettingRow {
  /** Group of its flag in the help. */
  readonly group: FlagGroup;
  /** The flag with its argument; undefined for a setting that has none. */
  readonly flag?: string;
  /** Reader of the argument. Default: as text. */
  readonly reads?: FlagReader;
  /** Environment variable that also sets it. */
  readonly environment?: string;
  /** Describes it, without a full stop. */
  readonly text: string;
  /** Further sentences for the schema of the file. */
  readonly more?: string;
  /** Default, in words; undefined for none. */
  readonly otherwise?: string;
  /** Completes the sentence "it must be …". */
  readonly must: string;
  /** JSON Schema of its value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A setting that is a text. */
export const text = { must: "a string", schema: { type: "string", minLength: 1 } };
/** Describes a setting that is an integer of at least some number. */
export const atLeast = (minimum: number): Pick<SettingRow, "must" | "schema" | "reads"> => ({
  must: `an integer of at least ${minimum}`,
  reads: "number",
  schema: { type: "integer", minimum },
});
/** A setting that is a word of an address. */
export const word = {
  must: 'letters, digits, "-" and "_"',
  schema: { type: "string", pattern: "^[A-Za-z0-9_-]+$" },
};
/** A setting that is a list of patterns. */
export const patterns: Pick<SettingRow, "must" | "schema" | "reads"> = {
  must: "a list of patterns",
  reads: "list",
  schema: { type: "array", items: { type: "string", minLength: 1 } },
};
