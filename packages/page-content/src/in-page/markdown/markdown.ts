import { flatMarks } from "../flatten/flat-marks.ts";
import type { FlatElement, FlatNode } from "../flatten/flat-tree.ts";
import { Addresses } from "./addresses.ts";
import { writeBlock } from "./blocks.ts";
import { BlockOutput } from "./block-output.ts";
import { Footnotes } from "./footnotes.ts";
import { writeBreak, writeInline } from "./inlines.ts";
import { plainLine } from "./inline-text.ts";
import { collapseSpace, InlineRun } from "./inline-run.ts";
import type { MarkdownResult, MarkdownSettings } from "./markdown-settings.ts";
import type { Walk } from "./walk.ts";

/** Deepest element whose structure is written; of deeper ones only the text. */
const maxDepth = 256;
const cutNote = "*The page goes on: what was beyond the limit of this scrape is left out.*";

/**
 * Converts an element of a flat tree to Markdown (GitHub Flavored). Expects absolute URLs and marked hidden elements.
 * Takes linear time, whatever the shape of the tree.
 */
export function writeMarkdown(root: FlatElement, settings: MarkdownSettings, alreadyCut = false): MarkdownResult {
  const pass = new Pass(root, settings);
  const markdown = pass.write(root);
  const cut = alreadyCut || pass.out.full;
  return {
    markdown: cut ? `${markdown}${markdown === "" ? "" : "\n\n"}${cutNote}` : markdown,
    legend: pass.addresses.definitions.join("\n"),
    placeholders: pass.addresses.placeholders,
    cut,
  };
}

class Pass implements Walk {
  readonly settings: MarkdownSettings;
  readonly out: BlockOutput;
  readonly addresses: Addresses;
  readonly footnotes: Footnotes;
  run = new InlineRun("line");
  #depth = 0;

  constructor(root: FlatElement, settings: MarkdownSettings) {
    this.settings = settings;
    this.out = new BlockOutput(settings.maxCharacters);
    this.addresses = new Addresses(settings);
    this.footnotes = new Footnotes(root);
  }

  write(root: FlatElement): string {
    this.element(root);
    this.#flush();
    return this.out.toString();
  }

  children(element: FlatElement): void {
    if (this.#depth >= maxDepth) return this.#deepText(element);
    this.#depth += 1;
    for (let child = element.firstChild; child !== null && !this.out.full; child = child.nextSibling) {
      if (child.nodeType === 1) this.element(child);
      else if (child.nodeType === 3 && !isInvisible(element)) this.#text(child.nodeValue, element);
    }
    this.#depth -= 1;
  }

  element(element: FlatElement): void {
    const hidden = element.getAttribute(flatMarks.hidden);
    if (hidden === "display" || (hidden === "collapsed" && !this.settings.collapsed)) return;
    if (!writeInline(element, this)) writeBlock(element, this);
  }

  block(write: () => void): void {
    this.#flush();
    write();
    this.#flush();
  }

  line(element: FlatElement, breaks: "space" | "tag", link?: InlineRun["link"]): string {
    const only = element.firstChild;
    if (only === null) return "";
    // Most cells of a table: one text.
    if (link === undefined && only.nodeType === 3 && only.nextSibling === null && element.attributes.length === 0)
      return plainLine(collapseSpace(only.nodeValue).trim(), breaks);
    const outer = this.run;
    this.run = new InlineRun(breaks);
    if (link !== undefined) this.run.open(link);
    this.children(element);
    if (link !== undefined) this.run.close();
    const [line = ""] = this.run.take();
    this.run = outer;
    return line;
  }

  #flush(): void {
    if (this.run.breaks === "line") this.out.write(this.run.take());
    else this.run.lineBreak();
  }

  #text(data: string, parent: FlatElement): void {
    const keepsLines = data.includes("\n") && parent.hasAttribute(flatMarks.space);
    if (!keepsLines) return this.run.text(data);
    for (const [index, line] of data.split("\n").entries()) {
      if (index > 0) writeBreak(this);
      this.run.text(line);
    }
  }

  /** The text of all that is in a node, without recursion. */
  #deepText(root: FlatElement): void {
    let node: FlatNode | null = root.firstChild;
    while (node !== null && !this.out.full) {
      if (node.nodeType === 3) this.run.text(node.nodeValue);
      else if (node.nodeType === 1) this.run.space();
      let next: FlatNode | null = node.nodeType !== 1 || isSkipped(node) ? null : node.firstChild;
      while (next === null && node !== null) {
        next = node.nextSibling;
        if (next === null) {
          node = node.parent;
          if (node === null || node === root) return;
        }
      }
      node = next;
    }
  }
}

/** Returns whether a reader can't see the text of an element itself. */
function isInvisible(element: FlatElement): boolean {
  return element.getAttribute(flatMarks.hidden) === "visibility";
}

function isSkipped(element: FlatElement): boolean {
  return (
    ["script", "style", "template", "noscript"].includes(element.localName) ||
    element.getAttribute(flatMarks.hidden) === "display"
  );
}
