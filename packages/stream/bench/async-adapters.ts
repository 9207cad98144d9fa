import { jsonSchema, parseJsonEventStream } from "@ai-sdk/provider-utils";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { Stream } from "openai/streaming";
import type { Adapter, Input } from "./adapter.ts";
import type { Implementation } from "./implementation.ts";

/** The peer that all asynchronous adapters are compared with: its documented pipeline, and JSON.parse. */
export const streamPeer: Adapter = {
  name: "eventsource-parser stream",
  delivers: "events",
  async run(input, sink) {
    const texts: ReadableWritablePair<string, Uint8Array<ArrayBuffer>> = new TextDecoderStream();
    const events = createSource(input).pipeThrough(texts).pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) sink.receive(JSON.parse(data));
  },
};

/** The reader of openai's SDK. */
export const openaiPeer: Adapter = {
  name: "openai fromSSEResponse",
  delivers: "events",
  async run(input, sink) {
    const events = Stream.fromSSEResponse<unknown>(new Response(createSource(input)), new AbortController());
    for await (const event of events) sink.receive(event);
  },
};

const vercelPeer: Adapter = {
  name: "vercel parseJsonEventStream",
  delivers: "events",
  async run(input, sink) {
    // A schema without a validator: the cheapest that it accepts.
    const events = parseJsonEventStream({ stream: createSource(input), schema: jsonSchema({}) });
    for await (const result of events) sink.receive(result.success ? result.value : undefined);
  },
};

const readFloor: Adapter = {
  name: "floor: reader.read()",
  delivers: "bytes",
  async run(input, sink) {
    const reader = createSource(input).getReader();
    let step = await reader.read();
    while (!step.done) {
      sink.receiveBytes(step.value.length);
      step = await reader.read();
    }
  },
};

/** All ways to read from a ReadableStream, ours first. */
export function listAsyncAdapters(implementations: readonly Implementation[]): readonly Adapter[] {
  const ours = implementations.flatMap((implementation) => [
    ...[createForAwait(implementation) ?? []].flat(),
    ...listBatchAdapters(implementation),
  ]);
  return [...ours, streamPeer, openaiPeer, vercelPeer, readFloor];
}

/** What the adapter is called that iterates over the batches of an implementation. */
export function nameBatches(implementation: Implementation): string {
  return `${implementation.name}, batches()`;
}

/** Iterates over the events of an implementation; undefined when it has no reader. */
export function createForAwait({ name, readAutomationStream }: Implementation): Adapter | undefined {
  if (!readAutomationStream) return undefined;
  const run: Adapter["run"] = async (input, sink) => {
    for await (const event of readAutomationStream(createSource(input))) sink.receive(event);
  };
  return { name, delivers: "events", run };
}

function listBatchAdapters(implementation: Implementation): readonly Adapter[] {
  const { readAutomationStream } = implementation;
  if (!readAutomationStream || !hasBatches(readAutomationStream)) return [];
  const run: Adapter["run"] = async (input, sink) => {
    const stream = readAutomationStream(createSource(input));
    for await (const batch of stream.batches?.() ?? []) for (const event of batch) sink.receive(event);
  };
  return [{ name: nameBatches(implementation), delivers: "events", run }];
}

/** A stream that makes a chunk when it is asked for one, and holds none. */
function createSource({ chunks }: Input): ReadableStream<Uint8Array<ArrayBuffer>> {
  let index = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks[index++];
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function hasBatches(readAutomationStream: NonNullable<Implementation["readAutomationStream"]>): boolean {
  const stream = readAutomationStream(new ReadableStream({ start: (controller) => controller.close() }));
  void stream.cancel?.();
  return stream.batches !== undefined;
}
