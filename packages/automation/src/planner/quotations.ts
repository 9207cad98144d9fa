/** Stands where a text was put aside, around its number: a character for private use. */
const hole = "\u{F0000}";

/** A number between two holes, as a pattern. */
export const heldPlace = String.raw`\u{F0000}\d+\u{F0000}`;

/**
 * Quoted text. A straight mark behind a letter or digit opens nothing: it means inches. No mark may stand in
 * what it opens: so each search ends at the next mark, and all of them take time in proportion to the text.
 */
const quoted = /(?<!\w)"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|(?<=^|[\s(])'[^']*'(?=$|[\s),.;])|\u{F0000}/gu;

const places = new RegExp(String.raw`\u{F0000}(\d+)\u{F0000}`, "gu");

/** Quotations, and other parts of a text that have to stay as they are, put aside while the rest is read. */
export class Quotations {
  readonly #kept: string[] = [];

  /** The text without its quotations, each run of white space as one character: a new line when there is one in it, otherwise a blank. */
  takeFrom(text: string): string {
    return this.take(text, quoted).replaceAll(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "));
  }

  /** The text without what fits a pattern. */
  take(text: string, pattern: RegExp): string {
    return text.replaceAll(pattern, (part) => `${hole}${this.#kept.push(part) - 1}${hole}`);
  }

  /** The text with what was taken from it. */
  putBack(text: string): string {
    return text.replaceAll(places, (_, number: string) => this.#kept[Number(number)] ?? "");
  }
}
