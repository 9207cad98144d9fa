import type { StreamEvent } from "@cloud-browser/stream";
import { untilSettled, type Settleable } from "../async.ts";

/** An event of a run, and the id after which the next one comes. */
export interface NumberedEvent {
  readonly id: string;
  readonly event: StreamEvent;
}

/** A run whose events are kept in this process. */
export interface LocalRun {
  /** Yields its events after an id, and waits for new ones until the run ends or the signal aborts. Throws what broke its stream off. */
  readonly read: (after: string | undefined, signal: AbortSignal) => AsyncIterable<NumberedEvent>;
  /** Returns whether nothing more comes. */
  readonly hasEnded: () => boolean;
}

/** Maximum number of characters of events that are kept: older events are dropped. */
const mostChars = 4 * 1024 * 1024;

/** Reads a stream to its end, in the background, and keeps the newest events. */
export function recordHere(stream: AsyncIterable<StreamEvent>): LocalRun {
  const recentEvents: { number: number; event: StreamEvent; chars: number }[] = [];
  let chars = 0;
  let last = 0;
  let end: { readonly error?: unknown } | undefined;
  let waiting: Settleable | undefined;
  const wake = (): void => {
    waiting?.settle();
    waiting = undefined;
  };
  const record = async (): Promise<void> => {
    try {
      for await (const event of stream) {
        const size = JSON.stringify(event).length;
        recentEvents.push({ number: (last += 1), event, chars: size });
        chars += size;
        while (chars > mostChars && recentEvents.length > 1) chars -= recentEvents.shift()?.chars ?? 0;
        wake();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    wake();
  };
  void record();
  return {
    hasEnded: () => end !== undefined,
    async *read(after, signal) {
      let next = after === "end" ? Infinity : Number(after ?? 0) + 1;
      for (;;) {
        const first = recentEvents[0]?.number ?? next;
        const found = recentEvents[Math.max(next, first) - first];
        if (found !== undefined) {
          next = found.number + 1;
          yield { id: String(found.number), event: found.event };
        } else if (end !== undefined) {
          if (end.error !== undefined) throw end.error;
          return;
        } else {
          if (signal.aborted) return;
          waiting ??= untilSettled();
          await Promise.race([waiting.promise, untilAbort(signal)]);
        }
        if (signal.aborted) return;
      }
    },
  };
}

function untilAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
