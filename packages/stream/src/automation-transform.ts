import { createAutomationDecoder, type DecodingOptions } from "./automation-decoder.ts";
import { isTerminalEvent, type StreamEvent } from "./event.ts";
import { StreamError } from "./stream-error.ts";

/**
 * Makes a TransformStream from bytes to events, for people who pipe.
 *
 * Its readable side ends after the terminal event, without waiting for its writable side, and errors with `ended-early`
 * when the bytes end before. It has no clocks: `readAutomationStream` has.
 *
 * Source: interface § Events.
 *
 * @throws {StreamError} `misuse` when an option can't be.
 */
export function createAutomationTransform(options: DecodingOptions = {}): TransformStream<Uint8Array, StreamEvent> {
  let ended = false;
  let emit = (_: StreamEvent): void => {};
  const decoder = createAutomationDecoder({ ...options, onEvent: (event) => emit(event) });
  return new TransformStream<Uint8Array, StreamEvent>({
    start(controller) {
      emit = (event) => {
        controller.enqueue(event);
        ended = isTerminalEvent(event);
      };
    },
    transform(chunk, controller) {
      decoder.feed(chunk);
      if (ended) controller.terminate();
    },
    flush() {
      decoder.end();
      if (!ended) throw new StreamError("ended-early");
    },
  });
}
