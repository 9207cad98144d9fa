import { openSource, quietly, guardArguments, type AutomationSource } from "../input/byte-source.ts";
import { assertOptions, isCallback, isOptions } from "../input/check-options.ts";
import {
  recordingHeader,
  join,
  type Chunk,
  type RecordedChunk,
  type RecordingEnd,
  type RecordingFooter,
} from "./recording.ts";
import { latin1 } from "./decoded-view.ts";
import { redact } from "./redaction.ts";

/** Options of a recording. */
export interface RecordOptions {
  /** Strings that are redacted, such as the API key. Default: none. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Size limit of the recorded chunks together, in bytes. The chunk that would exceed it, and all after it, are passed on
   * without being recorded. Default: 64 MiB (67108864).
   */
  readonly maxBytes?: number | undefined;
  /** A clock in milliseconds, with any origin. The recording is truncated where it throws, or returns no finite number. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** A stream that is recorded while it is read. */
export interface StreamRecorder {
  /** The chunks of the source, to be read once, in place of it. */
  readonly source: AsyncIterable<Uint8Array>;
  /** Returns the recording so far as the text of a file, redacted. May be called at any time, and repeatedly. */
  recording(): string;
}

/**
 * Records a stream while it is being read: for bug reports and offline tests.
 *
 * Passes on the chunks of the source, one per request, without reading ahead, and its errors. Leaving the iteration releases
 * the source. Of a response, only the body is passed on: its reader can no longer check status and content type.
 *
 * The file consists of JSON lines: a header, `{"format":"cloud-browser-stream-recording","version":1}`; one line per
 * chunk, `{"atMs":12.3,"text":"…"}`, or `base64` in place of `text` when the chunk is not valid UTF-8 by itself; and
 * how it ended, `{"end":"complete"}`, or `error`, `left` or `open`, with `"truncated":true` when chunks at the end are
 * missing: those beyond `maxBytes`, and those after the first 1,048,576. Redacted are the values of `viewer_url`; query,
 * fragment and userinfo of addresses, also of relative ones; bearer tokens; and `secrets`, however JSON escapes or
 * percent-encoding write them, even across chunk boundaries. Each byte is replaced by `x`, or by `1` in a number, so that sizes stay the same.
 *
 * Other secrets, such as a password in the text of a delta, are not redacted: list them in `secrets`.
 *
 * @throws {StreamError} `misuse` when the source can't be read, or an option has the wrong type.
 *
 * @example
 * ```ts from=examples/api/stream/record-stream.ts
 * import { playRecording, readAutomationStream, recordStream } from "@cloud-browser/stream";
 *
 * const response = new Response(`data: {"type":"status","status":"a secret"}\n\ndata: {"type":"done"}\n\n`);
 * const recorder = recordStream(response, { secrets: ["a secret"] });
 * await readAutomationStream(recorder.source).outcome();
 *
 * const text = recorder.recording(); // JSON lines, to be kept in a file
 * console.log(text.includes("a secret")); // false
 * console.log((await readAutomationStream(playRecording(text)).outcome()).type); // done
 * ```
 */
export function recordStream(source: AutomationSource, options: RecordOptions = {}): StreamRecorder {
  return guardArguments(() => createRecorder(source, options));
}

function createRecorder(source: AutomationSource, options: RecordOptions): StreamRecorder {
  assertOptions({ options: isOptions(options) });
  const { secrets = [], maxBytes = 2 ** 26, now = () => performance.now() } = options;
  assertOptions({
    secrets: Array.isArray(secrets) && secrets.every((secret) => typeof secret === "string"),
    maxBytes: typeof maxBytes === "number",
    now: isCallback(now),
  });
  const input = openSource(source);
  const chunks: Chunk[] = [];
  let size = 0;
  let start: number | undefined;
  let truncated: true | undefined;
  let end: RecordingEnd = "open";
  const isOpen = (): boolean => end === "open";

  /** Reads the clock. One that throws, or gives no time, truncates the recording, and does not disturb the stream. */
  const clock = (): number => {
    let time: unknown;
    quietly(() => (time = now())); // an asynchronous one may reject
    if (typeof time === "number" && Number.isFinite(time)) return time;
    truncated = true;
    return 0;
  };
  const record = (bytes: Uint8Array): void => {
    const time = clock() - (start ?? 0);
    // The number of chunks is limited, too: a source of empty ones would exhaust memory.
    if (!(size + bytes.length <= maxBytes) || chunks.length >= 2 ** 20) truncated = true;
    if (truncated) return;
    chunks.push({ atMs: Math.round(time * 10) / 10, bytes: bytes.slice(), end: (size += bytes.length) });
  };
  const finish = (how: RecordingEnd): void => {
    if (!isOpen()) return;
    end = how;
    input.release();
  };
  const iterator: AsyncIterableIterator<Uint8Array, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        start ??= clock();
        const next = isOpen() && (await input.read());
        // After leaving, the reader gets neither chunks nor errors.
        if (next && isOpen()) {
          if (!next.done) {
            // Chunks that are not bytes are passed on: the reader rejects them.
            if (next.value?.[Symbol.toStringTag] === "Uint8Array") record(next.value);
            return next;
          }
          finish("complete");
        }
      } catch (error) {
        if (isOpen()) {
          finish("error");
          throw error;
        }
      }
      return { done: true, value: undefined };
    },
    // Does not wait for the source, which may hang.
    async return() {
      finish("left");
      return { done: true, value: undefined };
    },
  };

  return {
    source: iterator,
    recording() {
      const all = join(chunks);
      redact(all, secrets);
      const footer: RecordingFooter = { end, ...(truncated && { truncated }) };
      const lines = chunks.map(({ atMs, bytes, end: to }) => encodeLine(atMs, all.subarray(to - bytes.length, to)));
      return [recordingHeader, ...lines, footer].map((line) => `${JSON.stringify(line)}\n`).join("");
    },
  };
}

function encodeLine(atMs: number, bytes: Uint8Array): RecordedChunk {
  try {
    return { atMs, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { atMs, base64: btoa(latin1(bytes)) };
  }
}
