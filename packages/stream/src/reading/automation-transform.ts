import { readAutomationStream } from "./read-automation-stream.ts";
import type { AutomationStreamOptions } from "./automation-stream.ts";
import type { StreamEvent } from "../events/event.ts";

/**
 * Creates a transform stream from bytes to events, for pipelines: `body.pipeThrough(createAutomationTransform())`.
 *
 * Its readable side has the events that `readAutomationStream` reads: it closes after the terminal event without waiting for
 * the writable side, which then accepts no more chunks, and errors with a `StreamError` when there is no terminal event.
 *
 * Source: interface § Events.
 *
 * @throws {StreamError} `misuse` when an option has the wrong type or range.
 *
 * @example
 * ```ts from=examples/api/stream/create-automation-transform.ts
 * import { createAutomationTransform } from "@cloud-browser/stream";
 *
 * const body = new Blob([`data: {"type":"status","status":"starting"}\n\ndata: {"type":"done"}\n\n`]).stream();
 * const types: string[] = [];
 * for await (const { type } of body.pipeThrough(createAutomationTransform())) types.push(type);
 * console.log(types.join(", ")); // status, done
 * ```
 */
export function createAutomationTransform(options: AutomationStreamOptions = {}): {
  // Written out: `ReadableWritablePair` is no global of `@types/node` 20 and 22.
  readable: ReadableStream<StreamEvent>;
  writable: WritableStream<Uint8Array>;
} {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return { readable: readAutomationStream(readable, options).toReadableStream(), writable };
}
