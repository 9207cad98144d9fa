import type { ThingsPlace } from "../../task/things-question.ts";

/** A noun of a task, as the page is asked for it. */
export interface PageNoun {
  /** The word for one, and the word for several. */
  readonly one: string;
  readonly several: string;
  /** Words for one and for several of it, with other words for the same; lower case. */
  readonly forms: readonly string[];
}

/** A property that is read of each thing. */
export interface PageField extends PageNoun {
  /** Its key in records. */
  readonly key: string;
  /** Source of the pattern (flags `iu`) of what a label or a header says for it. */
  readonly label: string;
  /** Last words of the classes that mark it, and `itemprop` values. */
  readonly marks: readonly string[];
  /** What it looks like, where it is known by that. */
  readonly kind?:
    | "name"
    | "price"
    | "date"
    | "link"
    | "image"
    | "email"
    | "phone"
    | "rating"
    | "author"
    | "term"
    | "definition"
    | "text"
    | undefined;
}

/** The part of the page that is meant. */
export interface PagePlace {
  readonly kind: ThingsPlace["kind"];
  /** Its name, as it was said. */
  readonly name?: string | undefined;
  /** Sources of patterns (flags `iu`) of what the page shows for the name, the closest first. */
  readonly names?: readonly string[] | undefined;
}

/** What a page is asked for: JSON. */
export interface PageAsk {
  /** Properties; one that may be a thing itself in `things`. Empty: the things themselves. */
  readonly fields: readonly PageField[];
  /** The things. */
  readonly of?: PageNoun | undefined;
  /** True when any group of things will do: items, rows. */
  readonly isGeneral: boolean;
  /** True when the only field may also be the things themselves: "get the prices". */
  readonly isBare: boolean;
  /** Source of the pattern (flags `iu`) of what only other things are called. */
  readonly others: string;
  /** Elements of this kind are meant: a selector. */
  readonly elements?: string | undefined;
  readonly place?: PagePlace | undefined;
  /** True when all groups alike are meant together. */
  readonly isAll: boolean;
  readonly as: "list" | "records" | "count";
  /** What the structure of the things of the page before was: this one may have only one of it. */
  readonly like?: string;
}

/** One thing that was read. */
export interface PageThing {
  /** What it shows: two that show the same are the same when lists are merged. */
  readonly id: string;
  readonly value: unknown;
  /** Its price, where things are compared by it. */
  readonly price?: string;
}

/** What a page has of what it was asked for. */
export type PageReading =
  | {
      readonly things: readonly PageThing[];
      /** How they were found: pages of the same shape are merged. */
      readonly shape: string;
      readonly notes: readonly string[];
      /** What the structure of the things is. */
      readonly like?: string;
      /** Number of things that the page says there are, and its words. */
      readonly total?: { readonly total: number; readonly words: string };
    }
  | {
      /** Why it can't be read for certain. */
      readonly refused: string;
      /** True when there is nothing of it: it may come. */
      readonly isNone: boolean;
    };
