import { flatMarks, isElement, isUnseen } from "../flatten/flat-marks.ts";
import { isNoteReference } from "./note-reference.ts";

/** Elements whose text nobody reads. */
const silent: ReadonlySet<string> = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "SVG", "HEAD"]);
/** Elements that don't part words. */
const inline: ReadonlySet<string> = new Set(
  "A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD MARK OUTPUT Q S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);
/** Signs of what stands higher or lower than the line. */
const signs: Readonly<Record<string, string>> = { SUP: "^", SUB: "_" };

/** Longest text of one value, in characters. */
export const longestValue = 4_000;
/** Most nodes that are looked at for one text. */
const mostNodes = 20_000;
/** No text that was parsed has it. */
const lineEnd = "\0";

/** How a text is read. */
export interface TextReading {
  /** Tag names in upper case whose elements are left out, next to scripts and styles. */
  readonly skip?: ReadonlySet<string> | undefined;
  /** Most characters. */
  readonly longest?: number;
  /** True when what is invisible is read, too; what is not there for the browser never is. */
  readonly invisible?: boolean;
}

/**
 * Text of an element as it is shown, with white space collapsed; no layout is needed for it, and no recursion. References
 * to notes are left out, and what is raised or lowered does not become one number with what is beside it. Whether the
 * element itself is shown is not looked at.
 */
export function textOf(root: Node, reading: TextReading = {}): string {
  return collapsed(rawText(root, reading, " "), reading);
}

/** Texts of the lines of an element that line breaks part; empty ones are left out. */
export function linesOf(root: Node, reading: TextReading = {}): readonly string[] {
  const lines = rawText(root, reading, lineEnd).split(lineEnd);
  return lines.map((line) => collapsed(line, reading)).filter(Boolean);
}

/** Tells whether an element and its text are shown, as far as it says itself. */
export function isShown(element: Element): boolean {
  return !isUnseen(element) && element.getAttribute(flatMarks.hidden) !== "visibility";
}

function collapsed(text: string, { longest = longestValue }: TextReading): string {
  return text.replace(/\s+/g, " ").trim().slice(0, longest);
}

function rawText(
  root: Node,
  { skip, longest = longestValue, invisible = false }: TextReading,
  atBreak: string,
): string {
  let text = "";
  let edge: Edge | undefined;
  let at: Node | null = root.firstChild;
  for (let nodes = 0; at && nodes < mostNodes && text.length < longest * 2; nodes += 1) {
    let inside: Node | null = null;
    if (at.nodeType === 3 && (invisible || !isInvisible(at.parentElement))) addText(at.nodeValue ?? "");
    else if (isElement(at) && !isUnseen(at)) inside = enter(at, at.nodeName.toUpperCase());
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
    if (silent.has(name) || skip?.has(name)) return null;
    const sign = signs[name];
    if (sign) edge = { sign, isBeginning: true };
    return element.firstChild;
  }

  function leave(name: string): void {
    if (!inline.has(name)) text += " ";
    const sign = signs[name];
    if (sign) edge = { sign, isBeginning: false };
  }
}

/** Where something raised or lowered begins or ends. */
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

/** Tells whether a raised text is a power of what is before it: 10 to the sixth is not 106. */
function isPower(before: string, raised: string, { sign }: Edge): boolean {
  return (
    sign === signs["SUP"] && /[\p{L}\p{N})\]]/u.test(before.slice(-1)) && /^[+\-−–]?(?:\d|[a-z]$)/i.test(raised.trim())
  );
}
