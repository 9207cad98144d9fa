/** Delimiter of the number that replaces a masked text: a private-use character. */
const delimiter = "\u{F0000}";

/** Matches a masked text. */
export const quotationPlaceholder = String.raw`\u{F0000}\d+\u{F0000}`;

/**
 * Quoted text. A straight quotation mark after a letter or digit does not open a quotation: it means inches. No mark may occur in
 * its own quotation, so that matching takes linear time.
 */
const quoted = /(?<!\w)"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|(?<=^|[\s(])'[^']*'(?=$|[\s),.;])|\u{F0000}/gu;

const placeholders = new RegExp(String.raw`\u{F0000}(\d+)\u{F0000}`, "gu");

/** Masks quotations, and other parts of a text that must not change, while the rest is parsed. */
export class Quotations {
  readonly #quotations: string[] = [];

  /** Masks quotations, and collapses white space to one character: a line break if it contains one, otherwise a space. */
  maskQuotations(text: string): string {
    return this.mask(text, quoted).replaceAll(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "));
  }

  /** Masks what matches a pattern. */
  mask(text: string, pattern: RegExp): string {
    return text.replaceAll(pattern, (part) => `${delimiter}${this.#quotations.push(part) - 1}${delimiter}`);
  }

  /** Restores masked parts. */
  restore(text: string): string {
    return text.replaceAll(placeholders, (_, number: string) => this.#quotations[Number(number)] ?? "");
  }
}
