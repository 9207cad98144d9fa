/** One event of a stream, or a comment. */
export interface EventBlock {
  /** Its lines, each with a line feed, and a blank line. */
  readonly text: string;
  /** Value of its `id` field. */
  readonly id: string | undefined;
  /** True when it has `data` lines. */
  readonly hasData: boolean;
}

/** Splits a text into the blocks of events, in any framing that the reader of streams accepts. */
export interface EventLines {
  /** Adds text, and returns the blocks that it completes. */
  add(text: string): readonly EventBlock[];
  /** Ends the text; returns the last block, if its event is complete without a blank line. */
  end(): readonly EventBlock[];
  /** Number of characters that are not part of a complete block. */
  readonly held: number;
  /** True after the first line that is a comment or a field of server-sent events. */
  readonly isStream: boolean;
}

const field = /^(?:data|event|id|retry)?(?::|$)/;
const terminal = /^(?:done|error|timeout|cancelled)$/;

/**
 * Creates a splitter. Lines end with LF, CRLF or CR. A block ends with a blank line; or before the next event, where there is none; or
 * as soon as its event is complete, when its id is known, the event before had none, or it is the last one, after which nothing may come.
 */
export function createEventLines(): EventLines {
  let rest = "";
  let lines: string[] = [];
  let data: string[] = [];
  let id: string | undefined;
  let size = 0;
  let isStream = false;
  let isFirst = true;
  /** True when the text so far ends with CR: an LF completes the same line end. */
  let afterCr = false;
  /** True after an event without an id: then none is awaited behind one. */
  let isWithoutIds = false;

  const flush = (): readonly EventBlock[] => {
    const block = { text: `${lines.join("\n")}\n\n`, id, hasData: data.length > 0 };
    const isEmpty = lines.length === 0;
    if (block.hasData) isWithoutIds = id === undefined;
    lines = [];
    data = [];
    id = undefined;
    size = 0;
    return isEmpty ? [] : [block];
  };
  const take = (line: string): readonly EventBlock[] => {
    if (line === "") return flush();
    isStream ||= field.test(line);
    const name = /^[^:]*/.exec(line)?.[0];
    const value = line.slice((name?.length ?? 0) + 1).replace(/^ /, "");
    const startsNext = (name === "data" || name === "id" || name === "event") && typeIn(data) !== undefined;
    const before = startsNext && !(name === "id" && id === undefined) ? flush() : [];
    lines.push(line);
    size += line.length;
    if (name === "id" && !value.includes("\0")) id = value;
    if (name === "data") data.push(value);
    const type = name === "data" ? typeIn(data) : undefined;
    if (type === undefined) return data.length === 0 && name === "" ? [...before, ...flush()] : before;
    return id !== undefined || isWithoutIds || terminal.test(type) ? [...before, ...flush()] : before;
  };
  const split = (text: string): readonly EventBlock[] => {
    if (text === "") return [];
    const given = isFirst ? text.replace(/^\uFEFF/, "") : afterCr ? text.replace(/^\n/, "") : text;
    isFirst = false;
    afterCr = text.endsWith("\r");
    const parts = (rest + given).split(/\r\n|\n|\r/);
    rest = parts.pop() ?? "";
    return parts.flatMap(take);
  };
  return {
    add: split,
    end() {
      const last = rest;
      rest = "";
      const blocks = last === "" ? [] : take(last);
      return typeIn(data) === undefined ? blocks : [...blocks, ...flush()];
    },
    get held() {
      return rest.length + size;
    },
    get isStream() {
      return isStream;
    },
  };
}

/** Returns the type of the event that some lines are; undefined when they are not a complete one. */
function typeIn(data: readonly string[]): string | undefined {
  if (!data.at(-1)?.trimEnd().endsWith("}")) return undefined;
  try {
    const { type }: { type?: unknown } = Object(JSON.parse(data.join("\n")));
    return typeof type === "string" ? type : undefined;
  } catch {
    return undefined;
  }
}
