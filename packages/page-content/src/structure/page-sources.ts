import { hasDecimalComma } from "../in-page/declared/decimal-comma.ts";
import type { DeclaredContent } from "../in-page/declared/declared-data.ts";
import { foldName, nameFit } from "./values/names.ts";
import {
  isThing,
  toLeaf,
  toRows,
  toThing,
  thingOfItem,
  thingOfMeta,
  thingOfPage,
  thingOfPairs,
  type Declared,
  type Thing,
} from "./values/things.ts";

/** Several of a kind. */
export interface Collection {
  /** Names of the property on the page. */
  readonly names: readonly string[];
  /** Its members. */
  readonly members: readonly Declared[];
}

/** Everything on a page that a schema can be filled from. */
export interface PageSources {
  /** Items of JSON-LD, microdata and RDFa. */
  readonly items: readonly Thing[];
  /** Groups of labels with values, each with its name. */
  readonly groups: readonly { readonly name: string; readonly thing: Thing }[];
  /** Facts in the head of the document, then in its body. */
  readonly page: readonly Thing[];
  /** Tables, lists and items of one type. */
  readonly collections: readonly Collection[];
  /** Names and addresses of the subject of the page. */
  readonly about: { readonly names: ReadonlySet<string>; readonly addresses: ReadonlySet<string> };
  /** Sources that were read, for messages. */
  readonly looked: readonly string[];
}

/** Converts declared data of a page to one form. */
export function collectSources(declared: DeclaredContent): PageSources {
  const listed = [declared.jsonLd, declared.microdata, declared.rdfa].map((items) => items.map(thingOfItem));
  const items = listed.flat();
  const decimalComma = hasDecimalComma(declared.lang);
  const groups = declared.pairs.map((group) => ({ name: group.name ?? "", thing: thingOfPairs(group, decimalComma) }));
  const { meta, canonical, url, headings } = declared;
  const names = [...(meta["og:title"] ?? []), ...headings.filter(({ level }) => level === 1).map(({ text }) => text)];
  return {
    items,
    groups,
    page: [thingOfMeta(declared), thingOfPage(declared)],
    collections: [...itemLists(items), ...byType(items), ...tablesAndLists(declared, decimalComma)],
    about: {
      names: new Set(names.map(foldName)),
      addresses: new Set(
        [url, canonical, meta["og:url"]?.[0]].filter((address) => address !== undefined).map(withoutFragment),
      ),
    },
    looked: namesOfSources(declared, listed),
  };
}

/** An address without what only leads to a place in the page. */
export function withoutFragment(address: string): string {
  return address.replace(/#.*$/, "").replace(/\/$/, "");
}

/** Returns how well a collection matches a key of a schema. */
export function collectionFit(key: string, { names }: Collection): number {
  return Math.max(0, ...names.map((name) => nameFit(key, name)));
}

function itemLists(items: readonly Thing[]): readonly Collection[] {
  return items.flatMap((item) => {
    const members = item.fields.get("item list element") ?? [];
    if (members.length === 0) return [];
    const types = members.flatMap((member) => (isThing(member) ? member.types : []));
    const isBreadcrumb = item.types.includes("BreadcrumbList");
    const called = (item.fields.get("name") ?? []).flatMap((name) => (isThing(name) ? [] : [String(name.value)]));
    return [
      {
        names: isBreadcrumb ? ["breadcrumb"] : [...called, ...new Set(types), "item", "list", "result", "entry"],
        members,
      },
    ];
  });
}

function byType(items: readonly Thing[]): readonly Collection[] {
  const found = new Map<string, Thing[]>();
  for (const item of items) {
    for (const type of item.types) {
      const known = found.get(type);
      if (known) known.push(item);
      else found.set(type, [item]);
    }
  }
  return [...found].map(([type, members]) => ({ names: [type], members }));
}

function tablesAndLists({ tables, pairs, lists }: DeclaredContent, decimalComma: boolean): readonly Collection[] {
  return [
    ...tables.map((table) => ({
      names: table.name ? [table.name, "row"] : ["row"],
      members: toRows(table, decimalComma),
    })),
    ...lists.map(({ name, items }) => ({
      names: name ? [name] : [],
      members: items.map((item) => toLeaf(item, decimalComma)),
    })),
    ...pairs.map((group) => ({
      names: [...(group.name ? [group.name] : []), "specification", "attribute", "property"],
      members: group.pairs.map(([label, value]) => {
        const named = ["name", "label", "key"].map((name) => [name, [{ value: label }]] as const);
        return toThing([], [...named, ["value", [toLeaf(value, decimalComma)]]]);
      }),
    })),
  ];
}

function namesOfSources(
  { tables, pairs, lists, meta }: DeclaredContent,
  [jsonLd = [], microdata = [], rdfa = []]: readonly (readonly Thing[])[],
): readonly string[] {
  return [
    listTypes("JSON-LD", jsonLd),
    listTypes("microdata", microdata),
    listTypes("RDFa", rdfa),
    counted(Object.keys(meta).length, "meta element"),
    counted(tables.length, "table"),
    `${counted(pairs.length, "group")} of labels with values`,
    counted(lists.length, "list"),
  ];
}

function listTypes(what: string, items: readonly Thing[]): string {
  const types = [...new Set(items.flatMap((item) => item.types))].slice(0, 5).map((type) => type.slice(0, 40));
  return types.length > 0 ? `${what} (${types.join(", ")})` : items.length > 0 ? what : `${what} (none)`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
