import type { ShownValue } from "./declared-data.ts";

/** Elements whose text nobody reads. */
const silent: ReadonlySet<string> = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "SVG", "HEAD"]);
/** Elements that don't part words. */
const inline: ReadonlySet<string> = new Set(
  "A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD MARK OUTPUT Q S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);

/** Longest text of one value, in characters. */
const longestValue = 4_000;
/** Most nodes that are looked at for one text. */
const mostNodes = 20_000;

/**
 * Text of an element with white space collapsed; no layout is needed for it, and no recursion.
 *
 * @param skip - Tag names in upper case whose elements are left out, next to scripts and styles.
 *
 * Source: ours.
 */
export function textOf(root: Node, skip: ReadonlySet<string> = new Set(), longest = longestValue): string {
  let text = "";
  let at: Node | null = root.firstChild;
  for (let nodes = 0; at && nodes < mostNodes && text.length < longest * 2; nodes += 1) {
    const name = at.nodeName.toUpperCase();
    if (at.nodeType === 3) text += at.nodeValue ?? "";
    else if (at.nodeType === 1 && !inline.has(name)) text += " ";
    const inside = at.nodeType === 1 && !silent.has(name) && !skip.has(name) ? at.firstChild : null;
    if (inside) {
      at = inside;
      continue;
    }
    while (at && at !== root && !at.nextSibling) {
      at = at.parentNode;
      if (at && at !== root && !inline.has(at.nodeName.toUpperCase())) text += " ";
    }
    at = at === root || !at ? null : at.nextSibling;
  }
  return text.replace(/\s+/g, " ").trim().slice(0, longest);
}

/** An absolute http(s) address, or undefined. Source: ours. */
export function absoluteAddress(address: string | null | undefined, base: string): string | undefined {
  if (!address || address.length > 8_192) return undefined;
  try {
    const { href, protocol } = new URL(address.trim(), base);
    return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** What an element shows: its text, and the link, image or time that is the only one in it. Source: ours. */
export function shownValue(element: Element, base: string, skip?: ReadonlySet<string>): ShownValue {
  const link = only(element, "a[href]");
  const image = only(element, "img[src]");
  const machine = only(element, "time[datetime], data[value]");
  const href = absoluteAddress(link?.getAttribute("href"), base);
  const src = absoluteAddress(image?.getAttribute("src"), base);
  const value = machine?.getAttribute("datetime") ?? machine?.getAttribute("value");
  return {
    text: textOf(element, skip) || (image?.getAttribute("alt") ?? "").trim().slice(0, longestValue),
    ...(href === undefined ? {} : { href }),
    ...(src === undefined ? {} : { src }),
    ...(value ? { machine: value.trim().slice(0, longestValue) } : {}),
  };
}

function only(element: Element, selector: string): Element | undefined {
  const found = element.querySelectorAll(selector);
  return found.length === 1 ? found[0] : undefined;
}
