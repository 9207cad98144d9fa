import { guardArguments, type AutomationSource } from "../input/byte-source.ts";
import { StreamError } from "../errors/stream-error.ts";
import type { StreamEvent } from "../events/event.ts";
import type { AutomationStream, AutomationStreamOptions } from "./automation-stream.ts";
import { createStreamReader } from "./stream-reader.ts";

/**
 * Reads an automation stream to its terminal event, or to an error.
 *
 * Both framings are accepted: a blank line between events, or a single line end. It stops at the terminal event, even if the
 * source continues. It never reconnects and never repeats a request, which would start, and bill, another run.
 *
 * Source: interface § Events, interface § States and transitions.
 *
 * @throws {StreamError} `misuse` when the source or an option is invalid. Other errors are thrown by the iteration, and are in
 * the outcome.
 *
 * @example
 * ```ts from=examples/api/stream/read-automation-stream.ts
 * import { readAutomationStream } from "@cloud-browser/stream";
 *
 * const response = new Response(
 *   `data: {"type":"text_delta","delta":"At 14:20."}\n\ndata: {"type":"done","total_cost_usd":0.04}\n\n`,
 *   { headers: { "content-type": "text/event-stream" } },
 * );
 * const stream = readAutomationStream(response, { timeouts: { totalMs: 900_000 } });
 * for await (const event of stream) if (event.type === "text_delta") console.log(event.delta); // At 14:20.
 *
 * const outcome = await stream.outcome(); // exactly one: done, error, timeout, cancelled, or broken
 * console.log(outcome.type === "done" && outcome.event.total_cost_usd); // 0.04
 * ```
 */
export function readAutomationStream(
  source: AutomationSource,
  options: AutomationStreamOptions = {},
): AutomationStream {
  const reader = guardArguments(() => createStreamReader(source, options));
  const { take, takeAll, settle, leave } = reader;
  /** True once an iteration was started: there can be only one. */
  let used = false;
  /** True once the iteration threw the error of the outcome: it does so once. */
  let thrown = false;

  /** Starts the iteration over events or batches. */
  const iterate = <Item extends object>(shift: () => Item | undefined): AsyncIterableIterator<Item, undefined> => {
    if (used) throw new StreamError("misuse", "events can be read once, and not after outcome()");
    used = true;
    /** Reads until there is an item, or the end. */
    const readNext = async (): Promise<IteratorResult<Item, undefined>> => {
      for (;;) {
        const outcome = settle();
        if (outcome) {
          if (outcome.type !== "broken" || thrown) return { done: true, value: undefined };
          thrown = true;
          throw outcome.error;
        }
        await reader.read();
        const value = shift();
        if (value) return { done: false, value };
      }
    };
    return {
      // Not `async`: what is decoded already takes no more than the promise that iterators must return.
      next() {
        const value = shift();
        return value ? Promise.resolve({ done: false, value }) : readNext();
      },
      async return() {
        await leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
  const drain = async (): Promise<void> => {
    for await (const _ of iterate(takeAll));
  };

  const stream: AutomationStream = {
    [Symbol.asyncIterator]: () => iterate(take),
    batches: () => iterate(takeAll),
    toReadableStream() {
      const iterator = iterate(take);
      return new ReadableStream<StreamEvent>(
        {
          async pull(controller) {
            const { done, value } = await iterator.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: leave,
        },
        { highWaterMark: 0 },
      );
    },
    outcome() {
      if (!used) drain().catch(() => undefined); // the error is part of the outcome
      return reader.outcome;
    },
    get snapshot() {
      return reader.snapshot();
    },
    get callbackError() {
      return reader.callbackError;
    },
    cancel: leave,
    [Symbol.asyncDispose]: leave,
  };
  // The snapshot may have the address of the viewer, which is a secret: loggers serialize and inspect enumerable properties.
  for (const name of ["snapshot", "callbackError"]) Object.defineProperty(stream, name, { enumerable: false });
  return stream;
}
