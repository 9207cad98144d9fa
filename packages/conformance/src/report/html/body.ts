import { formatCount } from "../visible-text.ts";
import { jsonLines } from "./json.ts";
import { markup, type Markup } from "./markup.ts";

/** Highlighted parts of an exchange, and the amount of it that is shown. */
export interface ExchangeView {
  /** Places of findings, in the form of `Finding.where`. */
  readonly places: readonly string[];
  /** True to show of each body only its beginning and the surroundings of findings; false for all that the report has. */
  readonly excerpt: boolean;
}

interface Line {
  readonly text: string;
  readonly hit: boolean;
  /** Line number in the body as it was received; null for lines that are not numbered. */
  readonly number: number | null;
}

/** Lines at the beginning of a body that an excerpt shows. */
const linesAtStart = 6;

/** Lines on either side of a highlighted one. */
const linesAround = 5;

/** Longest line of an excerpt, in UTF-16 units. */
const lineLimit = 1000;

/** Maximum number of numbered lines of a body; longer ones have no numbers, to keep the page small. */
const maxNumberedLines = 500;

/** Splits a text after each line end, which stays with its line. */
const lineEnds = /(?<=\n|\r(?!\n))/;

/** Renders a body: JSON is formatted, an event stream gets line numbers. */
export function bodyParts(text: string, type: string, { places, excerpt }: ExchangeView): Markup[] {
  const lines = listLines(text, type, places);
  if (!excerpt) return lines.map((line) => lineMarkup(line, line.text));
  const parts: Markup[] = [];
  let hidden = 0;
  for (const [index, line] of lines.entries()) {
    if (isNear(lines, index)) {
      if (hidden > 0) parts.push(gap(hidden));
      hidden = 0;
      parts.push(lineMarkup(line, shorten(line.text)));
    } else {
      hidden += 1;
    }
  }
  if (hidden > 0) parts.push(gap(hidden));
  return parts;
}

function listLines(text: string, type: string, places: readonly string[]): Line[] {
  const json = jsonLines(text);
  if (json) {
    const pointers = new Set(places.flatMap((where) => /^body (\/.*)$/.exec(where)?.[1] ?? []));
    return json.map(({ text: laidOut, pointer }) => {
      const hit = pointer !== undefined && pointers.has(pointer);
      return { text: laidOut, hit, number: null };
    });
  }
  const lines = text.split(lineEnds);
  const numbers = new Set(places.flatMap((where) => Number(/\bline (\d+)/.exec(where)?.[1] ?? 0)));
  const numbered = type.includes("event-stream") && lines.length <= maxNumberedLines;
  return lines.map((line, index) => {
    const number = index + 1;
    return { text: line.replace(/\n$/, ""), hit: numbers.has(number), number: numbered ? number : null };
  });
}

function isNear(lines: readonly Line[], index: number): boolean {
  if (index < linesAtStart) return true;
  return lines.slice(Math.max(0, index - linesAround), index + linesAround + 1).some((line) => line.hit);
}

function shorten(text: string): string {
  return text.length > lineLimit ? `${text.slice(0, lineLimit)} … ${text.length - lineLimit} more characters` : text;
}

function lineMarkup({ hit, number }: Line, text: string): Markup {
  const indent = /^\s*/.exec(text)?.[0] ?? "";
  const content = hit ? markup`${indent}<mark>${text.slice(indent.length)}</mark>` : text;
  return number === null
    ? markup`${content}\n`
    : markup`<span class="numbered" data-line="${number}">${content}\n</span>`;
}

function gap(hidden: number): Markup {
  return markup`<i class="gap">… ${formatCount(hidden, "more line")}</i>\n`;
}
