import { openSource, withGiven, type AutomationSource } from "../input/byte-source.ts";
import { demand, isCallback, isOptions } from "../input/check-options.ts";
import { header, join, type Chunk, type RecordedChunk, type RecordingEnd, type RecordingFooter } from "./recording.ts";
import { latin1, scrub } from "./redaction.ts";

/** Options of a recording. */
export interface RecordOptions {
  /** Strings that must not be in the file, such as the API key. Default: none. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Most bytes that are kept, not counting what their lines take. The chunk that would be too much, and all after it,
   * pass unrecorded. Default: 64 MiB (67108864).
   */
  readonly maxBytes?: number | undefined;
  /** A clock in milliseconds; only differences count. The recording ends where it fails. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** A stream that is recorded while it is read. */
export interface StreamRecorder {
  /** The bytes as they come, to be read once, in place of the source that was given. */
  readonly source: AsyncIterable<Uint8Array>;
  /** The file as of now, as text, without secrets; also before the end, and more than once. */
  recording(): string;
}

/**
 * Records a stream while somebody else reads it: for bug reports and offline tests.
 *
 * Passes on the very chunks of the source, one for each request and none ahead. An error of the source is passed on
 * too; leaving the iteration lets go of the source. Of a response, only the body is passed on: who reads it can't check
 * the status and the content type any more.
 *
 * The file has JSON lines: a header, `{"format":"cloud-browser-stream-recording","version":1}`; one line for each
 * chunk, `{"atMs":12.3,"text":"…"}`, or `base64` in place of `text` when the chunk is not valid UTF-8 by itself; and
 * how it ended, `{"end":"complete"}`, or `error`, `left` or `open`, with `"truncated":true` when chunks at the end are
 * missing: those beyond `maxBytes`, and those after the first 1,048,576. It holds every byte but these: the values of
 * `viewer_url`, query, fragment and userinfo of addresses, what follows `Bearer`, and `secrets`, as they are,
 * JSON-escaped and URL-encoded, wherever chunks cut them. They are overwritten by as many `x`, digits alone by `1`.
 *
 * Not scrubbed is what has no such mark, such as a password in the text of a delta: name it in `secrets`.
 *
 *
 * @throws {StreamError} `misuse` when the source can't be read.
 */
export function recordStream(source: AutomationSource, options: RecordOptions = {}): StreamRecorder {
  demand({ options: isOptions(options) });
  const { secrets = [], maxBytes = 2 ** 26, now = () => performance.now() } = options;
  demand({
    secrets: Array.isArray(secrets) && secrets.every((secret) => typeof secret === "string"),
    maxBytes: typeof maxBytes === "number",
    now: isCallback(now),
  });
  const input = withGiven(() => openSource(source));
  const chunks: Chunk[] = [];
  let size = 0;
  let start: number | undefined;
  let truncated: true | undefined;
  let end: RecordingEnd = "open";
  const isOpen = (): boolean => end === "open";

  /** A clock that fails costs the recording, and not what is recorded. */
  const clock = (): number => {
    try {
      return now();
    } catch {
      truncated = true;
      return 0;
    }
  };
  const keep = (bytes: Uint8Array): void => {
    const time = clock() - (start ?? 0);
    // The number of chunks has its limit too, so that a source of empty ones does not fill the memory.
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
        // Who left meanwhile gets nothing any more, and is not told that the source broke off.
        if (next && isOpen()) {
          if (!next.done) {
            // What is no bytes is for the reader to refuse.
            if (next.value?.[Symbol.toStringTag] === "Uint8Array") keep(next.value);
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
    // Does not wait for a source that hangs.
    async return() {
      finish("left");
      return { done: true, value: undefined };
    },
  };

  return {
    source: iterator,
    recording() {
      const all = join(chunks);
      scrub(all, secrets);
      const footer: RecordingFooter = { end, ...(truncated && { truncated }) };
      const lines = chunks.map(({ atMs, bytes, end: to }) => lineOf(atMs, all.subarray(to - bytes.length, to)));
      return [header, ...lines, footer].map((line) => `${JSON.stringify(line)}\n`).join("");
    },
  };
}

function lineOf(atMs: number, bytes: Uint8Array): RecordedChunk {
  try {
    return { atMs, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { atMs, base64: btoa(latin1(bytes)) };
  }
}
