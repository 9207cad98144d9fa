import { createAutomationDecoder, isTerminalEvent } from "@cloud-browser/stream";

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

/**
 * Creates a splitter. Lines end with LF, CRLF or CR. A block ends with a blank line; or before the next event, where there is none; or
 * as soon as its event is complete, when its id is known, the event before had none, or it is the last one, after which nothing may come.
 *
 * Whether an event is complete says the decoder of streams, which reads each line.
 */
export function createEventLines(): EventLines {
  /** The incomplete line. */
  let rest = "";
  let lines: string[] = [];
  let hasData = false;
  let id: string | undefined;
  let size = 0;
  /** State of the block. */
  let state: "incomplete" | "complete" | "last" = "incomplete";
  let isStream = false;
  let isFirst = true;
  /** True when the text so far ends with CR: an LF completes the same line end. */
  let afterCr = false;
  /** True after an event without an id: then none is awaited behind one. */
  let isWithoutIds = false;
  const encoder = new TextEncoder();
  const decoder = createAutomationDecoder({
    maxEventBytes: Infinity, // `held` is what is bounded
    onEvent(event) {
      state = isTerminalEvent(event) ? "last" : "complete";
    },
  });

  const flush = (): readonly EventBlock[] => {
    const block = { text: `${lines.join("\n")}\n\n`, id, hasData };
    const isEmpty = lines.length === 0;
    if (hasData) isWithoutIds = id === undefined;
    lines = [];
    hasData = false;
    id = undefined;
    size = 0;
    state = "incomplete";
    return isEmpty ? [] : [block];
  };
  const readLine = (line: string): readonly EventBlock[] => {
    const name = /^[^:]*/.exec(line)?.[0];
    const startsNext = name === "data" || name === "event" || (name === "id" && id !== undefined);
    const before = startsNext && state !== "incomplete" ? flush() : [];
    decoder.feed(encoder.encode(`${line}\n`));
    if (line === "") return flush();
    isStream ||= field.test(line);
    lines.push(line);
    size += line.length;
    const value = line.slice((name?.length ?? 0) + 1).replace(/^ /, "");
    if (name === "id" && !value.includes("\0")) id = value;
    hasData ||= name === "data";
    const isOver =
      name === "data"
        ? state === "last" || (state === "complete" && (id !== undefined || isWithoutIds))
        : !hasData && name === "";
    return isOver ? [...before, ...flush()] : before;
  };
  return {
    add(text) {
      if (text === "") return [];
      const chunk = isFirst ? text.replace(/^\uFEFF/, "") : afterCr ? text.replace(/^\n/, "") : text;
      isFirst = false;
      afterCr = text.endsWith("\r");
      const [first = "", ...others] = chunk.split(/\r\n|\n|\r/);
      const last = others.pop();
      if (last === undefined) {
        rest += first;
        return [];
      }
      const complete = [rest + first, ...others];
      rest = last;
      return complete.flatMap(readLine);
    },
    end() {
      const last = rest;
      rest = "";
      const blocks = last === "" ? [] : readLine(last);
      return state === "incomplete" ? blocks : [...blocks, ...flush()];
    },
    get held() {
      return rest.length + size;
    },
    get isStream() {
      return isStream;
    },
  };
}
