import { guardArguments } from "../input/byte-source.ts";
import { maxTurnMs } from "../reading/timeouts.ts";
import { assertOptions, isOptions, isPositive, isSignal } from "../input/check-options.ts";
import {
  ends,
  recordingHeader,
  join,
  type Chunk,
  type RecordedChunk,
  type RecordingFooter,
  type RecordingHeader,
} from "./recording.ts";
import { StreamError } from "../errors/stream-error.ts";

/** Options of the playback of a recording. */
export interface PlayOptions {
  /** Playback rate, above 0: `1` is real time, `2` twice as fast. Default: `Infinity`, without delays. */
  readonly speed?: number | undefined;
  /**
   * Splits the stream into chunks of this size, in bytes, at least 1. Each comes at the time of the recorded chunk that
   * completes it; the last one may be smaller. Default: the recorded chunks.
   */
  readonly chunkBytes?: number | undefined;
  /** Stops the playback at once when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Plays a recording of `recordStream`, as a source for `readAutomationStream`. Every iteration starts from the beginning. A byte order
 * mark, which editors add, is ignored.
 *
 * A recording that ended with an error throws after its last chunk. Any other one ends after it, even when it is
 * truncated, was left or was still open: it does not hang as the stream may have done. The time between the last chunk
 * and the end is not recorded.
 *
 * @throws {StreamError} `misuse` at once, when the text is not a recording of version 1, a line is malformed (the message
 * has its number), or an option is out of range. While iterating: `connection-lost` where the recorded source failed;
 * `aborted`, with the reason as its cause, when the signal aborts.
 *
 * @example
 * ```ts from=examples/api/stream/play-recording.ts
 * import { playRecording, readAutomationStream } from "@cloud-browser/stream";
 *
 * const recording = `{"format":"cloud-browser-stream-recording","version":1}
 * {"atMs":0,"text":"data: {\\"type\\":\\"done\\"}\\n\\n"}
 * {"end":"complete"}
 * `;
 * const source = playRecording(recording, { chunkBytes: 5 }); // as if the network had cut it into pieces
 * console.log((await readAutomationStream(source).outcome()).type); // done
 * ```
 */
export function playRecording(text: string, options: PlayOptions = {}): AsyncIterable<Uint8Array> {
  return guardArguments(() => playable(text, options));
}

function playable(text: string, options: PlayOptions): AsyncIterable<Uint8Array> {
  assertOptions({ options: isOptions(options) });
  const { speed = Infinity, chunkBytes, signal } = options;
  assertOptions({
    speed: isPositive(speed),
    chunkBytes: chunkBytes === undefined || (isPositive(chunkBytes) && chunkBytes >= 1),
    signal: isSignal(signal),
  });
  const { chunks, fails } = parse(text);
  const all = join(chunks);

  return {
    [Symbol.asyncIterator]() {
      let left = false;
      let wake: (() => void) | undefined;
      async function* play(): AsyncGenerator<Uint8Array, undefined> {
        const start = performance.now();
        let turn = start; // when timers last had a chance to fire
        let from = 0;
        for (const { atMs, end } of chunkBytes ? recut(chunks, chunkBytes) : chunks) {
          for (;;) {
            if (left) return;
            if (signal?.aborted) throw new StreamError("aborted", undefined, { cause: signal.reason });
            const now = performance.now();
            const rest = start + atMs / speed - now;
            if (!(rest > 0) && now < turn + maxTurnMs) break;
            turn = now;
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, Math.min(rest, 1e9)); // a delay above 24 days would fire at once
              wake = () => {
                clearTimeout(timer);
                resolve();
              };
              signal?.addEventListener("abort", wake);
            });
            if (wake) signal?.removeEventListener("abort", wake);
          }
          yield all.slice(from, (from = end));
        }
        if (fails) throw new StreamError("connection-lost");
      }
      const playing = play();
      return {
        next: () => playing.next(),
        return() {
          left = true;
          wake?.();
          return playing.return(undefined);
        },
      };
    },
  };
}

/** Yields time and end offset of each chunk of another size. */
function* recut(chunks: readonly Chunk[], size: number): Generator<Omit<Chunk, "bytes">, undefined> {
  let from = 0;
  let last;
  for (last of chunks) {
    for (; from + size <= last.end; from += size) yield { atMs: last.atMs, end: from + size };
  }
  if (last && from < last.end) yield last;
}

function parse(text: string): { chunks: Chunk[]; fails: boolean } {
  const lines = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\n");
  const chunks: Chunk[] = [];
  let size = 0;
  let index = 0;
  const next = (): Partial<RecordingHeader & RecordedChunk & RecordingFooter> => JSON.parse(lines[index++] ?? "");
  try {
    const { format, version } = next();
    let good = format === recordingHeader.format && version === recordingHeader.version;
    while (good && index < lines.length - 1) {
      const { atMs = NaN, text: plain, base64 = "-" } = next();
      const bytes = plain === undefined ? decodeBytes(base64) : new TextEncoder().encode(plain);
      good = typeof plain !== "object" && Number.isFinite(atMs);
      chunks.push({ atMs, bytes, end: (size += bytes.length) });
    }
    if (good) {
      const { end, truncated } = next();
      if (end && ends.includes(end)) return { chunks, fails: end === "error" && !truncated };
    }
  } catch {
    // The error is not kept as a cause: its message quotes the line.
  }
  throw new StreamError("misuse", `line ${index} is not part of a recording of version 1`);
}

/** @throws when the text is not base64. */
function decodeBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
