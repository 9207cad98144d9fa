import { isUnseen } from "../flatten/flat-marks.ts";
import type { ShownValue } from "./declared-data.ts";
import { isNoteReference } from "./note-reference.ts";
import { isShown, linesOf, longestValue, textOf } from "./shown-text.ts";

const mostParts = 200;
/** More of a kind than these are not looked through for the only one that is shown. */
const mostAlike = 20;
const blocks =
  "address, article, aside, blockquote, dd, details, div, dl, fieldset, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul";

/** An absolute http(s) address, or undefined. */
export function absoluteAddress(address: string | null | undefined, base: string): string | undefined {
  if (!address || address.length > 8_192) return undefined;
  try {
    const { href, protocol } = new URL(address.trim(), base);
    return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads what an element shows: its text, and the link, image or time that is the only one in it.
 *
 * @param skip - Tag names in upper case whose elements are left out; then its parts are not told.
 */
export function shownValue(element: Element, base: string, skip?: ReadonlySet<string>): ShownValue {
  if (!element.firstElementChild) return { text: textOf(element) };
  const image = onlyShown(element, "img[src]");
  const src = absoluteAddress(image?.getAttribute("src"), base);
  const parts = skip === undefined ? partsOf(element, base) : undefined;
  return {
    text: textOf(element, { skip }) || (image?.getAttribute("alt") ?? "").trim().slice(0, longestValue),
    ...linkAndTime(element, base),
    ...(src === undefined ? {} : { src }),
    ...(parts === undefined ? {} : { parts }),
  };
}

/** The only link of an element, and the machine form of its only time. */
export function linkAndTime(element: Element, base: string): Pick<ShownValue, "href" | "machine"> {
  const machine = onlyShown(element, "time[datetime], data[value]");
  const href = absoluteAddress(onlyShown(element, "a[href]")?.getAttribute("href"), base);
  const value = machine?.getAttribute("datetime") ?? machine?.getAttribute("value");
  return {
    ...(href === undefined ? {} : { href }),
    ...(value ? { machine: value.trim().slice(0, longestValue) } : {}),
  };
}

/** The only one of its kind that is shown in an element and is no reference to a note. */
function onlyShown(element: Element, selector: string): Element | undefined {
  const found = element.querySelectorAll(selector);
  if (found.length === 0 || found.length > mostAlike) return undefined;
  const shown = [...found].filter((each) => isShown(each) && isReadable(each, element));
  return shown.length === 1 ? shown[0] : undefined;
}

function isReadable(element: Element, root: Element): boolean {
  for (let at: Element | null = element; at && at !== root; at = at.parentElement)
    if (isUnseen(at) || isNoteReference(at)) return false;
  return true;
}

/** Returns the items of a list that is all of an element, or the lines of it where nothing but line breaks parts them. */
function partsOf(element: Element, base: string): readonly ShownValue[] | undefined {
  if (!element.querySelector("br, ul, ol")) return undefined;
  const content = contentOf(element);
  const parts = isList(content)
    ? content.querySelector("ul, ol, dl, table")
      ? []
      : itemsOf(content).map((item) => shownValue(item, base))
    : content.querySelector(blocks)
      ? []
      : linesOf(content).map((text) => ({ text }));
  const shown = parts.filter(({ text }) => text !== "").slice(0, mostParts);
  return shown.length > 1 ? shown : undefined;
}

/** The element that holds all that an element shows: itself, or what is alone in it. */
function contentOf(element: Element): Element {
  let at = element;
  while (!isList(at)) {
    const hasText = [...at.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && /\S/.test(nodeValue ?? ""));
    const [only, ...others] = [...at.children].filter((child) => !isUnseen(child));
    if (hasText || !only || others.length > 0) return at;
    at = only;
  }
  return at;
}

function isList(element: Element): boolean {
  return /^[uo]l$/i.test(element.nodeName);
}

/** The items of a list that are shown. */
export function itemsOf(list: Element): readonly Element[] {
  return [...list.children].filter((item) => /^li$/i.test(item.nodeName) && !isUnseen(item)).slice(0, mostParts);
}
