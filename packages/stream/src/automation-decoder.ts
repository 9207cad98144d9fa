import { eventFromObject, isTerminalEvent, type StreamEvent } from "./event.ts";
import { createFraming } from "./framing.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { StreamError } from "./stream-error.ts";
import type { StreamReport } from "./stream-report.ts";

/** What a decoder calls, and its bound. Source: ours. */
export interface AutomationDecoderOptions {
  /** Receives each event, in order, at the end of its own line. Nothing after the terminal event. Must not throw. */
  readonly onEvent: (event: StreamEvent) => void;
  /** Receives what is not an event. Default: nobody. Must not throw. */
  readonly onReport?: ((report: StreamReport) => void) | undefined;
  /** Largest event, and largest line without an end, in bytes as on the wire. Default: 16 MiB (16777216). */
  readonly maxEventBytes?: number | undefined;
}

/** The synchronous core: bytes in, events out. Source: ours. */
export interface AutomationDecoder {
  /**
   * Takes the next bytes, cut anywhere. They may be reused afterwards.
   *
   * @throws {StreamError} `event-too-large`, or `misuse` after `end`, after an error, or from within a callback.
   */
  feed(chunk: Uint8Array): void;
  /**
   * Says that nothing follows, which completes a last line without line end. Doing so twice does nothing.
   *
   * Does not judge whether a terminal event came.
   *
   * @throws {StreamError} `misuse` after an error, or from within a callback.
   */
  end(): void;
  /** Number of `data` lines so far. None at the end means that the bytes were no event stream. */
  readonly dataLines: number;
}

/** Default bound of one event: far above any result of a tool, far below what a worker may hold. */
const defaultMaxEventBytes = 16 * 1024 * 1024;

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
  const { onEvent, onReport, maxEventBytes = defaultMaxEventBytes } = options;
  if (!(maxEventBytes > 0)) throw new StreamError("misuse", "maxEventBytes must be a positive number of bytes");
  let lines = 0;
  let dataLines = 0;
  let terminalSeen = false;
  let ending = false; // inside or after end(): what is damaged now was cut off
  let busy = false; // stays true when something threw: bytes are lost then, so reading on would be wrong

  const framing = createFraming(
    {
      onValue(value, line) {
        if (!isObject(value)) return onReport?.({ kind: "damaged-line", line, reason: "not-object" });
        const event = eventFromObject(value);
        if (!event) return onReport?.({ kind: "missing-type", line });
        // Lines that are read again after damage can hold events behind the terminal one.
        if (terminalSeen) return onReport?.({ kind: "after-terminal", line });
        terminalSeen = isTerminalEvent(event);
        onEvent(event);
      },
      onBroken(line) {
        if (terminalSeen) onReport?.({ kind: "after-terminal", line });
        else onReport?.({ kind: "damaged-line", line, reason: ending ? "cut-off" : "not-json" });
      },
    },
    maxEventBytes,
  );
  const splitter = createLineSplitter((text, bytes) => {
    lines++;
    if (text === "") return framing.close();
    const data = dataOf(text);
    if (data === undefined) return;
    dataLines++;
    if (isSentinel(data)) return onReport?.({ kind: "sentinel", line: lines });
    if (!terminalSeen) framing.line({ text: data, line: lines, bytes });
    else if (data !== "") onReport?.({ kind: "after-terminal", line: lines });
  }, maxEventBytes);

  const exclusively = (act: () => void): void => {
    if (busy) throw new StreamError("misuse", "the decoder failed or is at work: make a new one for the next stream");
    busy = true;
    act();
    busy = false;
  };

  return {
    feed(chunk) {
      if (ending) throw new StreamError("misuse", "feed() after end(): make a new decoder for the next stream");
      exclusively(() => splitter.feed(chunk));
    },
    end() {
      if (ending) return;
      exclusively(() => {
        ending = true;
        splitter.end();
        framing.close();
      });
    },
    get dataLines() {
      return dataLines;
    },
  };
}

/** The value of a `data` field; `undefined` for every other line. */
function dataOf(line: string): string | undefined {
  if (line === "data") return "";
  if (!line.startsWith("data:")) return undefined;
  return line.slice(line[5] === " " ? 6 : 5);
}

function isSentinel(data: string): boolean {
  return data.length < 16 && data.trim() === "[DONE]";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
