import { renderInline } from "./inline-text.ts";
import type { Mark, Piece } from "./inline-pieces.ts";

/** Marks a place in a word, or none; white space that is not one space. */
const untidy = /[\u00ad\u200b\u2060\ufeff]|[^\S ]| {2}/;

/** Text with its white space as a browser shows it. Source: ours. */
export function collapsed(data: string): string {
  return untidy.test(data) ? data.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " ") : data;
}

/**
 * The text of one paragraph, heading or cell while it is gathered: white space collapsed as a browser does, moved out of
 * marks; marks without content gone; marks that are still open when a paragraph ends opened again in the next.
 *
 * Source: ours.
 */
export class InlineRun {
  /** What a line end becomes: a line end; a space or a tag where a line can't end. */
  readonly breaks: "line" | "space" | "tag";
  #pieces: Piece[] = [];
  /** All that are open. */
  readonly #marks: Mark[] = [];
  /** Those that get their place with the next content. */
  #waiting: Mark[] = [];
  /** Those that have it, each with the mark that was placed for it. */
  #placed: Map<Mark, Mark> | undefined;
  #space = false;
  #break = false;

  constructor(breaks: "line" | "space" | "tag") {
    this.breaks = breaks;
  }

  /** Whether nothing was placed yet. */
  get empty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether the text ends with a line end. */
  get endsWithBreak(): boolean {
    return this.#break && !this.empty;
  }

  /** The last visible character, where text would go on right after it; else empty. */
  get lastCharacter(): string {
    const last = this.#pieces.at(-1);
    return this.#space || this.#break || last?.kind !== "text" ? "" : last.text.slice(-1);
  }

  /** The link that is open, if one is. */
  get link(): (Mark & { type: "link" }) | undefined {
    for (const mark of this.#marks) if (mark.type === "link") return mark;
    return undefined;
  }

  /** Whether a mark of that kind is open. */
  has(type: Mark["type"]): boolean {
    return this.#marks.some((mark) => mark.type === type);
  }

  /** Places text as the source has it. */
  text(data: string): void {
    const text = collapsed(data);
    const trimmed = text.trim();
    if (trimmed === "") {
      this.#space ||= text !== "";
      return;
    }
    if (text.startsWith(" ")) this.#space = true;
    this.#place({ kind: "text", text: trimmed });
    this.#space = text.endsWith(" ");
  }

  /** Places something that is Markdown already. */
  raw(markdown: string): void {
    if (markdown !== "") this.#place({ kind: "raw", text: markdown });
  }

  /** Keeps what follows apart from what was before. */
  space(): void {
    this.#space = true;
  }

  /** Ends a line. */
  lineBreak(): void {
    this.#break = true;
    this.#space = false;
  }

  /** Opens a mark around what follows. */
  open(mark: Mark): void {
    this.#marks.push(mark);
    this.#waiting.push(mark);
  }

  /** Closes the mark that was opened last. */
  close(): void {
    const mark = this.#marks.pop();
    if (mark === undefined) return;
    const placed = this.#placed?.get(mark);
    if (placed === undefined) this.#waiting = this.#waiting.filter((one) => one !== mark);
    else this.#pieces.push({ kind: "close", mark: placed, sign: undefined });
    this.#placed?.delete(mark);
  }

  /** Takes out what was gathered, as lines of Markdown. Marks that are open go on in what follows. */
  take(): string[] {
    const pieces = this.#pieces;
    if (this.#placed !== undefined) {
      for (const mark of this.#marks.toReversed()) {
        const placed = this.#placed.get(mark);
        if (placed !== undefined) pieces.push({ kind: "close", mark: placed, sign: undefined });
      }
      this.#placed = undefined;
    }
    if (pieces.length > 0) this.#pieces = [];
    if (this.#marks.length + this.#waiting.length > 0) this.#waiting = [...this.#marks];
    this.#space = false;
    this.#break = false;
    return pieces.length === 0 ? [] : renderInline(pieces, this.breaks);
  }

  #place(piece: Piece): void {
    if (this.#pieces.length > 0) {
      if (this.#break) this.#pieces.push({ kind: "break" });
      else if (this.#space) this.#pieces.push({ kind: "space" });
    }
    this.#space = false;
    this.#break = false;
    const last = this.#pieces.at(-1);
    if (this.#waiting.length === 0 && last?.kind === "text" && piece.kind === "text") {
      last.text += piece.text;
      return;
    }
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter((mark) => !this.#openNow(mark));
    this.#pieces.push(piece);
  }

  /** Places a mark, if its place is here. */
  #openNow(mark: Mark): boolean {
    if (mark.type === "link") {
      if (mark.used || (mark.waitsForHeading && this.breaks === "line")) return mark.used;
      mark.used = true;
    }
    this.#placed ??= new Map();
    const last = this.#pieces.at(-1);
    if (mark.type !== "link" && last?.kind === "close" && last.mark.type === mark.type) {
      this.#pieces.pop();
      this.#placed.set(mark, last.mark);
    } else {
      this.#pieces.push({ kind: "open", mark, sign: undefined });
      this.#placed.set(mark, mark);
    }
    return true;
  }
}
