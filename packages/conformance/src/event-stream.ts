/**
 * The automation stream as lines, for judging: nothing is repaired, nothing is skipped.
 *
 * A client reads tolerantly; a judge must see what was really written.
 */

/** The types that end a stream. Source: interface § Events. */
export const terminalTypes: ReadonlySet<string> = new Set(["done", "error", "timeout", "cancelled"]);

/** One line of the stream. Source: ours. */
export interface StreamLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without its line end. */
  readonly text: string;
  /** What the grammar of server-sent events makes of it. */
  readonly kind: "data" | "blank" | "comment" | "field" | "other";
  /** The line end; `none` for a last line that has none. */
  readonly end: "LF" | "CRLF" | "CR" | "none";
}

/** One data line, with the JSON value that it carries. Source: ours. */
export interface StreamEvent {
  /** Counted from 1. */
  readonly number: number;
  /** Number of its line. */
  readonly line: number;
  /** What follows `data:` and one optional space. */
  readonly text: string;
  /** The object, when the text is one. */
  readonly object: Readonly<Record<string, unknown>> | undefined;
  /** The object's `type`, when it is a string. */
  readonly type: string | undefined;
}

/** Splits a whole stream into lines. A byte order mark at the start is not part of the first line. Source: ours. */
export function streamLines(text: string): StreamLine[] {
  const lines: StreamLine[] = [];
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  for (const match of body.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const [whole, content = "", end = ""] = match;
    if (whole === "") continue;
    lines.push({ number: lines.length + 1, text: content, kind: kindOf(content), end: endNames[end] ?? "none" });
  }
  return lines;
}

const endNames: Readonly<Record<string, StreamLine["end"]>> = { "\n": "LF", "\r\n": "CRLF", "\r": "CR" };

function kindOf(line: string): StreamLine["kind"] {
  if (line === "") return "blank";
  if (line.startsWith(":")) return "comment";
  if (line === "data" || line.startsWith("data:")) return "data";
  return /^(event|id|retry)(:|$)/.test(line) ? "field" : "other";
}

/** The data lines of a stream, each taken by itself. Source: ours. */
export function streamEvents(lines: readonly StreamLine[]): StreamEvent[] {
  return lines.filter((line) => line.kind === "data").map((line, index) => eventOf(line, index + 1));
}

function eventOf(line: StreamLine, number: number): StreamEvent {
  const text = line.text.replace(/^data:? ?/, "");
  const object = parseObject(text);
  const type = typeof object?.["type"] === "string" ? object["type"] : undefined;
  return { number, line: line.number, text, object, type };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Longest unfinished line, in UTF-16 units, that is looked into before it ends; terminal events are short. */
const peekLimit = 16 * 1024;

/**
 * Watches a stream while it is read: has a terminal event come yet? Keeps no more than the last line.
 *
 * Source: ours.
 */
export class EventStreamScanner {
  /** Data lines seen until now. */
  dataLines = 0;
  sawTerminalEvent = false;
  readonly #decoder = new TextDecoder();
  /** Pieces of the line that has not ended yet. */
  #pieces: string[] = [];

  feed(bytes: Uint8Array): void {
    const parts = this.#decoder.decode(bytes, { stream: true }).split(/\r\n|\n|\r/);
    for (const [index, part] of parts.entries()) {
      if (index > 0) this.#endLine();
      if (part !== "") this.#pieces.push(part);
    }
    this.#peek();
  }

  #endLine(): void {
    const line = this.#pieces.join("");
    this.#pieces = [];
    if (kindOf(line) !== "data") return;
    this.dataLines += 1;
    this.#notice(line);
  }

  /** A terminal event whose line is never ended must not keep the suite waiting. */
  #peek(): void {
    if (this.sawTerminalEvent || !this.#pieces.at(-1)?.endsWith("}")) return;
    const length = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length <= peekLimit) this.#notice(this.#pieces.join(""));
  }

  #notice(line: string): void {
    if (kindOf(line) !== "data") return;
    const { type } = eventOf({ number: 0, text: line, kind: "data", end: "LF" }, 0);
    if (type !== undefined && terminalTypes.has(type)) this.sawTerminalEvent = true;
  }
}
