import { waitForEvents, writeEvent, writeEventStream, type EventText, type ReaderEnd } from "../event-stream.ts";
import type { RunEvent } from "../storage/run-store.ts";

/** A batch of events of a run. */
export interface SomeEvents {
  /** The events, in order. */
  readonly events: readonly RunEvent[];
  /** The terminal event: a JSON object in one line; sent after all other events. */
  readonly outcome: string | undefined;
}

/** The events of a run, in memory, in the store or on another node. */
export interface RunEvents {
  /** The next events after a number, up to about that many bytes. Empty when there are none yet. */
  readAfter(after: number, bytes: number): Promise<SomeEvents>;
  /** Resolves when there may be more than at the last {@link RunEvents.readAfter}. */
  waitForMore(): Promise<void>;
}

/** Id of the terminal event. */
export const lastEventId = "end";

/** Approximate size of a batch, in bytes. */
const pieceBytes = 64 * 1024;

/**
 * Returns the events of a run after a number as server-sent events, up to the terminal event. Nothing is read ahead of the reader, and a
 * stalled reader holds only its position. A comment names the events that are not kept any more; another one keeps a quiet stream alive.
 *
 * Source: interface § Endpoints, § Events; the ids are ours.
 *
 * @param onClose - Called once, when the body has ended or its reader has disconnected.
 * @param ids - `none` for a reader that can't resume. Default: `numbers`.
 */
export function streamRunEvents(
  run: RunEvents,
  after: number,
  onClose: (end: ReaderEnd) => void,
  ids: "numbers" | "none" = "numbers",
): ReadableStream<Uint8Array> {
  let lastSeq = after;
  const writeFrame = (id: number | string, event: string): string => writeEvent(event, ids === "none" ? undefined : id);
  const next = async (signal: AbortSignal): Promise<EventText> => {
    // Before reading the events, so that one that is added in between is not missed.
    const more = run.waitForMore();
    const { events, outcome } = await run.readAfter(lastSeq, pieceBytes);
    const [first] = events;
    if (first !== undefined) {
      const gap = first.seq > lastSeq + 1 ? `: events ${lastSeq + 1} to ${first.seq - 1} are not kept\n\n` : "";
      lastSeq = events.at(-1)?.seq ?? lastSeq;
      return { text: gap + events.map(({ seq, event }) => writeFrame(seq, event)).join("") };
    }
    if (outcome !== undefined) return { text: writeFrame(lastEventId, outcome), isLast: true };
    return { text: await waitForEvents(more, signal) };
  };
  return writeEventStream({ next, onClose });
}
