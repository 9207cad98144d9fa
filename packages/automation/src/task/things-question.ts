/** A part of a page, as a task names it. */
export interface ThingsPlace {
  /** `region` is anything that has the name. */
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
  /** Its name, as it was said. */
  readonly name?: string;
}

/** What is asked of several things of a page, in the words of the task. Plain JSON. */
export interface ThingsQuestion {
  /** What is read of each, in the singular: "price". Empty: the things themselves. */
  readonly properties: readonly string[];
  /** What the things are, in the singular: "product". Default: whatever has the properties. */
  readonly of?: string;
  /** True when the only property may as well be what the things are: "get the ingredients". */
  readonly isBare?: true;
  /** The part of the page. Default: its content. */
  readonly place?: ThingsPlace;
  /** True when all groups alike are meant: "all prices". */
  readonly isAll?: true;
  /** A list of values, a list of objects, or a number. */
  readonly as: "list" | "records" | "count";
  /** Only so many: of the beginning, of the end; `isMost` when fewer will do. */
  readonly bound?: { readonly from: "first" | "last"; readonly count: number; readonly isMost?: true };
  /** Ordered by price before the bound. */
  readonly order?: "cheapest" | "dearest";
}
