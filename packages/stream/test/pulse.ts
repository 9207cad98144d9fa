import { setTimeout as sleep } from "node:timers/promises";
import { StreamError } from "../src/index.ts";
import { getBytes } from "./chunking.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

/** A source in one of its two shapes, and whether it was let go. */
export interface Pulse {
  readonly source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly state: { readonly released: boolean };
}

/** A source that gives `first` at once, and then `beat` every 10 ms for ever; nothing more without a beat. */
export function createPulse(shape: "stream" | "iterator", first: string | undefined, beat?: string): Pulse {
  const state = { released: false };
  let firstText = first;
  const next = async (): Promise<Uint8Array> => {
    if (firstText === undefined) await (beat === undefined ? new Promise<never>(() => {}) : sleep(10));
    const text = firstText ?? beat ?? "";
    firstText = undefined;
    return getBytes(text);
  };
  const release = (): void => {
    state.released = true;
  };
  if (shape === "stream") {
    const source = new ReadableStream<Uint8Array>(
      { pull: async (controller) => controller.enqueue(await next()), cancel: release },
      { highWaterMark: 0 },
    );
    return { source, state };
  }
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => ({ done: false, value: await next() }),
    async return() {
      release();
      return { done: true, value: undefined };
    },
  };
  return { source: { [Symbol.asyncIterator]: () => iterator }, state };
}

/** The error that an iteration ends with (`undefined` when it ends without), and after how many milliseconds, by the clock and of this process's own time. */
export async function findFailure(
  events: AsyncIterable<unknown>,
): Promise<{ error: StreamError | undefined; ms: number; ownMs: number }> {
  const from = performance.now();
  const own = countOwnTime();
  let error: StreamError | undefined;
  try {
    for await (const event of events) void event;
  } catch (thrown) {
    if (!(thrown instanceof StreamError)) throw thrown;
    error = thrown;
  }
  return { error, ms: performance.now() - from, ownMs: own() };
}

/** One turn of the event loop and more: all that is due has happened. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
