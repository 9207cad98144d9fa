import { findCommaLanguage } from "./decimal-comma.ts";
import type { Json, JsonRecord } from "./declared-data.ts";
import { itemValue, shortName, splitTokens } from "./item-value.ts";

const maxElements = 5_000;
const maxDepth = 16;

/** Reads the top-level RDFa Lite items (`typeof`, `property`) of a document. */
export function readRdfa(document: Document): JsonRecord[] {
  const language = findCommaLanguage(document);
  const owned = new Map<Element, Element[]>();
  for (const element of [...document.querySelectorAll("[property]")].slice(0, maxElements)) {
    const owner = element.parentElement?.closest("[typeof]");
    if (!owner) continue;
    const siblings = owned.get(owner);
    if (siblings) siblings.push(element);
    else owned.set(owner, [element]);
  }
  const tops = [...document.querySelectorAll("[typeof]")].slice(0, maxElements);
  return tops
    .filter((item) => !item.hasAttribute("property") || !item.parentElement?.closest("[typeof]"))
    .map((item) => read(item, 0));

  function read(item: Element, depth: number): JsonRecord {
    const types = splitTokens(item.getAttribute("typeof")).map(shortName);
    const properties = new Map<string, Json[]>();
    for (const element of owned.get(item) ?? []) {
      const isItem = element.hasAttribute("typeof");
      if (isItem && depth >= maxDepth) continue;
      const value = isItem ? read(element, depth + 1) : itemValue(element, document.baseURI, language);
      if (value === "") continue;
      for (const name of splitTokens(element.getAttribute("property")).map(shortName)) {
        properties.set(name, [...(properties.get(name) ?? []), value]);
      }
    }
    return {
      "@type": types.length === 1 ? (types[0] ?? "") : types,
      ...Object.fromEntries(
        [...properties].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values]),
      ),
    };
  }
}
