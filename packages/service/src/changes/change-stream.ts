import { setTimeout as delay } from "node:timers/promises";
import { waitForEvents, writeEvent, writeEventStream, type EventText } from "../event-stream.ts";
import { changeKinds, type ChangeKind, type Changes } from "./changes.ts";

/** Least time between two events of one reader, in milliseconds: changes in between are one event. */
const leastMs = 500;

/** Which changes a reader is told of. */
export interface ChangeReader {
  /** Changes of this node. */
  readonly changes: Changes;
  /** Name of the key whose changes are told; null for the key that the service was started with; undefined: of all keys. */
  readonly key: string | null | undefined;
  /** Follows the changes of other nodes, until the signal aborts. Default: there are none. */
  readonly followOthers?: ((listener: (kinds: readonly ChangeKind[]) => void, signal: AbortSignal) => void) | undefined;
}

/**
 * Returns the changes as server-sent events: each names the kinds of lists that have changed since the one before, at most two a second.
 * The first one names all, so whoever reads the lists with each event misses nothing, also after a lost connection.
 *
 * @param onClose - Called once, when the stream has ended or its reader has gone.
 */
export function changeStream(
  { changes, key, followOthers }: ChangeReader,
  onClose: () => void,
): ReadableStream<Uint8Array> {
  const over = new AbortController();
  const pending = new Set<ChangeKind>(changeKinds);
  let wake = Promise.withResolvers<void>();
  const add = (kinds: readonly ChangeKind[]): void => {
    for (const kind of kinds) pending.add(kind);
    wake.resolve();
  };
  const forget = changes.observe((kind, owner) => {
    if (key === undefined || owner === undefined || owner === key) add([kind]);
  });
  followOthers?.(add, over.signal);
  let nextMs = 0;
  const next = async (signal: AbortSignal): Promise<EventText> => {
    if (pending.size === 0) {
      wake = Promise.withResolvers();
      const comment = await waitForEvents(wake.promise, signal);
      if (comment !== "") return { text: comment };
    }
    await delay(Math.max(0, nextMs - performance.now()), undefined, { signal });
    nextMs = performance.now() + leastMs;
    const kinds = changeKinds.filter((kind) => pending.has(kind));
    pending.clear();
    return { text: writeEvent(JSON.stringify({ kinds })) };
  };
  const close = (): void => {
    forget();
    over.abort();
    onClose();
  };
  return writeEventStream({ next, onClose: close, ended: changes.closed });
}

/** Reads the kinds of changes that another node tells, until its answer ends. */
export async function readChanges(
  body: ReadableStream<Uint8Array>,
  listener: (kinds: readonly ChangeKind[]) => void,
): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) listener(readKinds(line.slice("data: ".length)));
  }
}

function readKinds(text: string): readonly ChangeKind[] {
  const names = new Set<unknown>(Object(JSON.parse(text))["kinds"]);
  return changeKinds.filter((kind) => names.has(kind));
}
