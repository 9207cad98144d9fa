import type { OutlineElement, PageOutline } from "./page-outline.ts";
import { classGroupBit } from "./class-words.ts";

/** Parts of a page that hold no headline of its content, and no paragraph of it. */
const apartTags = new Set("nav aside footer dialog form menu".split(" "));
const apartRoles = new Set("navigation complementary contentinfo dialog search menu banner".split(" "));
/** Groups of class words of such parts. */
const apartGroups = classGroupBit(
  "nav",
  "footer",
  "sidebar",
  "comment",
  "related",
  "share",
  "ad",
  "cookie",
  "newsletter",
);
/** Groups of class words of elements that only look like paragraphs: a list of tags, pagination, a row of buttons. */
const noParagraph = apartGroups | classGroupBit("tag", "pagination", "action", "card");
/** Number of consecutive paragraphs of one link each that count as a list of links. */
const listOfLinks = 3;
/** Longest headline, in words. */
const maxHeadlineWords = 60;

/**
 * Adds blocks to the choice that were left out only for their position: the headline, and paragraphs within the main content that consist
 * of one link. Changes the choice.
 *
 * @param title - The title of the document, for pages whose headline is no heading of level one.
 */
export function completeBlocks(outline: PageOutline, chosen: Uint8Array, title: string): Uint8Array {
  const first = chosen.indexOf(1);
  if (first < 0) return chosen;
  const headline = findHeadline(outline, chosen, first, title);
  if (headline) chosen.fill(1, headline.firstBlock, headline.endBlock);
  addLinkedParagraphs(outline, chosen);
  return chosen;
}

/** Returns the headline of the chosen blocks, if it is not among them. */
function findHeadline(
  { elements, blocks }: PageOutline,
  chosen: Uint8Array,
  first: number,
  title: string,
): OutlineElement | undefined {
  const isPossible = (entry: OutlineElement): boolean =>
    entry.words > 0 &&
    entry.words <= maxHeadlineWords &&
    !isApart(elements, entry, 0) &&
    !isNameOfSite(elements, entry);
  const isChosen = (entry: OutlineElement): boolean => chosen[entry.firstBlock] === 1;
  const named = elements.filter((entry) => isHeadline(entry) && isPossible(entry));
  const hasTitle = (entry: OutlineElement): boolean => {
    const text = blocks[entry.firstBlock]?.text ?? "";
    return /^h[2-6]$/.test(entry.tag) && text.length > 3 && listParts(title).includes(text);
  };
  const headlines = named.length > 0 ? named : elements.filter((entry) => hasTitle(entry) && isPossible(entry));
  if (headlines.some(isChosen)) return undefined;
  return headlines.findLast((entry) => entry.firstBlock <= first) ?? headlines[0];
}

function isHeadline({ tag, role, property, element }: OutlineElement): boolean {
  if (tag === "h1") return role === "" || role === "heading";
  return property === "headline" || (role === "heading" && element.getAttribute("aria-level") === "1");
}

/** Lists the whole title, and the title without the name of the site. */
function listParts(title: string): readonly string[] {
  const text = title.replace(/\s+/g, " ").trim();
  return [text, ...text.split(/ [-–—|·:•»] /)];
}

/** Returns whether an element is in a part of the page without content, such as the header of a site with its navigation. */
function isApart(elements: readonly OutlineElement[], entry: OutlineElement, groups: number): boolean {
  for (let at: OutlineElement | undefined = entry; at !== undefined && at.tag !== "body"; at = elements[at.parent]) {
    if (at.hidden || apartTags.has(at.tag) || apartRoles.has(at.role)) return true;
    if (at.tag !== "main" && at.tag !== "article" && (at.groups & groups) !== 0) return true;
  }
  return false;
}

/** Returns whether a heading is the name of the site: it leads to the start page, or stands in a header with the navigation. */
function isNameOfSite(elements: readonly OutlineElement[], entry: OutlineElement): boolean {
  if (entry.linkWords === entry.words) {
    const link = entry.element.closest("a[href]") ?? entry.element.querySelector("a[href]");
    if (/^(?:https?:\/\/[^/]+)?\/?(?:index\.\w+)?(?:[?#].*)?$/i.test(link?.getAttribute("href") ?? "/")) return true;
  }
  for (let at: OutlineElement | undefined = entry; at !== undefined && at.tag !== "body"; at = elements[at.parent]) {
    if (at.tag === "main" || at.tag === "article") return false;
    if (at.tag === "header") return at.element.querySelector("nav, [role=navigation], [role=search], ul a") !== null;
  }
  return false;
}

/** Adds paragraphs that are one link and have chosen paragraphs without one around them, or before them at the end. */
function addLinkedParagraphs({ elements, blocks }: PageOutline, chosen: Uint8Array): void {
  const isLink = (at: number): boolean => {
    const block = blocks[at];
    return block !== undefined && block.words > 0 && block.links <= 1 && block.linkWords === block.words;
  };
  const paragraphs = elements.filter(({ tag, words }) => tag === "p" && words > 0);
  const findPosition = (paragraph: OutlineElement): number => {
    let at = paragraph;
    // A wrapper that holds nothing else is no place of its own.
    for (;;) {
      const holder = elements[at.parent];
      if (holder === undefined || holder.tag !== "div" || holder.endBlock - holder.firstBlock !== 1) return at.parent;
      at = holder;
    }
  };
  const beside = new Map<number, OutlineElement[]>();
  for (const paragraph of paragraphs) {
    const place = findPosition(paragraph);
    const known = beside.get(place);
    if (known) known.push(paragraph);
    else beside.set(place, [paragraph]);
  }
  for (const row of beside.values()) {
    const isText = (entry: OutlineElement | undefined): boolean =>
      entry !== undefined && chosen[entry.firstBlock] === 1 && !isLink(entry.firstBlock);
    if (row.filter(isText).length < 2) continue;
    for (let start = 0; start < row.length; start += 1) {
      let end = start;
      while (isLink(row[end]?.firstBlock ?? -1)) end += 1;
      const run = row.slice(start, end);
      const isAmid = isText(row[start - 1]) && (isText(row[end]) || (end === row.length && run.length === 1));
      if (run.length > 0 && run.length < listOfLinks && isAmid)
        for (const one of run) if (!isApart(elements, one, noParagraph)) chosen.fill(1, one.firstBlock, one.endBlock);
      start = Math.max(start, end);
    }
  }
}
