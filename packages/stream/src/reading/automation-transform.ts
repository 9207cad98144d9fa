import { readAutomationStream } from "./automation-stream.ts";
import type { AutomationStreamOptions } from "./reading.ts";
import type { StreamEvent } from "../events/event.ts";

/**
 * Makes a transform stream from bytes to events, for people who pipe: `body.pipeThrough(createAutomationTransform())`.
 *
 * Its readable side is what `readAutomationStream` gives of the bytes: it ends after the terminal event, without waiting for
 * its writable side, which takes nothing more then; it errors with a `StreamError` when there is none.
 *
 * Source: interface § Events.
 *
 * @throws {StreamError} `misuse` when an option can't be.
 */
export function createAutomationTransform(
  options: AutomationStreamOptions = {},
): ReadableWritablePair<StreamEvent, Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return { readable: readAutomationStream(readable, options).toReadableStream(), writable };
}
