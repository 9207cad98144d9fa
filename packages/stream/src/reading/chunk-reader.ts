import { openSource, type AutomationSource, type ByteSource } from "../input/byte-source.ts";
import type { StreamErrorCode, StreamErrorDetails } from "../errors/stream-error.ts";
import { createClocks, maxTurnMs, type Timeouts } from "./timeouts.ts";

/** Reads a source chunk by chunk, on request. */
export interface ChunkReader extends Pick<ByteSource, "refusal" | "status"> {
  /** Reads a chunk; resolves when `onChunk` has returned, or when reading stops. Concurrent calls share a read. Never rejects. */
  readonly read: () => Promise<void>;
  /** Stops reading, resolves the pending read, and releases the source. */
  readonly stop: () => void;
}

/**
 * Creates a reader of a source.
 *
 * @param onChunk - called with each chunk; returns whether it brought events, and must not throw
 * @param onEnd - called when there are no more chunks, with the reason; must not throw
 * @throws {StreamError} `misuse` when a time limit is invalid; otherwise what the source throws.
 */
export function createChunkReader(
  source: AutomationSource,
  timeouts: Timeouts,
  onChunk: (chunk: Uint8Array) => boolean,
  onEnd: (reason: StreamErrorCode, details?: StreamErrorDetails) => void,
): ChunkReader {
  /** The pending read; undefined between reads. */
  let reading: Promise<void> | undefined;
  /** Resolves the pending read; undefined when reading has stopped. */
  let wake: (() => void) | undefined;
  /** Time at which the last read started, in milliseconds. */
  let readAt = 0;
  /** Time at which timers last had a chance to fire, in milliseconds. */
  let yieldedAt = 0;
  const clocks = createClocks(timeouts, onEnd);
  const bytes = openSource(source);

  /** Reads a chunk. A faulty source may throw at once, or return anything. */
  const readChunk = async (): Promise<void> => {
    if (!wake) return; // a limit that had expired already
    try {
      const { done, value } = await bytes.read();
      if (done) return onEnd("ended-early");
      clocks.arrive(onChunk(value));
      // After the read: a source that fails meanwhile would drop its chunks.
      if (readAt > yieldedAt + maxTurnMs) {
        yieldedAt = readAt;
        setTimeout(() => wake?.());
      } else wake?.();
    } catch (cause) {
      onEnd("connection-lost", { cause });
    }
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
        void readChunk();
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
