import { isElement } from "../flatten/flat-marks.ts";
import { findClassGroups } from "./class-words.ts";

/** An element of a page, in document order, with sums over its descendants. */
export interface OutlineElement {
  /** The element itself. */
  element: Element;
  /** Its local name, lower case. */
  tag: string;
  /** The index of its parent in the outline; -1 for the first. */
  parent: number;
  /** Number of its ancestors in the outline. */
  depth: number;
  /** The groups of class words that it carries itself, a bit each. */
  groups: number;
  /** Its `role`, or nothing. */
  role: string;
  /** Its `itemprop`, or nothing. */
  property: string;
  /** True when the page hides it: `hidden`, `aria-hidden`, or a style that says so. */
  hidden: boolean;
  /** Signature that items of a list share: its tag and first class, as a number. */
  signature: number;
  /** The first block inside of it. */
  firstBlock: number;
  /** The first block after it. */
  endBlock: number;
  /** Words inside of it. */
  words: number;
  /** Words inside of it that are in links. */
  linkWords: number;
  /** Ends of sentences and commas inside of it. */
  marks: number;
}

/** A run of text that no block-level element interrupts. */
export interface OutlineBlock {
  /** The nearest block-level element that holds it, as an index into the elements. */
  parent: number;
  /** Index of the element that directly contains its first text. */
  holder: number;
  /** Its text with single spaces. */
  text: string;
  /** Its words; scripts without spaces count by characters. */
  words: number;
  /** Its words in links. */
  linkWords: number;
  /** Its links. */
  links: number;
  /** Its words in buttons, labels and other controls. */
  controlWords: number;
  /** Its words in bold or italic. */
  strongWords: number;
  /** Ends of sentences and commas. */
  marks: number;
}

/** A text, or an element without text of its own (image, line break, rule), in document order. */
export interface OutlineLeaf {
  /** The node of the page. */
  node: Node;
  /** The outline's element that holds it. */
  parent: number;
  /** The block that it belongs to; -1 for anything but text. */
  block: number;
  /** Its words. */
  words: number;
  /** The first element after it, as an index. */
  before: number;
}

/** A page as flat lists. */
export interface PageOutline {
  /** All elements in document order; the first is the root. */
  elements: OutlineElement[];
  /** All texts in document order. */
  blocks: OutlineBlock[];
  /** All leaves in document order. */
  leaves: OutlineLeaf[];
}

const inlineTags = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp small span " +
    "strike strong sub sup time tt u var wbr svg math picture button"
  ).split(" "),
);
const skippedTags = new Set(
  (
    "script style noscript template link meta title head select option datalist textarea iframe frame object embed applet " +
    "canvas base param source track dialog-polyfill"
  ).split(" "),
);
const leafTags = new Set("img br hr svg picture video audio math input wbr".split(" "));
const strongTags = new Set(["b", "strong", "em", "i"]);
const controlTags = new Set(["button", "label"]);
const wordsOfText = /[\p{L}\p{N}]+/gu;
const wideCharacters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
const marksOfText = /[.,;:!?…。、，！？؟،]/g;
const spaces = /\s+/g;

/** Counts words; of scripts without spaces, two characters are one word. */
export function wordCount(text: string): number {
  const words = text.match(wordsOfText)?.length ?? 0;
  if (words === 0 || text.length < words * 12) return words;
  return words + Math.floor((text.match(wideCharacters)?.length ?? 0) / 2);
}

/** Reads a page into flat lists, in one walk without recursion. */
export function outlineDocument(root: Element, withNoscript = false): PageOutline {
  const elements: OutlineElement[] = [];
  const blocks: OutlineBlock[] = [];
  const leaves: OutlineLeaf[] = [];
  const signatures = new Map<string, number>();
  const lineage: {
    entry: OutlineElement;
    index: number;
    block: number;
    link: boolean;
    control: boolean;
    strong: boolean;
  }[] = [];
  let openBlock: { block: OutlineBlock; texts: string[] } | undefined;
  let lineBreaks = 0;

  const closeBlock = (): void => {
    lineBreaks = 0;
    if (openBlock === undefined) return;
    openBlock.block.text = openBlock.texts.join("").replace(spaces, " ").trim();
    openBlock = undefined;
  };
  const enter = (element: Element, tag: string): void => {
    const above = lineage.at(-1);
    const isBlock = !inlineTags.has(tag);
    if (isBlock) closeBlock();
    const link = above?.link === true || (tag === "a" && element.hasAttribute("href"));
    const classes = element.getAttribute("class") ?? "";
    const kind = `${tag}.${/[\w-]+/.exec(classes)?.[0]?.replace(/\d+/g, "") ?? ""}`;
    let signature = signatures.get(kind);
    if (signature === undefined) signatures.set(kind, (signature = signatures.size));
    const entry: OutlineElement = {
      element,
      tag,
      parent: above?.index ?? -1,
      depth: lineage.length,
      groups: tag === "body" || above === undefined ? 0 : findClassGroups(classes, element.getAttribute("id") ?? ""),
      role: element.getAttribute("role") ?? "",
      property: element.getAttribute("itemprop") ?? "",
      hidden: isHidden(element),
      signature,
      firstBlock: blocks.length,
      endBlock: blocks.length,
      words: 0,
      linkWords: 0,
      marks: 0,
    };
    const index = elements.push(entry) - 1;
    if (openBlock !== undefined && tag === "a") openBlock.block.links += 1;
    lineage.push({
      entry,
      index,
      block: isBlock || above === undefined ? index : above.block,
      link,
      control: above?.control === true || controlTags.has(tag),
      strong: above?.strong === true || strongTags.has(tag),
    });
  };
  const leave = (): void => {
    const left = lineage.pop();
    if (left === undefined) return;
    if (!inlineTags.has(left.entry.tag)) closeBlock();
    left.entry.endBlock = blocks.length;
    const above = lineage.at(-1)?.entry;
    if (above === undefined) return;
    above.words += left.entry.words;
    above.linkWords += left.entry.linkWords;
    above.marks += left.entry.marks;
  };
  const addText = (node: Node): void => {
    const holder = lineage.at(-1);
    if (holder === undefined) return;
    const text = node.nodeValue ?? "";
    const words = wordCount(text);
    const blank = words === 0 && text.trim() === "";
    if (openBlock === undefined) {
      if (blank) return;
      const block: OutlineBlock = {
        parent: holder.block,
        holder: holder.index,
        text: "",
        words: 0,
        linkWords: 0,
        links: holder.link ? 1 : 0,
        controlWords: 0,
        strongWords: 0,
        marks: 0,
      };
      blocks.push(block);
      openBlock = { block, texts: [] };
    }
    leaves.push({ node, parent: holder.index, block: blocks.length - 1, words, before: elements.length });
    openBlock.texts.push(text);
    if (blank) return;
    lineBreaks = 0;
    const marks = text.match(marksOfText)?.length ?? 0;
    openBlock.block.words += words;
    openBlock.block.marks += marks;
    if (holder.link) openBlock.block.linkWords += words;
    if (holder.control) openBlock.block.controlWords += words;
    if (holder.strong) openBlock.block.strongWords += words;
    holder.entry.words += words;
    holder.entry.marks += marks;
    if (holder.link) holder.entry.linkWords += words;
  };
  const addLeaf = (element: Element, tag: string): void => {
    const holder = lineage.at(-1);
    if (holder === undefined) return;
    if (tag === "hr" || tag === "video" || tag === "audio") closeBlock();
    if (tag === "br" && openBlock !== undefined) {
      lineBreaks += 1;
      openBlock.texts.push(" ");
      if (lineBreaks === 2) closeBlock();
    }
    leaves.push({ node: element, parent: holder.index, block: -1, words: 0, before: elements.length });
  };

  enter(root, getLocalName(root));
  let node: Node | null = root.firstChild;
  let parent: Node = root;
  for (;;) {
    while (node === null) {
      if (parent === root) {
        closeBlock();
        leave();
        return { elements, blocks, leaves };
      }
      leave();
      node = parent.nextSibling;
      parent = parent.parentNode ?? root;
    }
    if (node.nodeType === 3) addText(node);
    else if (isElement(node)) {
      const tag = getLocalName(node);
      if (leafTags.has(tag)) addLeaf(node, tag);
      else if (!skippedTags.has(tag) || (withNoscript && tag === "noscript")) {
        enter(node, tag);
        parent = node;
        node = node.firstChild;
        continue;
      }
    }
    node = node.nextSibling;
  }
}

function getLocalName(element: Element): string {
  return (element.localName ?? element.nodeName).toLowerCase();
}

function isHidden(element: Element): boolean {
  if (element.hasAttribute("hidden") || element.getAttribute("aria-hidden") === "true") return true;
  const style = element.getAttribute("style");
  return style !== null && style !== "" && /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}
