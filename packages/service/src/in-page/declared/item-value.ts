import { absoluteAddress, textOf } from "./shown-value.ts";

const sources: ReadonlySet<string> = new Set(["AUDIO", "EMBED", "IFRAME", "IMG", "SOURCE", "TRACK", "VIDEO"]);
const links: ReadonlySet<string> = new Set(["A", "AREA", "LINK"]);

/**
 * Value of an element that is a property of microdata or RDFa. An attribute `content` comes first wherever it is, as
 * the readers of the search engines take it; the rest is as HTML says.
 *
 * Source: ours.
 */
export function itemValue(element: Element, base: string): string {
  const name = element.nodeName.toUpperCase();
  const content = element.getAttribute("content");
  if (content !== null) return content.trim();
  if (sources.has(name)) return address("src");
  if (links.has(name)) return address("href");
  if (name === "OBJECT") return address("data");
  if (name === "DATA" || name === "METER") return element.getAttribute("value")?.trim() ?? "";
  if (name === "TIME") return element.getAttribute("datetime")?.trim() ?? textOf(element);
  return textOf(element);

  function address(attribute: string): string {
    return absoluteAddress(element.getAttribute(attribute), base) ?? "";
  }
}

/** The last part of a type or a property that is an address: `https://schema.org/Product` is `Product`. Source: ours. */
export function shortName(name: string): string {
  return name.replace(/^(?:https?:\/\/.*[/#]|[a-z]+:)/i, "") || name;
}

/** Words of an attribute. Source: ours. */
export function wordsOf(attribute: string | null): readonly string[] {
  return (attribute ?? "").split(/\s+/).filter(Boolean);
}
