/** A part of a page, as a task names it. */
export interface ThingsPlace {
  /** Kind of the part; `region` is any part of that name. */
  readonly kind:
    | "region"
    | "table"
    | "list"
    | "header"
    | "footer"
    | "nav"
    | "aside"
    | "main"
    | "dialog"
    | "form"
    | "article"
    | "page";
  /** Its name, in the words of the task. */
  readonly name?: string;
}

/** A question about things of a page, in the words of the task. Plain JSON. */
export interface ThingsQuestion {
  /** Properties to read of each thing, in the singular: "price". Empty: the things themselves. */
  readonly properties: readonly string[];
  /** Noun for the things, in the singular: "product". Default: any things with these properties. */
  readonly of?: string;
  /** True when the only property may also be the noun for the things: "get the ingredients". */
  readonly isBare?: true;
  /** The part of the page. Default: its content. */
  readonly place?: ThingsPlace;
  /** True when all groups of the same structure are meant: "all prices". */
  readonly isAll?: true;
  /** A list of values, a list of objects, or a number. */
  readonly as: "list" | "records" | "count";
  /** Number of things from the beginning or the end; `isMost` when fewer are enough. */
  readonly bound?: { readonly from: "first" | "last"; readonly count: number; readonly isMost?: true };
  /** Order by price, applied before the bound. */
  readonly order?: "cheapest" | "dearest";
}
