import { createParser } from "eventsource-parser";
import type { Adapter } from "./adapter.ts";
import type { Implementation } from "./implementation.ts";

/** The peer that all push adapters are compared with: its callback, a streaming decoder and JSON.parse. */
export const callbackPeer: Adapter = {
  name: "eventsource-parser callback",
  delivers: "events",
  run({ chunks }, sink) {
    const parser = createParser({ onEvent: ({ data }) => sink.receive(JSON.parse(data)) });
    const decoder = new TextDecoder();
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    parser.feed(decoder.decode());
  },
};

/** The floor of JSON.parse per event: payloads that are strings already, and split. */
export const parseFloor: Adapter = {
  name: "floor: JSON.parse",
  delivers: "events",
  run({ corpus }, sink) {
    for (const payload of corpus.payloads) sink.receive(JSON.parse(payload));
  },
};

const decodeFloor: Adapter = {
  name: "floor: decode + JSON.parse",
  delivers: "events",
  run({ corpus }, sink) {
    const decoder = new TextDecoder();
    for (const payload of corpus.payloadBytes) sink.receive(JSON.parse(decoder.decode(payload)));
  },
};

const scanFloor: Adapter = {
  name: "floor: find line ends",
  delivers: "bytes",
  run({ chunks }, sink) {
    for (const chunk of chunks) {
      let end = chunk.indexOf(0x0a);
      while (end !== -1) end = chunk.indexOf(0x0a, end + 1);
      sink.receiveBytes(chunk.length);
    }
  },
};

/** All ways to read by pushing chunks, ours first. */
export function pushAdapters(implementations: readonly Implementation[]): readonly Adapter[] {
  return [...implementations.map(push), callbackPeer, parseFloor, decodeFloor, scanFloor];
}

/** Pushes chunks to the decoder of an implementation. */
export function push({ name, createAutomationDecoder }: Implementation): Adapter {
  return {
    name,
    delivers: "events",
    run({ chunks }, sink) {
      const decoder = createAutomationDecoder({ onEvent: (event) => sink.receive(event) });
      for (const chunk of chunks) decoder.feed(chunk);
      decoder.end();
    },
  };
}
