import { isObject, maxJsonDepth, measureNesting, parseJson } from "./json.ts";

/**
 * Reads the automation stream as lines, for judging: nothing is repaired, nothing is skipped.
 *
 * A client reads tolerantly; a judge must see what was really written.
 */

/** The types that end a stream. Source: interface § Events. */
export const terminalTypes: ReadonlySet<string> = new Set(["done", "error", "timeout", "cancelled"]);

/** One line of the stream. */
export interface StreamLine {
  /** Number of the line, from 1. */
  readonly number: number;
  /** Text without its line end. */
  readonly text: string;
  /** Kind of line in the grammar of server-sent events. */
  readonly kind: "data" | "blank" | "comment" | "field" | "other";
  /** The line end; `none` for a last line that has none. */
  readonly end: "LF" | "CRLF" | "CR" | "none";
}

/** One event, with the JSON value that it carries. */
export interface ObservedEvent {
  /** Number of the event, from 1. */
  readonly number: number;
  /** Number of its first line. */
  readonly line: number;
  /** Number of lines that the event spans; the interface asks for one. */
  readonly lines: number;
  /** Text after `data:` and one optional space. */
  readonly text: string;
  /** The object, when the text is one. */
  readonly object: Readonly<Record<string, unknown>> | undefined;
  /** The object's `type`, when it is a string. */
  readonly type: string | undefined;
}

/** Splits a whole stream into lines. A byte order mark at the start is not part of the first line. */
export function streamLines(text: string): StreamLine[] {
  const lines: StreamLine[] = [];
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  for (const match of body.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const [whole, content = "", end = ""] = match;
    if (whole === "") continue;
    lines.push({ number: lines.length + 1, text: content, kind: findKind(content), end: endNames[end] ?? "none" });
  }
  return lines;
}

const endNames: Readonly<Record<string, StreamLine["end"]>> = { "\n": "LF", "\r\n": "CRLF", "\r": "CR" };

function findKind(line: string): StreamLine["kind"] {
  if (line === "") return "blank";
  if (line.startsWith(":")) return "comment";
  if (line === "data" || line.startsWith("data:")) return "data";
  return /^(event|id|retry)(:|$)/.test(line) ? "field" : "other";
}

/** Maximum number of lines that are joined in search of one JSON object. */
const spreadLimit = 256;

/** Maximum length of the joined text, in UTF-16 units. */
const spreadLength = 64 * 1024;

/** Maximum number of unsuccessful searches in one stream, which bounds the time for hostile streams. */
const maxSearches = 200;

/** Returns the events of a stream: one for each data line, or for several lines that only together are a JSON object. */
export function streamEvents(lines: readonly StreamLine[]): ObservedEvent[] {
  const events: ObservedEvent[] = [];
  let searches = maxSearches;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line?.kind !== "data") continue;
    let event = makeEvent(line, events.length + 1);
    if (event.object === undefined && searches > 0) {
      event = spreadEvent(lines, at, event);
      if (event.object === undefined) searches -= 1;
    }
    events.push(event);
    at += event.lines - 1;
  }
  return events;
}

function makeEvent(line: StreamLine, number: number): ObservedEvent {
  const text = readData(line.text);
  return { number, line: line.number, lines: 1, text, ...readMeaning(parseObject(text)) };
}

/** Joins lines to one JSON object. JSON strings can't contain line breaks, so the brackets show where the object ends; it is parsed only there. */
function spreadEvent(lines: readonly StreamLine[], first: number, single: ObservedEvent): ObservedEvent {
  let text = single.text;
  let { depth, quoted } = measureNesting(Buffer.from(text));
  for (const line of lines.slice(first + 1, first + spreadLimit)) {
    const isPart = line.kind === "data" || line.kind === "other";
    if (!isPart || quoted || depth < 0 || text.length + line.text.length > spreadLength) break;
    const data = readData(line.text);
    const nesting = measureNesting(Buffer.from(data));
    quoted = nesting.quoted;
    depth += nesting.depth;
    text += `\n${data}`;
    if (depth > 0 || data.trim() === "") continue;
    const object = parseObject(text);
    return object ? { ...single, lines: line.number - single.line + 1, text, ...readMeaning(object) } : single;
  }
  return single;
}

function readData(line: string): string {
  return line.replace(/^data:? ?/, "");
}

function readMeaning(object: ObservedEvent["object"]): Pick<ObservedEvent, "object" | "type"> {
  const type = object?.["type"];
  return { object, type: typeof type === "string" ? type : undefined };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.length > maxJsonDepth && measureNesting(Buffer.from(text)).deepest > maxJsonDepth) return undefined;
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Maximum length of an unfinished line that is parsed before it ends, in bytes; terminal events are short. */
const peekLimit = 16 * 1024;

/** Number of pieces of an unfinished line from which on they are joined: a target may send each byte by itself. */
const maxPieces = 1_000;

const [lineFeed, carriageReturn, closingBrace] = [0x0a, 0x0d, 0x7d];

/** A byte order mark, `data`, and the first byte of an object in JSON: no other line holds a terminal event. */
const [mark, dataField, objectStart] = [Buffer.from("\u{FEFF}"), Buffer.from("data"), 0x7b];

/** Detects the terminal event of a stream while it is read. Keeps only the bytes of the last line, and parses only possible events. */
export class EventStreamScanner {
  /** Number of data lines so far. */
  dataLines = 0;
  sawTerminalEvent = false;
  /** Pieces of the line that has not ended yet. */
  #pieces: Uint8Array[] = [];
  /** Length of the pieces together, in bytes. */
  #length = 0;
  /** True until the first line has ended: a byte order mark is not part of it. */
  #isFirst = true;

  /** Takes the next bytes, which must not change. */
  feed(bytes: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] !== lineFeed && bytes[at] !== carriageReturn) continue;
      this.#keep(bytes.subarray(start, at));
      this.#endLine();
      start = at + 1;
    }
    this.#keep(bytes.subarray(start));
    this.#peek();
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#pieces.length >= maxPieces) this.#pieces = [Buffer.concat(this.#pieces, this.#length)];
  }

  #endLine(): void {
    const line = this.#line();
    this.#pieces = [];
    this.#length = 0;
    this.#isFirst = false;
    if (!isDataLine(line)) return;
    this.dataLines += 1;
    this.#notice(line);
  }

  /** Parses the unfinished line: a terminal event without a line end must not keep the suite waiting. */
  #peek(): void {
    if (this.sawTerminalEvent || this.#pieces.at(-1)?.at(-1) !== closingBrace || this.#length > peekLimit) return;
    const line = this.#line();
    if (isDataLine(line)) this.#notice(line);
  }

  /** Returns the bytes of the line so far. */
  #line(): Buffer {
    const [first = Buffer.of(), ...others] = this.#pieces;
    const line = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
    const whole = others.length === 0 ? line : Buffer.concat(this.#pieces, this.#length);
    return this.#isFirst && startsWith(whole, mark) ? whole.subarray(mark.length) : whole;
  }

  #notice(line: Buffer): void {
    if (this.sawTerminalEvent || !line.includes(objectStart)) return;
    const { type } = makeEvent({ number: 0, text: line.toString(), kind: "data", end: "LF" }, 0);
    if (type !== undefined && terminalTypes.has(type)) this.sawTerminalEvent = true;
  }
}

function startsWith(line: Buffer, start: Buffer): boolean {
  return line.subarray(0, start.length).equals(start);
}

/** Returns whether a line has the field `data`, as {@link findKind} does for text. */
function isDataLine(line: Buffer): boolean {
  return startsWith(line, dataField) && (line.length === dataField.length || line[dataField.length] === 0x3a);
}
