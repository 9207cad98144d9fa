import type { PageAsk, PageField, PageThing } from "./page-ask.ts";
import type { PageMeaning } from "./page-meaning.ts";
import type { InPage } from "./page-view.ts";

/** Reads things from the JSON-LD of a page. */
export interface PageDeclared extends PageMeaning, InPage<typeof declaredFunctions> {}

/** Returns the value of a property of a declared thing, also of its offer; undefined if it has none. Runs in the page. */
function readDeclaredValue(
  page: PageDeclared,
  thing: Readonly<Record<string, unknown>>,
  { marks }: PageField,
): string | undefined {
  const toPlainText = (value: unknown): string | undefined =>
    typeof value === "string" || typeof value === "number"
      ? String(value)
      : typeof value === "object" && value !== null && "name" in value
        ? toPlainText(value.name)
        : undefined;
  for (const [key, value] of Object.entries(thing)) if (marks.includes(key.toLowerCase())) return toPlainText(value);
  for (const part of ["offers", "aggregateRating", "reviewRating"]) {
    const inner = thing[part];
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
      for (const [key, value] of Object.entries(inner))
        if (marks.includes(key.toLowerCase())) return toPlainText(value);
    }
  }
  return undefined;
}

/** Reads lists of things that JSON-LD declares; undefined if it declares none that all have the properties. Runs in the page. */
function readDeclaredThings(page: PageDeclared, { fields, of, as }: PageAsk): readonly PageThing[] | undefined {
  type Thing = Readonly<Record<string, unknown>>;
  const isThing = (value: unknown): value is Thing =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const lists: Thing[][] = [];
  const visit = (value: unknown): void => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const things = values.filter(isThing);
    if (things.length > 1) {
      const items = things.map((one) => (isThing(one["item"]) ? one["item"] : one));
      if (new Set(items.map((one) => JSON.stringify(one["@type"]))).size === 1) lists.push(items);
    }
    for (const thing of things) for (const inner of Object.values(thing)) if (typeof inner === "object") visit(inner);
  };
  for (const script of document.querySelectorAll("script[type='application/ld+json']")) {
    try {
      visit(JSON.parse(script.textContent ?? ""));
    } catch {
      continue; // not every page declares what can be read
    }
  }
  const readType = (list: readonly Thing[]): string =>
    JSON.stringify(list[0]?.["@type"] ?? "")
      .replaceAll('"', "")
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
  const ofKind = lists.filter((list) => of === undefined || of.forms.includes(readType(list)));
  const fitting = ofKind.filter((list) =>
    list.every((thing) => fields.every((field) => page.readDeclaredValue(thing, field) !== undefined)),
  );
  const [only, another] = fitting.filter(
    (list) => readType(list) !== "list item" && (fields.length > 0 || of !== undefined),
  );
  if (!only || another) return undefined;
  return only.map((thing) => {
    const values = fields.map((field) => page.readDeclaredValue(thing, field) ?? "");
    const record = Object.fromEntries(fields.map(({ key }, at) => [key, values[at]]));
    const own = typeof thing["name"] === "string" ? thing["name"] : JSON.stringify(thing);
    const price = fields.findIndex(({ kind }) => kind === "price");
    const value = as === "records" ? record : (values[0] ?? own);
    const id = JSON.stringify(thing);
    return price < 0 ? { id, value } : { id, value, price: values[price] ?? "" };
  });
}

/** The functions of this module, which run in the page. */
export const declaredFunctions = { readDeclaredValue, readDeclaredThings };
