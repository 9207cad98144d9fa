import type { Json } from "./declared-data.ts";
import { isShown, readShownText } from "./shown-text.ts";
import { absoluteAddress } from "./shown-value.ts";

const sources: ReadonlySet<string> = new Set(["AUDIO", "EMBED", "IFRAME", "IMG", "SOURCE", "TRACK", "VIDEO"]);
const links: ReadonlySet<string> = new Set(["A", "AREA", "LINK"]);
/** A number whose value depends on the language that it is written in. */
const ofLanguage = /^\D{0,40}\d+[.,]\d{3,}\D{0,40}$/;

/**
 * Value of an element that is a property of microdata or RDFa. An attribute `content` comes first wherever it is, as
 * the readers of the search engines take it; the rest is as HTML says. An element that is hidden as a whole has its text
 * all the same: pages hide what only machines are to read.
 *
 * @param language - Language of the document where its decimals have a comma: a shown number says that it is written in it.
 */
export function itemValue(element: Element, base: string, language?: string): Json {
  const name = element.nodeName.toUpperCase();
  const content = element.getAttribute("content");
  if (content !== null) return content.trim();
  if (sources.has(name)) return address("src");
  if (links.has(name)) return address("href");
  if (name === "OBJECT") return address("data");
  if (name === "DATA" || name === "METER") return element.getAttribute("value")?.trim() ?? "";
  if (name === "TIME") return element.getAttribute("datetime")?.trim() ?? readShown();
  const text = readShown();
  return language && ofLanguage.test(text) ? { "@value": text, "@language": language } : text;

  function readShown(): string {
    return readShownText(element, { invisible: !isShown(element) });
  }

  function address(attribute: string): string {
    return absoluteAddress(element.getAttribute(attribute), base) ?? "";
  }
}

/** The last part of a type or a property that is an address: `https://schema.org/Product` is `Product`. */
export function shortName(name: string): string {
  return name.replace(/^(?:https?:\/\/.*[/#]|[a-z]+:)/i, "") || name;
}

/** Words of an attribute. */
export function splitTokens(attribute: string | null): readonly string[] {
  return (attribute ?? "").split(/\s+/).filter(Boolean);
}
