import { readTableCells } from "@cloud-browser/page-content";
import { writeNumbersAsDigits } from "../number-words.ts";
import type { PageAsk, PageReading } from "./page-ask.ts";
import { candidatesFunctions } from "./page-candidates.ts";
import { declaredFunctions } from "./page-declared.ts";
import { fieldsFunctions } from "./page-fields.ts";
import { groupsFunctions } from "./page-groups.ts";
import { looseFunctions } from "./page-loose.ts";
import { looksFunctions } from "./page-looks.ts";
import { meaningFunctions } from "./page-meaning.ts";
import { readerFunctions, type ThingsReader } from "./page-reader.ts";
import { scopeFunctions } from "./page-scope.ts";
import { tablesFunctions } from "./page-tables.ts";
import { viewFunctions } from "./page-view.ts";

/** The functions of the reader. Each gets all of them as its first parameter. */
const functions: Readonly<
  Record<
    Exclude<keyof ThingsReader, "lines" | "readTableCells" | "writeNumbersAsDigits">,
    (page: never, ...rest: never[]) => unknown
  >
> = {
  ...viewFunctions,
  ...scopeFunctions,
  ...groupsFunctions,
  ...looksFunctions,
  ...fieldsFunctions,
  ...tablesFunctions,
  ...meaningFunctions,
  ...declaredFunctions,
  ...candidatesFunctions,
  ...looseFunctions,
  ...readerFunctions,
};

/** Source of the reader: a function from a `PageAsk` to a `PageReading` that needs nothing but the page. */
export const readerSource = `(ask) => {
const page = { lines: new Map(), readTableCells: ${String(readTableCells)}, writeNumbersAsDigits: ${String(writeNumbersAsDigits)} };
const all = {
${Object.entries(functions)
  .map(([name, one]) => `${name}: ${String(one)}`)
  .join(",\n")}
};
for (const [name, one] of Object.entries(all)) page[name] = (...rest) => one(page, ...rest);
const reading = page.readThings(ask);
const lang = document.documentElement.lang;
return "things" in reading && lang !== "" ? { ...reading, lang } : reading;
}`;

/* oxlint-disable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func -- made of functions of ours, evaluated in the page only */
/** Reads things. Runs in the page. */
export const readInPage = new Function("_", "ask", `return (${readerSource})(ask)`) as (
  root: Element,
  ask: PageAsk,
) => PageReading;
/* oxlint-enable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func */
