import type { EventBlock } from "./event-lines.ts";

/** Events of a run that were delivered, over all of its connections. */
export interface DeliveredEvents {
  /** Begins another connection. */
  connect(): void;
  /** Returns whether an event was not delivered yet, and counts it as delivered. */
  add(block: EventBlock): boolean;
  /** Id of the last event that was delivered; `after` before the first one. */
  readonly lastId: string | undefined;
}

/**
 * Creates a memory of delivered events, to deliver each once, whether a service resumes after an id or sends everything again.
 *
 * An event was delivered when one with the same id and the same text was. The same id with another text is another event:
 * the service counts from the beginning again. Where no event has an id, the events of a connection were delivered as long as they are
 * those of the run, from its first one on.
 *
 * @param after - id of an event that the caller knows, and those with lower numbers, too
 */
export function createDeliveredEvents(after: string | undefined): DeliveredEvents {
  /** Digests of the delivered events by id. */
  const byId = new Map<string, number>();
  /** Digests of the delivered events in their order, as long as none has an id. */
  const inOrder: number[] = [];
  let lastId = after;
  /** Number of events that the connection may send again, and of those that it did. */
  let [repeatable, repeated] = [0, 0];
  return {
    get lastId() {
      return lastId;
    },
    connect() {
      [repeatable, repeated] = [byId.size > 0 ? 0 : inOrder.length, 0];
    },
    add({ id, text }) {
      const digest = hashEvent(text);
      if (id === undefined) {
        if (repeated < repeatable && inOrder[repeated] === digest) {
          repeated++;
          return false;
        }
        repeatable = 0;
        if (byId.size === 0) inOrder.push(digest);
        return true;
      }
      if (byId.get(id) === digest || (!byId.has(id) && isKnown(id, after))) return false;
      byId.set(id, digest);
      lastId = id;
      return true;
    },
  };
}

/** Returns whether an id is that of the last known event, or a lower number. Numbers may have any length. */
function isKnown(id: string, after: string | undefined): boolean {
  if (id === after) return true;
  return after !== undefined && /^\d+$/.test(id) && /^\d+$/.test(after) && BigInt(id) <= BigInt(after);
}

/** Returns a number that differs between texts: their length, and the FNV-1a hash of their UTF-16 codes. */
function hashEvent(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return (text.length % 2 ** 20) * 2 ** 32 + (hash >>> 0);
}
