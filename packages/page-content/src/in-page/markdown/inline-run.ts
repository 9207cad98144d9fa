import { renderInline } from "./inline-text.ts";
import type { InlineMark, InlinePiece } from "./inline-pieces.ts";

/** Marks a place in a word, or none; white space that is not one space. */
const untidy = /[\u00ad\u200b\u2060\ufeff]|[^\S ]| {2}/;

/** Lookbehind limit, in characters. */
const endingLength = 16;
const wordEnd = /[\p{L}\p{N}]$/u;
const wordStart = /^[\p{L}\p{N}\p{Sc}]/u;

/** Text with its white space as a browser shows it. */
export function collapseSpace(data: string): string {
  return untidy.test(data) ? data.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " ") : data;
}

/** Returns whether Markdown begins and ends with the sign of code. */
function isCode(markdown: string): boolean {
  return markdown.startsWith("`") && markdown.endsWith("`");
}

/** A mark that is open. */
interface OpenMark {
  readonly mark: InlineMark;
  /** The mark that was placed for it, if one was. */
  placed: InlineMark | undefined;
}

/**
 * Collects the text of a paragraph, heading or cell: white space is collapsed as in a browser, and moved out of marks; marks without
 * content are removed; marks that are still open at the end of a paragraph are opened again in the next.
 */
export class InlineRun {
  /** Form of a line end: a line end; a space or a tag where a line can't end. */
  readonly breaks: "line" | "space" | "tag";
  #pieces: InlinePiece[] = [];
  /** All that are open. */
  readonly #open: OpenMark[] = [];
  /** Marks that are placed with the next content. */
  #waiting: OpenMark[] = [];
  #space = false;
  /** True when a word that follows is kept apart from a word that was before. */
  #apart = false;
  #break = false;

  constructor(breaks: "line" | "space" | "tag") {
    this.breaks = breaks;
  }

  /** True when nothing was placed yet. */
  get empty(): boolean {
    return this.#pieces.length === 0;
  }

  /** True when the text ends with a line end. */
  get endsWithBreak(): boolean {
    return this.#break && !this.empty;
  }

  /** The end of the text so far, some characters at most, whatever marks it is in. */
  get ending(): string {
    let ending = "";
    if (this.#space || this.#break) return ending;
    for (let at = this.#pieces.length - 1; at >= 0 && ending.length < endingLength; at -= 1) {
      const piece = this.#pieces[at];
      if (piece?.kind === "text") ending = piece.text.slice(-endingLength) + ending;
      else if (piece?.kind !== "open" && piece?.kind !== "close") break;
    }
    return ending;
  }

  /** The link that is open, if one is. */
  get link(): (InlineMark & { type: "link" }) | undefined {
    for (const { mark } of this.#open) if (mark.type === "link") return mark;
    return undefined;
  }

  /** Returns whether a mark of that kind is open. */
  has(type: InlineMark["type"]): boolean {
    return this.#open.some(({ mark }) => mark.type === type);
  }

  /** Places text as the source has it. */
  text(data: string): void {
    const text = collapseSpace(data);
    const trimmed = text.trim();
    if (trimmed === "") {
      this.#space ||= text !== "";
      return;
    }
    if (text.startsWith(" ")) this.#space = true;
    this.#place({ kind: "text", text: trimmed });
    this.#space = text.endsWith(" ");
  }

  /** Adds text that is Markdown already. */
  raw(markdown: string): void {
    if (markdown !== "") this.#place({ kind: "raw", text: markdown });
  }

  /** Adds a space. */
  space(): void {
    this.#space = true;
  }

  /** Keeps a word that follows apart from a word that was before. */
  apart(): void {
    this.#apart = true;
  }

  /** Ends a line. */
  lineBreak(): void {
    this.#break = true;
    this.#space = false;
  }

  /** Opens a mark around what follows. */
  open(mark: InlineMark): void {
    const opened = { mark, placed: undefined };
    this.#open.push(opened);
    this.#waiting.push(opened);
  }

  /** Closes the mark that was opened last. */
  close(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    if (closed.placed === undefined) this.#waiting = this.#waiting.filter((one) => one !== closed);
    else this.#pieces.push({ kind: "close", mark: closed.placed, sign: undefined });
  }

  /** Flushes the collected pieces as lines of Markdown. Open marks continue in what follows. */
  take(): string[] {
    const pieces = this.#pieces;
    for (let at = this.#open.length - 1; at >= 0; at -= 1) {
      const opened = this.#open[at];
      if (opened?.placed === undefined) continue;
      pieces.push({ kind: "close", mark: opened.placed, sign: undefined });
      opened.placed = undefined;
    }
    if (pieces.length > 0) this.#pieces = [];
    if (this.#open.length + this.#waiting.length > 0) this.#waiting = [...this.#open];
    this.#space = false;
    this.#apart = false;
    this.#break = false;
    return pieces.length === 0 ? [] : renderInline(pieces, this.breaks);
  }

  #place(piece: InlinePiece): void {
    if (this.#pieces.length > 0) {
      if (this.#break) this.#pieces.push({ kind: "break" });
      else if (this.#space || (this.#apart && this.#runsInto(piece)) || this.#isCodeBeside(piece))
        this.#pieces.push({ kind: "space" });
    }
    this.#space = false;
    this.#apart = false;
    this.#break = false;
    const last = this.#pieces.at(-1);
    if (this.#waiting.length === 0 && last?.kind === "text" && piece.kind === "text") {
      last.text += piece.text;
      return;
    }
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter((one) => !this.#openNow(one));
    this.#pieces.push(piece);
  }

  /** Returns whether the texts before and after would merge into one word. */
  #runsInto(next: InlinePiece): boolean {
    return wordEnd.test(this.ending) && next.kind === "text" && wordStart.test(next.text);
  }

  /** Returns whether code directly follows code: Markdown would read their backticks as one sequence. */
  #isCodeBeside(next: InlinePiece): boolean {
    const last = this.#pieces.at(-1);
    return (
      this.#waiting.length === 0 &&
      last?.kind === "raw" &&
      isCode(last.text) &&
      next.kind === "raw" &&
      isCode(next.text)
    );
  }

  /** Places a mark, if its place is here. */
  #openNow(opened: OpenMark): boolean {
    const { mark } = opened;
    if (mark.type === "link") {
      if (mark.used || (mark.waitsForHeading && this.breaks === "line")) return mark.used;
      mark.used = true;
    }
    const last = this.#pieces.at(-1);
    if (mark.type !== "link" && last?.kind === "close" && last.mark.type === mark.type) {
      this.#pieces.pop();
      opened.placed = last.mark;
    } else {
      this.#pieces.push({ kind: "open", mark, sign: undefined });
      opened.placed = mark;
    }
    return true;
  }
}
