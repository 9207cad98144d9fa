import { isHidden } from "../flatten/flat-marks.ts";
import type { ShownValue } from "./declared-data.ts";
import { isNoteReference } from "./note-reference.ts";
import { isShown, listLines, maxValueLength, readShownText } from "./shown-text.ts";

const maxParts = 200;
/** Number of elements of a kind above which the only visible one is not searched for. */
const maxAlike = 20;
const blocks =
  "address, article, aside, blockquote, dd, details, div, dl, fieldset, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul";

/** Resolves a URL; undefined unless it is http(s), mailto or tel. */
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
 * @param skip - Tag names in upper case to skip; parts are not read then.
 */
export function shownValue(element: Element, base: string, skip?: ReadonlySet<string>): ShownValue {
  if (!element.firstElementChild) return { text: readShownText(element) };
  const image = findOnlyShown(element, "img[src]");
  const src = absoluteAddress(image?.getAttribute("src"), base);
  const parts = skip === undefined ? findParts(element, base) : undefined;
  return {
    text: readShownText(element, { skip }) || (image?.getAttribute("alt") ?? "").trim().slice(0, maxValueLength),
    ...linkAndTime(element, base),
    ...(src === undefined ? {} : { src }),
    ...(parts === undefined ? {} : { parts }),
  };
}

/** The only link of an element, and the machine form of its only time. */
export function linkAndTime(element: Element, base: string): Pick<ShownValue, "href" | "machine"> {
  const machine = findOnlyShown(element, "time[datetime], data[value]");
  const href = absoluteAddress(findOnlyShown(element, "a[href]")?.getAttribute("href"), base);
  const value = machine?.getAttribute("datetime") ?? machine?.getAttribute("value");
  return {
    ...(href === undefined ? {} : { href }),
    ...(value ? { machine: value.trim().slice(0, maxValueLength) } : {}),
  };
}

/** Returns the only visible match in an element that is not a footnote reference. */
function findOnlyShown(element: Element, selector: string): Element | undefined {
  const found = element.querySelectorAll(selector);
  if (found.length === 0 || found.length > maxAlike) return undefined;
  const shown = [...found].filter((each) => isShown(each) && isReadable(each, element));
  return shown.length === 1 ? shown[0] : undefined;
}

function isReadable(element: Element, root: Element): boolean {
  for (let at: Element | null = element; at && at !== root; at = at.parentElement)
    if (isHidden(at) || isNoteReference(at)) return false;
  return true;
}

/** Returns the items of a list that is the whole content of an element, or its lines if only line breaks separate them. */
function findParts(element: Element, base: string): readonly ShownValue[] | undefined {
  if (!element.querySelector("br, ul, ol")) return undefined;
  const content = getContent(element);
  const parts = isList(content)
    ? content.querySelector("ul, ol, dl, table")
      ? []
      : findVisibleItems(content).map((item) => shownValue(item, base))
    : content.querySelector(blocks)
      ? []
      : listLines(content).map((text) => ({ text }));
  const shown = parts.filter(({ text }) => text !== "").slice(0, maxParts);
  return shown.length > 1 ? shown : undefined;
}

/** Returns the innermost element with all visible content of an element. */
function getContent(element: Element): Element {
  let at = element;
  while (!isList(at)) {
    const hasText = [...at.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && /\S/.test(nodeValue ?? ""));
    const [only, ...others] = [...at.children].filter((child) => !isHidden(child));
    if (hasText || !only || others.length > 0) return at;
    at = only;
  }
  return at;
}

function isList(element: Element): boolean {
  return /^[uo]l$/i.test(element.nodeName);
}

/** Returns the visible items of a list. */
export function findVisibleItems(list: Element): readonly Element[] {
  return [...list.children].filter((item) => /^li$/i.test(item.nodeName) && !isHidden(item)).slice(0, maxParts);
}
