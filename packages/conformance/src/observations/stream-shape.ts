import { eventSchemas } from "../contract/contract.ts";
import type { ObservedEvent } from "../http/event-stream.ts";
import type { Exchange } from "../http/exchange.ts";

/** Describes in how many pieces the events of a stream came, and how long they took. */
export function describeDelivery({ response }: Exchange, events: readonly ObservedEvent[]): string[] {
  const chunks = response?.chunks ?? [];
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (!first || !last || events.length === 0) return [];
  const seconds = Math.round((last.atMs - first.atMs) / 1000);
  const took = seconds < 1 ? "within a second" : `over ${seconds} s`;
  const pieces =
    chunks.length === 1
      ? "one piece"
      : chunks.length < events.length
        ? "fewer pieces than events"
        : "as many pieces as events, or more";
  return [`${pieces}, ${took}`];
}

/** Returns which listed types came never, once, and more than once. */
export function describeRepetitions(events: readonly ObservedEvent[]): string[] {
  if (events.length === 0) return [];
  return [...eventSchemas.keys()].map((type) => {
    const count = events.filter((event) => event.type === type).length;
    return `${type}: ${count === 0 ? "never" : count === 1 ? "once" : "more than once"}`;
  });
}

/** Describes, for each kind of deltas in a stream, whether each repeats the one before it, and whether any is empty. */
export function deltaForms(events: readonly ObservedEvent[]): string[] {
  return ["thinking_delta", "text_delta"].flatMap((type) => {
    const deltas = events.flatMap(({ type: name, object }) => {
      const delta = name === type ? object?.["delta"] : undefined;
      return typeof delta === "string" ? [delta] : [];
    });
    if (deltas.length === 0) return [];
    const grows = deltas.every((delta, at) => at === 0 || delta.startsWith(deltas[at - 1] ?? ""));
    const form =
      deltas.length === 1 ? "only one" : grows ? "each begins with the one before" : "pieces, in their order";
    return [`${type}: ${form}${deltas.includes("") ? ", an empty one among them" : ""}`];
  });
}
