import { findCommaLanguage } from "./decimal-comma.ts";
import type { Json, JsonRecord } from "./declared-data.ts";
import { itemValue, shortName, splitTokens } from "./item-value.ts";

const maxItems = 1_000;
const maxElements = 50_000;
const maxDepth = 16;

/** Reads the top-level microdata items of a document. */
export function readMicrodata(document: Document): JsonRecord[] {
  const base = document.baseURI;
  const language = findCommaLanguage(document);
  let items = 0;
  let elements = 0;
  return [...document.querySelectorAll("[itemscope]:not([itemprop])")]
    .slice(0, maxItems)
    .map((scope) => read(scope, []));

  function read(scope: Element, within: readonly Element[]): JsonRecord {
    items += 1;
    const types = splitTokens(scope.getAttribute("itemtype")).map(shortName);
    const id = scope.getAttribute("itemid");
    const properties = new Map<string, Json[]>();
    for (const element of listProperties(scope)) {
      const isItem = element.hasAttribute("itemscope");
      if (isItem && (within.includes(element) || element === scope || within.length >= maxDepth || items >= maxItems))
        continue;
      const value = isItem ? read(element, [...within, scope]) : itemValue(element, base, language);
      if (value === "") continue;
      for (const name of splitTokens(element.getAttribute("itemprop")).map(shortName)) {
        const values = properties.get(name);
        if (values) values.push(value);
        else properties.set(name, [value]);
      }
    }
    return {
      ...(types.length > 0 ? { "@type": types.length === 1 ? (types[0] ?? "") : types } : {}),
      ...(id ? { "@id": id } : {}),
      ...Object.fromEntries(
        [...properties].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values]),
      ),
    };
  }

  /** Returns the elements with a property of this item: descendants outside of other items, and those in `itemref`. */
  function listProperties(scope: Element): readonly Element[] {
    const found: Element[] = [];
    const visited = new Set<Element>([scope]);
    const referred = splitTokens(scope.getAttribute("itemref")).map((id) => document.getElementById(id));
    const waiting: Element[] = [...scope.children, ...referred.filter((element) => element !== null)].toReversed();
    while (elements < maxElements) {
      const element = waiting.pop();
      if (!element) break;
      elements += 1;
      if (visited.has(element)) continue;
      visited.add(element);
      if (element.hasAttribute("itemprop")) found.push(element);
      if (element.hasAttribute("itemscope")) continue;
      for (let child = element.lastElementChild; child; child = child.previousElementSibling) waiting.push(child);
    }
    return found;
  }
}
