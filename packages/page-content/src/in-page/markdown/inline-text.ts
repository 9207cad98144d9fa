import { escapeLineStart, escapeText } from "./escaping.ts";
import type { InlineMark, InlinePiece } from "./inline-pieces.ts";

const lineEnds = { line: "  \n", space: " ", tag: "<br>" } as const;
const delimiters = { strong: "**", em: "*", del: "~~" } as const;
/** Punctuation and space at the edges of a text: next to a word, no mark can begin before it nor end after it. */
const edges = { start: /^[\p{P}\p{S}\s]+/u, end: /[\p{P}\p{S}\s]+$/u } as const;
/** Number of characters inspected on each side of a delimiter. */
const neighbourhood = 64;
const wordEnd = /[\p{L}\p{N}_]$/u;
const wordStart = /^[\p{L}\p{N}_]/u;

/**
 * Lines of Markdown for the pieces of a text. A mark that Markdown can't express in its place (`a**(b)**c`) is moved
 * within the punctuation, or left out: the text is worth more.
 */
export function renderInline(pieces: InlinePiece[], breaks: "line" | "space" | "tag"): string[] {
  const [only] = pieces;
  if (pieces.length === 1 && only?.kind === "text") return [plainLine(only.text, breaks)];
  placeMarks(pieces);
  // The end of a long, growing text is not read: that would copy all of it each time.
  const parts: string[] = [];
  let last = "";
  let inLink = false;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    let part = "";
    switch (piece?.kind) {
      case undefined:
        break;
      case "text": {
        const before = last === "\n" ? "" : last;
        part = escapeText(piece.text, { before, after: firstCharacter(pieces, index + 1), inLink });
        break;
      }
      case "raw":
        part = piece.text;
        break;
      case "space":
        part = " ";
        break;
      case "break":
        part = lineEnds[breaks];
        break;
      case "open":
      case "close":
        if (piece.mark.type === "link") inLink = piece.kind === "open";
        part = piece.sign ?? "";
        break;
    }
    if (part === "") continue;
    parts.push(part);
    last = part.slice(-1);
  }
  const text = parts.join("");
  return breaks === "line" ? text.split("\n").map(escapeLineStart) : [text];
}

/** The line of a text without any mark. */
export function plainLine(text: string, breaks: "line" | "space" | "tag"): string {
  const line = escapeText(text, { before: "", after: "", inLink: false });
  return breaks === "line" ? escapeLineStart(line) : line;
}

/** Decides what each opening and closing becomes: from the outside inward. */
function placeMarks(pieces: InlinePiece[]): void {
  let openings: number[] | undefined;
  let closings: Map<InlineMark, number> | undefined;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece?.kind !== "open" && piece?.kind !== "close") continue;
    const isOpening = piece.kind === "open";
    // The sign of a link depends on nothing beside it.
    if (piece.mark.type === "link") piece.sign = isOpening ? "[" : `]${piece.mark.destination}`;
    else if (isOpening) (openings ??= []).push(index);
    else (closings ??= new Map()).set(piece.mark, index);
  }
  if (openings === undefined) return;
  for (const opening of openings) {
    const open = pieces[opening];
    if (open?.kind !== "open" || open.mark.type === "link") continue;
    const closing = closings?.get(open.mark);
    if (closing !== undefined) placeEmphasis(pieces, opening, closing, open.mark.type);
  }
}

function placeEmphasis(pieces: InlinePiece[], opening: number, closing: number, type: keyof typeof delimiters): void {
  const open = pieces[opening];
  const close = pieces[closing];
  if (open?.kind !== "open" || close?.kind !== "close") return;
  const before = textBefore(pieces, opening);
  const after = textAfter(pieces, closing);
  const lead = wordEnd.test(before) ? movable(pieces[opening + 1], textAfter(pieces, opening), edges.start) : "";
  const tail = wordStart.test(after) ? movable(pieces[closing - 1], textBefore(pieces, closing), edges.end) : "";
  const first = pieces[opening + 1];
  const last = pieces[closing - 1];
  if (lead === undefined || tail === undefined || first === undefined || last === undefined) return;
  if (first === last && first.kind === "text" && lead.length + tail.length >= first.text.length) return;
  let sign: string = delimiters[type];
  if (type === "em" && (before.endsWith("*") || after.startsWith("*"))) {
    if (wordEnd.test(before) || wordStart.test(after)) return;
    sign = "_";
  }
  // Two runs of the same sign side by side, one that ends and one that begins, can't be told apart.
  if (type !== "em" && (before.endsWith(sign) || after.startsWith(sign))) return;
  if (lead !== "" && first.kind === "text") first.text = first.text.slice(lead.length);
  if (tail !== "" && last.kind === "text") last.text = last.text.slice(0, last.text.length - tail.length);
  open.sign = escapeText(lead, { before: "", after: "", inLink: false }) + sign;
  close.sign = sign + escapeText(tail, { before: "", after: "", inLink: false });
}

/** Returns punctuation at the edge of a mark that must be moved out of it; undefined for a piece that is not text, and stays. */
function movable(piece: InlinePiece | undefined, visible: string, edge: RegExp): string | undefined {
  const found = edge.exec(visible)?.[0] ?? "";
  return found === "" || piece?.kind === "text" ? found : undefined;
}

/** Returns the text right before a mark: of marks that open there too nothing, of one that closes there its sign. */
function textBefore(pieces: readonly InlinePiece[], index: number): string {
  for (let at = index - 1; at >= 0; at -= 1) {
    const piece = pieces[at];
    if (piece === undefined) break;
    if (piece.kind === "text" || piece.kind === "raw") return piece.text.slice(-neighbourhood);
    if (piece.kind === "space" || piece.kind === "break") return "";
    if (piece.kind === "open" && piece.mark.type !== "link") continue;
    const sign = findSign(piece);
    if (sign !== undefined) return sign;
  }
  return "";
}

/** Returns the text right after a mark: of marks that close there too nothing, of one that opens there its sign. */
function textAfter(pieces: readonly InlinePiece[], index: number): string {
  for (let at = index + 1; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece === undefined) break;
    if (piece.kind === "text" || piece.kind === "raw") return piece.text.slice(0, neighbourhood);
    if (piece.kind === "space" || piece.kind === "break") return "";
    if (piece.kind === "close" && piece.mark.type !== "link") continue;
    const sign = findSign(piece) ?? (piece.kind === "open" && piece.mark.type !== "link" ? "*" : undefined);
    if (sign !== undefined) return sign;
  }
  return "";
}

function firstCharacter(pieces: readonly InlinePiece[], from: number): string {
  for (let at = from; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece === undefined) break;
    if (piece.kind === "text" || piece.kind === "raw") return piece.text.charAt(0);
    if (piece.kind === "space" || piece.kind === "break") return " ";
    const sign = findSign(piece);
    if (sign !== undefined && sign !== "") return sign.charAt(0);
  }
  return "";
}

function findSign(piece: InlinePiece): string | undefined {
  return piece.kind === "open" || piece.kind === "close" ? piece.sign : undefined;
}
