/** Any JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;

/** An object of JSON. */
export interface JsonRecord {
  readonly [name: string]: Json;
}

/** Value that an element shows. */
export interface ShownValue {
  /** Its text, white space collapsed. */
  readonly text: string;
  /** Absolute address of its only link. */
  readonly href?: string;
  /** Absolute address of its only image. */
  readonly src?: string;
  /** Machine form of its only time or data element. */
  readonly machine?: string;
  /** Its parts, when it is a list or several lines; at least two. */
  readonly parts?: readonly ShownValue[];
}

/** A table with headers. */
export interface DeclaredTable {
  /** Its caption, or the heading before it. */
  readonly name?: string;
  /** Its headers, those of several lines joined; an empty one where a column has none. */
  readonly columns: readonly string[];
  /** The lowest line of each header, where some have several. */
  readonly lowest?: readonly string[];
  /** Its rows; one value for each column, null where a row has none. */
  readonly rows: readonly (readonly (ShownValue | null)[])[];
}

/** Labels with values that belong together. */
export interface DeclaredPairs {
  /** Caption of the table or heading before the group. */
  readonly name?: string;
  /** Source of the values: a definition list, a table of two columns, or labels in the text. */
  readonly by: "definition list" | "table" | "label";
  /** Label and value, in the order of the page; a label with several values comes several times. */
  readonly pairs: readonly (readonly [string, ShownValue])[];
}

/** Items of a list. */
export interface DeclaredList {
  /** The heading before it. */
  readonly name?: string;
  /** Its items, without lists that they hold. */
  readonly items: readonly ShownValue[];
}

/** All that a page declares about its content, as plain JSON. Addresses are absolute. */
export interface DeclaredContent {
  /** Address of the document. */
  readonly url: string;
  /** Its title. */
  readonly title?: string;
  /** Its canonical address. */
  readonly canonical?: string;
  /** Its language. */
  readonly lang?: string;
  /** Items of JSON-LD, `@graph` and lists dissolved, references within a script followed. */
  readonly jsonLd: readonly JsonRecord[];
  /** Items of microdata in the form of JSON-LD: `@type`, and the properties. */
  readonly microdata: readonly JsonRecord[];
  /** Items of RDFa Lite in the form of JSON-LD. */
  readonly rdfa: readonly JsonRecord[];
  /** Meta elements by their name or property in lower case: Open Graph, Twitter cards and others. */
  readonly meta: Readonly<Record<string, readonly string[]>>;
  /** Tables with headers. */
  readonly tables: readonly DeclaredTable[];
  /** Labels with values. */
  readonly pairs: readonly DeclaredPairs[];
  /** Lists. */
  readonly lists: readonly DeclaredList[];
  /** Headings, in the order of the page. */
  readonly headings: readonly { readonly level: number; readonly text: string }[];
}
