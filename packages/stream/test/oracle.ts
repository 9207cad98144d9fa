/** What a stream says, by the slow and simple reading. */
export interface Reading {
  /** Events and reports, in their order. */
  readonly things: readonly unknown[];
  /** How many of `things` are known before the end of the stream is. */
  readonly beforeEnd: number;
  /** Number of `data` lines. */
  readonly dataLines: number;
}

/** One `data` line: its number, from 1, and what follows `data:` and one optional space. */
interface Line {
  readonly line: number;
  readonly text: string;
}

/** What some lines are when joined: a JSON text, the beginning of one, or neither. */
type Verdict = { is: "whole"; value: unknown } | { is: "open" } | { is: "broken" };

/** How often lines are joined anew after damage, before each is read by itself. */
const maxRestarts = 8;
const terminal = ["done", "error", "timeout", "cancelled"];
const notTerminal =
  "status thinking_delta text_delta tool_start tool_result message_complete notte_session_data function_uploaded";
const listedTypes = new Set([...notTerminal.split(" "), ...terminal]);

/**
 * Reads a whole stream at once, in the simplest way there is, to have something to compare the decoder with.
 *
 * Shares no code with it: lines come from one `split`, and lines are the beginning of a JSON text when `JSON.parse`
 * accepts some continuation of them. Takes time quadratic in the size of an event, and knows no bounds.
 */
export function readByOracle(bytes: Uint8Array): Reading {
  const things: unknown[] = [];
  let waiting: Line[] = []; // together they are the beginning of a JSON text
  let dataLines = 0;
  let over = false; // the terminal event was seen

  const report = (kind: string, line: number): void => {
    things.push({ kind: over && kind !== "sentinel" ? "after-terminal" : kind, line });
  };
  const reportBroken = ({ line, text }: Line): void => report(isSentinel(text) ? "sentinel" : "invalid-json", line);
  const addValue = (value: unknown, { line }: Line): void => {
    if (!isObject(value)) return report("invalid-json", line);
    const { type } = value;
    if (typeof type !== "string") return report("missing-type", line);
    if (over) return report("after-terminal", line);
    things.push(listedTypes.has(type) ? value : { type: "unknown", originalType: type, event: value });
    over = terminal.includes(type);
  };

  /** The first of these lines is known to be broken; the others are read again. */
  const readAgain = ([first, ...others]: Line[], isClosed: boolean): void => {
    if (first) reportBroken(first);
    let restarts = 0;
    let waitingLines = others;
    for (let head = waitingLines[0]; head; head = waitingLines[0]) {
      const { verdict, count } = readOne(restarts < maxRestarts ? waitingLines : [head]);
      if (verdict.is === "whole") {
        addValue(verdict.value, head);
        waitingLines = waitingLines.slice(count);
      } else if (verdict.is === "open" && count === waitingLines.length && !isClosed) {
        waiting = waitingLines;
        return;
      } else {
        reportBroken(head);
        waitingLines = waitingLines.slice(1);
        if (count > 1) restarts++;
      }
    }
  };
  const close = (): void => {
    const lines = waiting;
    waiting = [];
    readAgain(lines, true);
  };
  const takeData = (data: Line): void => {
    dataLines++;
    if (over) {
      if (data.text !== "") reportBroken(data);
    } else if (!/^[ \t]*$/.test(data.text)) {
      const lines = [...waiting, data];
      const verdict = judge(lines);
      waiting = verdict.is === "open" ? lines : [];
      if (verdict.is === "whole") addValue(verdict.value, lines[0] ?? data);
      if (verdict.is === "broken") readAgain(lines, false);
    }
  };
  const take = (text: string, line: number): void => {
    if (text === "") return close();
    const [field, value] = splitField(text);
    if (field === "data") takeData({ line, text: value });
    else if (!["", "event", "id", "retry"].includes(field)) things.push({ kind: "unknown-field", line });
  };

  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
  const unfinished = lines.pop() ?? "";
  for (const [index, line] of lines.entries()) take(line, index + 1);
  const beforeEnd = things.length;
  if (unfinished !== "") take(unfinished, lines.length + 1);
  close();
  return { things, beforeEnd, dataLines };
}

/** Name and value of a field; a comment is a field without a name. */
function splitField(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  const from = line[colon + 1] === " " ? colon + 2 : colon + 1;
  return [line.slice(0, colon), line.slice(from)];
}

/** Reads one value from the first of some lines on, over as few of them as it takes. */
function readOne(lines: readonly Line[]): { verdict: Verdict; count: number } {
  let verdict: Verdict = { is: "open" };
  let count = 0;
  while (verdict.is === "open" && count < lines.length) verdict = judge(lines.slice(0, ++count));
  return { verdict, count };
}

function judge(lines: readonly Line[]): Verdict {
  // The line end at the end: no string, number or literal goes on in the next line.
  const text = `${lines.map((line) => line.text).join("\n")}\n`;
  const whole = parse(text);
  if (whole) return { is: "whole", value: whole.value };
  const closers = listClosers(text);
  return { is: continuations.some((next) => parse(text + next + closers)) ? "open" : "broken" };
}

/** What may come next in an unfinished JSON text, before all that is open is closed. */
const continuations = ["", "1", ":1", '"":1'];

/** What closes all brackets that are open in a JSON text. */
function listClosers(text: string): string {
  let closers = "";
  for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/[[\]{}]/g)) {
    if (bracket === "[") closers = `]${closers}`;
    else if (bracket === "{") closers = `}${closers}`;
    else closers = closers.slice(1);
  }
  return closers;
}

/** The value of a JSON text in a box, as `null` is one too. */
function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Such as `[DONE]`: a word in capitals, perhaps in brackets. */
function isSentinel(text: string): boolean {
  return /^\s*\[?[A-Z]{2,}\]?\s*$/.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
