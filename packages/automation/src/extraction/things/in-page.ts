import { readTableCells } from "@cloud-browser/page-content";
import type { PageAsk, PageReading } from "./page-ask.ts";
import * as candidates from "./page-candidates.ts";
import * as declared from "./page-declared.ts";
import * as fields from "./page-fields.ts";
import * as groups from "./page-groups.ts";
import * as loose from "./page-loose.ts";
import * as looks from "./page-looks.ts";
import * as meaning from "./page-meaning.ts";
import * as reader from "./page-reader.ts";
import type { ThingsReader } from "./page-reader.ts";
import * as scope from "./page-scope.ts";
import * as tables from "./page-tables.ts";
import * as view from "./page-view.ts";

/** The functions that read in the page; each gets all of them as its first parameter. */
const functions: Readonly<
  Record<Exclude<keyof ThingsReader, "lines" | "readTableCells">, (page: never, ...rest: never[]) => unknown>
> = {
  ...view,
  ...scope,
  ...groups,
  ...looks,
  ...fields,
  ...tables,
  ...meaning,
  ...declared,
  ...candidates,
  ...loose,
  ...reader,
};

/** Source of a function that reads what a page is asked for, from a `PageAsk` to a `PageReading`: it needs nothing but the page. */
export const readerSource = `(ask) => {
const page = { lines: new Map(), readTableCells: ${String(readTableCells)} };
const all = {
${Object.entries(functions)
  .map(([name, one]) => `${name}: ${String(one)}`)
  .join(",\n")}
};
for (const [name, one] of Object.entries(all)) page[name] = (...rest) => one(page, ...rest);
return page.readThings(ask);
}`;

/* oxlint-disable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func -- made of functions of ours, evaluated in the page only */
/** Reads what a page is asked for. Runs in the page. */
export const readInPage = new Function("_", "ask", `return (${readerSource})(ask)`) as (
  root: Element,
  ask: PageAsk,
) => PageReading;
/* oxlint-enable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func */
