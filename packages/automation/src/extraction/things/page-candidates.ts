import type { PageAsk, PageField, PageNoun, PageThing } from "./page-ask.ts";
import type { PageDeclared } from "./page-declared.ts";
import type { FieldValues } from "./page-fields.ts";
import type { PageGroup, PageItem } from "./page-groups.ts";
import type { InPage } from "./page-view.ts";

/** A group that may be the answer, and its things. */
export interface Candidate {
  readonly group: PageGroup;
  readonly things: readonly PageThing[];
  /** Certainty that these are the things, from `rateFit`. */
  readonly fit: number;
  readonly shape: string;
  readonly notes: readonly string[];
}

/** Verdict on a group: the answer in it, why it does not answer the question (`several`, `unfit`), or undefined. */
export type GroupVerdict = Candidate | { readonly several: string } | { readonly unfit: string } | undefined;

/** Reads the answer to a question from groups. */
export interface PageCandidates extends PageDeclared, InPage<typeof candidatesFunctions> {}

/** Reads a property of the items of a group: a column of a table, or the property of each part. Runs in the page. */
function readGroupField(
  page: PageCandidates,
  group: PageGroup,
  field: PageField,
  of: PageNoun | undefined,
): FieldValues | { readonly several: string } | undefined {
  if (group.kind !== "table") return page.readField(group.items, field);
  const column = page.findColumn(group, field);
  if (column || field.kind !== "name" || !of) return column;
  return page.findNameColumn(group, of);
}

/** Finds the column with the names of the items of a table: "Product", "Product name". Runs in the page. */
function findNameColumn(page: PageCandidates, group: PageGroup, noun: PageNoun): ReturnType<typeof readGroupField> {
  return page.findColumn(group, { label: `^(?:${page.writeForms(noun)})(?:[\\s-]name)?$`, kind: "name" });
}

/** Returns the identity of an item when lists are merged: its texts and addresses. Runs in the page. */
function identifyItem(page: PageCandidates, { elements }: PageItem): string {
  const links = elements.flatMap((element) =>
    [...element.querySelectorAll<HTMLAnchorElement>("a[href]")].slice(0, 3).map(({ href }) => href),
  );
  return JSON.stringify([elements.map((element) => page.readText(element)).join(" "), ...links]);
}

/** Returns whether the things of a table are its columns: the corner is blank, and each row begins with a header. Runs in the page. */
function isAcross(_: object, { kind, headers = [], items }: PageGroup): boolean {
  return (
    kind === "table" &&
    headers.length > 1 &&
    headers[0]?.length === 0 &&
    items.every(({ cells = [] }) => cells[0]?.matches("th, [role=rowheader]"))
  );
}

/** Reads the things of a group themselves: rows as objects, parts as their texts. Runs in the page. */
function readGroupThings(page: PageCandidates, group: PageGroup, fit: number): Candidate {
  const button = "button, [role=button], input, form";
  const readWithoutButtons = (element: Element): string => {
    const text = page.readText(element);
    const left = page
      .select(element, button)
      .map((one) => page.readText(one))
      .filter((one) => one !== "");
    return left
      .reduce((rest, one) => rest.replace(one, " "), text)
      .replace(/\s+/g, " ")
      .trim();
  };
  const things = group.items.map((item) => ({
    id: page.identifyItem(item),
    value:
      group.kind === "table" ? page.readRowObject(group, item) : item.elements.map(readWithoutButtons).join(" ").trim(),
  }));
  return { group, things, fit, shape: `things ${group.shape}`, notes: group.notes };
}

/** Reads properties of the things of a group. Runs in the page. */
function readGroupFields(
  page: PageCandidates,
  group: PageGroup,
  { fields, of, as, isBare }: PageAsk,
  fit: number,
): GroupVerdict {
  const columns: FieldValues[] = [];
  // A list of facts of one thing is no list of things, but of terms.
  if (group.shape === "terms" && !fields.every(({ kind }) => kind === "term" || kind === "definition"))
    return undefined;
  for (const field of fields) {
    const values = page.readGroupField(group, field, of);
    if (!values) return undefined;
    if ("several" in values) return { several: `one has several ${field.several}: ${values.several}` };
    columns.push(values);
  }
  // Headings with what follows them are things only where something else of them is found, too.
  if (
    group.kind === "runs" &&
    columns.every(({ way }) => way === "look") &&
    fields.every(({ kind }) => kind === "name" || kind === "text")
  )
    return undefined;
  const isNamedOnly =
    isBare &&
    columns.every(({ way }) => way === "look") &&
    group.kind === "parts" &&
    group.items.some(({ elements }) => elements.some((one) => one.matches("p, span, b, small")));
  if (isNamedOnly && fields[0]?.kind === "name") return undefined;
  const price = fields.findIndex(({ kind }) => kind === "price");
  const notes = [...group.notes];
  for (const [at, { values }] of columns.entries()) {
    const missing = values.filter((value) => value === undefined).length;
    const field = fields[at];
    if (missing > 0 && field)
      notes.push(`${missing} of ${values.length} ${missing === 1 ? "has" : "have"} no ${field.one}.`);
  }
  const things = group.items.flatMap((item, index): PageThing[] => {
    const values = columns.map(({ values: all }) => all[index]);
    const first = values[0];
    if (as !== "records" && first === undefined) return [];
    const link = fields[0]?.kind === "link" || fields[0]?.kind === "image" ? first?.element : undefined;
    const single = link ? { text: page.readTextOrName(link), url: first?.text } : first?.text;
    const record = Object.fromEntries(fields.map(({ key }, at) => [key, values[at]?.text ?? null]));
    const amount = price < 0 ? undefined : (values[price]?.text ?? "");
    return [
      {
        id: page.identifyItem(item),
        value: as === "records" ? record : single,
        ...(amount === undefined ? {} : { price: amount }),
      },
    ];
  });
  const way = columns.map(({ way: one }) => one).join(", ");
  return { group, things, fit, shape: `${way} of ${group.shape}`, notes };
}

/** Returns whether the items of a group are sections, which contain lists of other things. Runs in the page. */
function isSectioned(page: PageCandidates, { items }: PageGroup, groups: readonly PageGroup[]): boolean {
  const measureText = (elements: readonly Element[]): number =>
    elements.reduce((sum, one) => sum + page.readText(one).length, 0);
  const sections = items.filter(({ elements }) => {
    const inner = groups.filter(
      ({ items: others }) =>
        others.length > 1 &&
        others.every((other) =>
          other.elements.every((one) => elements.some((element) => element !== one && element.contains(one))),
        ),
    );
    const most = Math.max(
      0,
      ...inner.map(({ items: others }) => measureText(others.flatMap(({ elements: one }) => one))),
    );
    return most > 0.6 * measureText(elements);
  });
  return sections.length * 2 > items.length;
}

/** Judges whether a group answers a question. Runs in the page. */
function judgeGroup(page: PageCandidates, group: PageGroup, ask: PageAsk, groups: readonly PageGroup[]): GroupVerdict {
  const { fields, of, isBare, isGeneral } = ask;
  const [field] = fields;
  const noun = of ?? field;
  if (!noun || (fields.length === 0 && page.isAcross(group))) return undefined;
  const fit = page.rateFit(group, noun, ask);
  if (isBare && field) {
    const result = page.readGroupFields(group, ask, fit);
    if (group.kind === "table" && result) return result;
    const isThing = fit === 3 && !page.isAcross(group) && !page.isSectioned(group, groups);
    if (result && (field.kind !== undefined || !isThing)) return result;
    return isThing ? page.readGroupThings(group, fit) : undefined;
  }
  if (fields.length === 0) {
    const column = group.kind === "table" && of ? page.findNameColumn(group, of) : undefined;
    if (column && !("several" in column)) {
      const things = group.items.flatMap((item, at) => {
        const value = column.values[at];
        return value ? [{ id: page.identifyItem(item), value: value.text }] : [];
      });
      return { group, things, fit: 3, shape: `${column.way} of ${group.shape}`, notes: group.notes };
    }
    const isRow = /^(?:row|record|line)$/.test(of?.one ?? "");
    if (isGeneral && (isRow ? group.kind !== "table" : group.kind === "runs")) return undefined;
    const isOne = fit === 3 || (isGeneral && fit >= 0) || (group.kind === "table" && fit >= 1);
    return isOne &&
      (fit === 3 && page.isMarked(group.items[0]?.elements[0] ?? group.around, noun)
        ? true
        : !page.isSectioned(group, groups))
      ? page.readGroupThings(group, isRow ? 1 : fit)
      : undefined;
  }
  const verdict = page.readGroupFields(group, ask, fit);
  if (!verdict || "several" in verdict || !of) return verdict;
  const isField = fields.some(({ one }) => one === of.one) || group.shape === "terms";
  return fit >= 1 || ((isGeneral || isField) && fit >= 0) ? verdict : { unfit: page.readGroupName(group) };
}

/** The functions of this module, which run in the page. */
export const candidatesFunctions = {
  readGroupField,
  findNameColumn,
  identifyItem,
  isAcross,
  readGroupThings,
  readGroupFields,
  isSectioned,
  judgeGroup,
};
