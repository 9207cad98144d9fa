import { StreamError, type StreamEvent } from "../src/index.ts";
import { getBytes } from "./chunking.ts";

/** An event that is not terminal. */
export const status = 'data: {"type":"status","status":"running"}\n\n';
/** A terminal event. */
export const done = 'data: {"type":"done","total_cost_usd":0.5,"metadata":{"thread_id":"t"}}\n\n';
/** Headers of a response that claims to be an event stream. */
export const sse = { "content-type": "text/event-stream; charset=utf-8" };

/** A source that gives the chunks, and then ends, fails or hangs; it remembers whether it was let go. */
export function createSource(chunks: (string | Uint8Array)[], then: "end" | "hang" | Error = "end") {
  const state = { pulls: 0, cancelled: false };
  const waiting = [...chunks];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pulls++;
        const chunk = waiting.shift();
        if (chunk !== undefined) return controller.enqueue(typeof chunk === "string" ? getBytes(chunk) : chunk);
        if (then === "end") return controller.close();
        if (then !== "hang") return controller.error(then);
        return new Promise<void>(() => {});
      },
      cancel() {
        state.cancelled = true;
        return then === "hang" ? new Promise<void>(() => {}) : undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

/** The types of all events of an iteration, and the code of the error that ended it. */
export async function readTypes(events: AsyncIterable<StreamEvent>): Promise<string[]> {
  const types: string[] = [];
  try {
    for await (const event of events) types.push(event.type);
  } catch (error) {
    types.push(error instanceof StreamError ? `throws ${error.code}` : String(error));
  }
  return types;
}
