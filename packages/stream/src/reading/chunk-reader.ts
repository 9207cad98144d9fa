import { openSource, type AutomationSource, type ByteSource } from "../input/byte-source.ts";
import type { StreamErrorCode } from "../errors/stream-error.ts";
import { createClocks, maxTurnMs, type Timeouts } from "./timeouts.ts";

/** Reads a source chunk by chunk, on request. */
export interface ChunkReader extends Pick<ByteSource, "refusal" | "status"> {
  /** Reads a chunk; resolves when `onResult` has returned, or when reading stops. Concurrent calls share a read. Never rejects. */
  readonly read: () => Promise<void>;
  /** Stops reading, resolves the pending read, and releases the source. */
  readonly stop: () => void;
}

/**
 * Creates a reader of a source.
 *
 * @param onResult - called with each result of the source, unchecked; returns whether it brought events, and must not throw
 * @param onFail - called when the source fails, with its error; must not throw
 * @param onExpire - called when a time limit is exceeded; must not throw
 * @throws {StreamError} `misuse` when a time limit is invalid; otherwise what the source throws.
 */
export function createChunkReader(
  source: AutomationSource,
  timeouts: Timeouts,
  onResult: (result: IteratorResult<Uint8Array, unknown>) => boolean,
  onFail: (cause: unknown) => void,
  onExpire: (code: StreamErrorCode) => void,
): ChunkReader {
  /** The pending read; undefined between reads. */
  let reading: Promise<void> | undefined;
  /** Resolves the pending read; undefined when reading has stopped. */
  let wake: (() => void) | undefined;
  /** Time at which the last read started, in milliseconds. */
  let readAt = 0;
  /** Time at which timers last had a chance to fire, in milliseconds. */
  let yieldedAt = 0;
  const clocks = createClocks(timeouts, onExpire);
  const bytes = openSource(source);

  const decode = (result: IteratorResult<Uint8Array, unknown>): void => {
    clocks.arrive(onResult(result));
    // After the read: a source that fails meanwhile would drop its chunks.
    if (wake && readAt - yieldedAt > maxTurnMs) {
      yieldedAt = readAt;
      setTimeout(wake);
    } else wake?.();
  };
  return {
    ...bytes,
    read() {
      reading ??= new Promise((resolve) => {
        wake = () => {
          reading = undefined;
          resolve();
        };
        readAt = clocks.wait();
        yieldedAt ||= readAt;
        if (!wake) return; // a limit had expired already
        try {
          bytes.read().then(decode, onFail); // not `await`: one promise less per chunk
        } catch (cause) {
          onFail(cause); // a faulty source may throw at once
        }
      });
      return reading;
    },
    stop() {
      clocks.stop();
      bytes.release();
      wake?.();
      wake = undefined;
    },
  };
}
