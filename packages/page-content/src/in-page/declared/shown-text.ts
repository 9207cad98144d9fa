import { flatMarks, isElement, isHidden } from "../flatten/flat-marks.ts";
import { isNoteReference } from "./note-reference.ts";

/** Elements whose text is not shown. */
const skippedTags: ReadonlySet<string> = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "SVG", "HEAD"]);
/** Elements that do not separate words. */
const inline: ReadonlySet<string> = new Set(
  "A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD MARK OUTPUT Q S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);
/** Signs for superscript and subscript. */
const scriptSigns: Readonly<Record<string, string>> = { SUP: "^", SUB: "_" };

/** Longest text of one value, in characters. */
export const maxValueLength = 4_000;
/** Maximum number of nodes that are read for one text. */
const maxNodes = 20_000;
/** Marker of a line end, which does not occur in parsed text. */
const lineEnd = "\0";

/** Options of `textOf` and `listLines`. */
export interface TextReading {
  /** Tag names in upper case to skip, in addition to scripts and styles. */
  readonly skip?: ReadonlySet<string> | undefined;
  /** Maximum number of characters. */
  readonly longest?: number;
  /** True to read invisible text, too; not that of elements without display. */
  readonly invisible?: boolean;
}

/**
 * Returns the visible text of an element, with white space collapsed; without layout and recursion. Footnote references
 * are skipped, and superscript or subscript does not merge with adjacent numbers. Does not check whether the
 * element itself is shown.
 */
export function readShownText(root: Node, reading: TextReading = {}): string {
  return collapseText(rawText(root, reading, " "), reading);
}

/** Returns the lines of an element, split at line breaks; empty ones are dropped. */
export function listLines(root: Node, reading: TextReading = {}): readonly string[] {
  const lines = rawText(root, reading, lineEnd).split(lineEnd);
  return lines.map((line) => collapseText(line, reading)).filter(Boolean);
}

/** Returns whether an element and its text are marked as shown. */
export function isShown(element: Element): boolean {
  return !isHidden(element) && element.getAttribute(flatMarks.hidden) !== "visibility";
}

function collapseText(text: string, { longest = maxValueLength }: TextReading): string {
  return text.replace(/\s+/g, " ").trim().slice(0, longest);
}

function rawText(
  root: Node,
  { skip, longest = maxValueLength, invisible = false }: TextReading,
  atBreak: string,
): string {
  let text = "";
  let edge: Edge | undefined;
  let at: Node | null = root.firstChild;
  for (let nodes = 0; at && nodes < maxNodes && text.length < longest * 2; nodes += 1) {
    let inside: Node | null = null;
    if (at.nodeType === 3 && (invisible || !isInvisible(at.parentElement))) addText(at.nodeValue ?? "");
    else if (isElement(at) && !isHidden(at)) inside = enter(at, at.nodeName.toUpperCase());
    if (inside) {
      at = inside;
      continue;
    }
    while (at && at !== root && !at.nextSibling) {
      at = at.parentNode;
      if (at && at !== root) leave(at.nodeName.toUpperCase());
    }
    at = at === root || !at ? null : at.nextSibling;
  }
  return text;

  function addText(next: string): void {
    if (edge && next.trim() !== "") {
      if (isOneNumber(text, next) || (edge.isBeginning && isPower(text, next, edge))) text += edge.sign;
      edge = undefined;
    }
    text += next;
  }

  function enter(element: Element, name: string): Node | null {
    if ((name === "A" || name === "SUP") && isNoteReference(element)) return null;
    if (!inline.has(name)) text += name === "BR" ? atBreak : " ";
    if (skippedTags.has(name) || skip?.has(name)) return null;
    const sign = scriptSigns[name];
    if (sign) edge = { sign, isBeginning: true };
    return element.firstChild;
  }

  function leave(name: string): void {
    if (!inline.has(name)) text += " ";
    const sign = scriptSigns[name];
    if (sign) edge = { sign, isBeginning: false };
  }
}

/** Beginning or end of superscript or subscript. */
interface Edge {
  readonly sign: string;
  readonly isBeginning: boolean;
}

function isInvisible(element: Element | null): boolean {
  return element?.getAttribute(flatMarks.hidden) === "visibility";
}

function isOneNumber(before: string, after: string): boolean {
  return /\p{N}/u.test(before.slice(-1)) && /^\p{N}/u.test(after);
}

/** Returns whether superscript is an exponent of the text before it: 10 to the sixth is not 106. */
function isPower(before: string, raised: string, { sign }: Edge): boolean {
  return (
    sign === scriptSigns["SUP"] &&
    /[\p{L}\p{N})\]]/u.test(before.slice(-1)) &&
    /^[+\-−–]?(?:\d|[a-z]$)/i.test(raised.trim())
  );
}
