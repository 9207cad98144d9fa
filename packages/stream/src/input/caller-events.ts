import { isTerminal, type StreamEvent, type TerminalEvent } from "../events/event.ts";
import { reduce, type AutomationSnapshot } from "../events/snapshot.ts";
import { guardArguments } from "./byte-source.ts";
import { assertOptions, isOptions } from "./check-options.ts";

/**
 * Returns whether an event is terminal: the stream ends after it.
 *
 * Source: interface § Events.
 *
 * @throws {StreamError} `misuse` when the event is no object.
 *
 * @example
 * ```ts from=examples/api/stream/is-terminal-event.ts
 * import { isTerminalEvent } from "@cloud-browser/stream";
 *
 * console.log(isTerminalEvent({ type: "text_delta", delta: "At 14:20." })); // false
 * console.log(isTerminalEvent({ type: "cancelled", reason: "by its owner" })); // true
 * ```
 */
export function isTerminalEvent(event: StreamEvent): event is TerminalEvent {
  return guardArguments(() => {
    assertOptions({ event: isOptions(event) });
    return isTerminal(event);
  });
}

/**
 * Returns the snapshot after one more event. A pure reducer. Copies the tool timeline for each of its entries.
 *
 * Source: interface § Events.
 *
 * @throws {StreamError} `misuse` when the snapshot has no tools, or the event is not an object.
 *
 * @example
 * ```ts from=examples/api/stream/reduce-snapshot.ts
 * import { createSnapshot, reduceSnapshot, type StreamEvent } from "@cloud-browser/stream";
 *
 * const events: StreamEvent[] = [
 *   { type: "text_delta", delta: "At " },
 *   { type: "text_delta", delta: "14:20." },
 * ];
 * console.log(events.reduce(reduceSnapshot, createSnapshot()).text); // At 14:20.
 * ```
 */
export function reduceSnapshot(before: AutomationSnapshot, event: StreamEvent): AutomationSnapshot {
  return guardArguments(() => {
    const hasTools = Array.isArray(Object(before).tools);
    // What is said about the arguments costs more than the rest: it is for those that can't be used.
    if (!hasTools || !isOptions(event)) assertOptions({ snapshot: hasTools, event: isOptions(event) });
    return reduce(before, event);
  });
}
