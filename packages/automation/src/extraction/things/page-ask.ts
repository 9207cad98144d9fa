import type { ThingsPlace, ThingsQuestion } from "../../task/things-question.ts";

/** A noun of a task, and its forms. */
export interface PageNoun {
  /** Singular and plural. */
  readonly one: string;
  readonly several: string;
  /** Singulars and plurals, with synonyms, in lower case. */
  readonly forms: readonly string[];
}

/** Kinds of properties that can be recognized by their form. */
type FieldKind = TextKind | "price" | "date" | "link" | "image" | "email" | "phone" | "rating";
type TextKind = "name" | "author" | "term" | "definition" | "text";

/** A property that is read of each thing. */
export interface PageField extends PageNoun {
  /** Its key in records. */
  readonly key: string;
  /** Source of the pattern (flags `iu`) of its label or column header. */
  readonly label: string;
  /** Last words of classes, and `itemprop` values, that mark it. */
  readonly marks: readonly string[];
  /** Its kind, if it can be recognized by its form. */
  readonly kind?: FieldKind | undefined;
}

/** The part of the page that is meant. */
export interface PagePlace {
  readonly kind: ThingsPlace["kind"];
  /** Its name, in the words of the task. */
  readonly name?: string | undefined;
  /** Sources of patterns (flags `iu`) for the name as the page shows it, the closest first. */
  readonly names?: readonly string[] | undefined;
}

/** Question for the reader in the page. Plain JSON. */
export interface PageAsk {
  /** Properties to read of each thing. Empty: the things themselves. */
  readonly fields: readonly PageField[];
  /** The things. */
  readonly of?: PageNoun | undefined;
  /** True for a noun that fits any group: items, rows. */
  readonly isGeneral: boolean;
  /** True when the only field may also be the things themselves: "get the prices". */
  readonly isBare: boolean;
  /** Source of the pattern (flags `iu`) for names of things of other kinds. */
  readonly others: string;
  /** Selector of the requested elements, for a noun such as "headings". */
  readonly elements?: string | undefined;
  readonly place?: PagePlace | undefined;
  /** True when all groups of the same structure are meant together. */
  readonly isAll: boolean;
  readonly as: ThingsQuestion["as"];
  /** Structure of the things of the previous page: a group of it counts even if it has only one item. */
  readonly like?: string;
}

/** A thing, as it was read. */
export interface PageThing {
  /** Its identity when lists are merged: its texts and addresses. */
  readonly id: string;
  readonly value: unknown;
  /** Its price, where things are compared by it. */
  readonly price?: string;
}

/** A number of things that a page states, and the text that says so. */
export interface StatedTotal {
  readonly total: number;
  readonly words: string;
  /** True when the page gives no exact number, or gives it in the name of a link, which may be about others: "100+", "about 100", "1.2k", "See all 128". */
  readonly isRough?: true;
}

/** Answer of the reader: the things, or why they could not be read. */
export type PageReading =
  | {
      readonly things: readonly PageThing[];
      /** The way in which they were found: only pages of the same shape are merged. */
      readonly shape: string;
      readonly notes: readonly string[];
      /** Structure of the things. */
      readonly like?: string;
      /** Number of things that the page says there are, and its words. */
      readonly total?: StatedTotal;
      /** Language that the document declares. */
      readonly lang?: string;
    }
  | {
      /** Reason why nothing is returned: ambiguous, or not there. */
      readonly refused: string;
      /** True when the page has no such things, or not yet. */
      readonly isNone: boolean;
    };
