import { createDeltaLines } from "./delta-lines.ts";
import { eventFromObject, isTerminalEvent, type StreamEvent } from "./event.ts";
import { byteLength, createFraming } from "./framing.ts";
import { createLineBlocks } from "./line-blocks.ts";
import { StreamError } from "./stream-error.ts";
import type { StreamReport, StreamReportKind } from "./stream-report.ts";

/** What a decoder does with what it reads, and its bound. Source: ours. */
export interface DecodingOptions {
  /** Receives what is not an event. Default: nobody. Must not throw. */
  readonly onReport?: ((report: StreamReport) => void) | undefined;
  /** Largest event, and largest line without an end, in bytes as on the wire. Default: 16 MiB (16777216). */
  readonly maxEventBytes?: number | undefined;
  /**
   * What becomes of an event that is larger. `throw`: reading ends with `event-too-large`. `skip`: it is reported and
   * dropped, and the next line is read. Default: `throw`.
   */
  readonly oversize?: "throw" | "skip" | undefined;
  /**
   * What becomes of a line that holds no event. `report`: it is reported, and the next line is read. `throw`: reading
   * ends with `invalid-json` or `missing-type`. Default: `report`.
   */
  readonly damage?: "report" | "throw" | undefined;
}

/** What a decoder calls, and its bound. Source: ours. */
export interface AutomationDecoderOptions extends DecodingOptions {
  /** Receives each event, in order, at the end of its own line. Nothing after the terminal event. Must not throw. */
  readonly onEvent: (event: StreamEvent) => void;
}

/** The synchronous core: bytes in, events out. Source: ours. */
export interface AutomationDecoder {
  /**
   * Takes the next bytes, cut anywhere. They may be reused afterwards.
   *
   * @throws {StreamError} `event-too-large`, `invalid-json` and `missing-type` as the options say, or `misuse` after `end`,
   * after an error, or from within a callback.
   */
  feed(chunk: Uint8Array): void;
  /**
   * Says that nothing follows, which completes a last line without line end. Doing so twice does nothing.
   *
   * Does not judge whether a terminal event came.
   *
   * @throws {StreamError} as `feed` does.
   */
  end(): void;
  /** Number of `data` lines so far. None at the end means that the bytes were no event stream. */
  readonly dataLines: number;
}

/** Far above any result of a tool, far below what a worker may hold. */
const defaultMaxEventBytes = 16 * 1024 * 1024;

/** What other services send last, such as `[DONE]`: a word, and no JSON. */
const sentinel = /^\s*\[?[A-Z]{2,}\]?\s*$/;

/**
 * Decodes an automation stream from bytes that are pushed in.
 *
 * Reads both framings, a blank line between events or a single line end, and everything else that server-sent events
 * may have. Damaged lines are reported, and the next good one is read. It knows no transport and no clock.
 *
 * Source: interface § Endpoints, interface § Events.
 *
 * @throws {StreamError} `misuse` when `maxEventBytes` is not a positive number.
 */
export function createAutomationDecoder(options: AutomationDecoderOptions): AutomationDecoder {
  const { onEvent, onReport, maxEventBytes: max = defaultMaxEventBytes, oversize, damage } = options;
  if (!(max > 0)) throw new StreamError("misuse", "maxEventBytes must be a positive number");
  let lines = 0;
  let dataLines = 0;
  let terminalSeen = false;
  let torn = false; // the lines that come may be the rest of an event that was skipped
  let ended = false;
  let busy = false; // stays true when something threw: bytes are lost then, so reading on would be wrong

  /** Reports a line that is no event, or throws when the options say so. */
  const report = (kind: StreamReportKind, line: number): void => {
    if (terminalSeen && kind !== "sentinel") kind = "after-terminal";
    if (kind === "event-too-large" && oversize !== "skip") throw new StreamError(kind);
    if (kind === "event-too-large") torn = true;
    if ((kind === "invalid-json" || kind === "missing-type") && damage === "throw" && !torn)
      throw new StreamError(kind);
    onReport?.({ kind, line });
  };
  const onOverflow = (line: number): void => report("event-too-large", line);
  const framing = createFraming(
    (value, line) => {
      if (!isObject(value)) return report("invalid-json", line);
      const event = eventFromObject(value);
      // Lines that are read again after damage can hold events behind the terminal one.
      if (!event || terminalSeen) return report("missing-type", line);
      terminalSeen = isTerminalEvent(event);
      torn = false;
      onEvent(event);
    },
    (text, line) => report(sentinel.test(text) ? "sentinel" : "invalid-json", line),
    onOverflow,
    max,
  );
  const onLongLine = (): void => {
    if (oversize === "skip") {
      torn = true;
      framing.close(); // what waits for its other lines must not be completed without this one
    }
    onOverflow(++lines);
  };
  const onLine = (text: string): void => {
    if (text.length * 3 > max && byteLength(text) > max) return onLongLine();
    lines++;
    if (!text.startsWith("data:") && text !== "data") return;
    dataLines++;
    const data = text.slice(text[5] === " " ? 6 : 5);
    if (!terminalSeen) framing.line(data, lines);
    else if (data) report(sentinel.test(data) ? "sentinel" : "after-terminal", lines);
  };
  const deltaAt = createDeltaLines();
  const onBlock = (text: string): void => {
    for (let at = 0; at < text.length;) {
      if (text[at] === "\n") {
        lines++;
        at++;
        framing.close();
        torn = false;
        continue;
      }
      const found = !terminalSeen && !framing.isOpen() && deltaAt(text, at);
      if (found && (found.end - at) * 3 <= max) {
        at = found.end;
        lines += found.lines;
        dataLines++;
        torn = false;
        onEvent({ type: found.thinking ? "thinking_delta" : "text_delta", delta: found.delta });
      } else {
        const end = text.indexOf("\n", at);
        onLine(text.slice(at, end));
        at = end + 1;
      }
    }
  };
  const blocks = createLineBlocks(onBlock, onLongLine, max);
  const run = (act: () => void): void => {
    if (busy) throw new StreamError("misuse", "the decoder is at work, failed or ended: make a new one");
    busy = true;
    act();
    busy = ended;
  };

  return {
    feed: (chunk) => run(() => blocks.feed(chunk)),
    end() {
      if (ended) return;
      run(() => {
        ended = true;
        blocks.end();
        framing.close();
      });
    },
    get dataLines() {
      return dataLines;
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
