import type { Adapter, Input } from "./adapter.ts";
import type { Corpus } from "./corpus.ts";
import type { Implementation, Snapshot } from "./implementation.ts";
import type { Samples } from "./measurement.ts";
import { median } from "./statistics.ts";

/** The three ways to read one implementation, whose differences are the cost of a snapshot. */
export interface SnapshotAdapters {
  /** Decodes only. */
  readonly decode: Adapter;
  /** Decodes, and reduces every event into a snapshot. */
  readonly both: Adapter;
  /** Reduces events that were decoded before. */
  readonly reduce: Adapter;
}

/** @returns `undefined` when the implementation has no snapshots. */
export function createSnapshotAdapters(implementation: Implementation): SnapshotAdapters | undefined {
  const { name, createAutomationDecoder, createSnapshot, reduceSnapshot } = implementation;
  if (!createSnapshot || !reduceSnapshot) return undefined;
  const decodeInto = ({ chunks }: Input, onEvent: (event: object) => void): void => {
    const decoder = createAutomationDecoder({ onEvent });
    for (const chunk of chunks) decoder.feed(chunk);
    decoder.end();
  };
  const events = new WeakMap<Corpus, readonly object[]>();
  const listEvents = (input: Input): readonly object[] => {
    const decodedEvents = events.get(input.corpus);
    if (decodedEvents) return decodedEvents;
    const fresh: object[] = [];
    decodeInto(input, (event) => fresh.push(event));
    events.set(input.corpus, fresh);
    return fresh;
  };
  return {
    decode: {
      name: `${name}, decode`,
      delivers: "events",
      run: (input, sink) => decodeInto(input, (event) => sink.receive(event)),
    },
    both: {
      name: `${name}, decode + snapshot`,
      delivers: "events",
      run(input, sink) {
        let snapshot = createSnapshot();
        decodeInto(input, (event) => {
          sink.receive(event);
          snapshot = reduceSnapshot(snapshot, event);
        });
        compare(snapshot, input.corpus, name);
      },
    },
    reduce: {
      name: `${name}, snapshot alone`,
      delivers: "events",
      run(input, sink) {
        let snapshot = createSnapshot();
        for (const event of listEvents(input)) {
          sink.receive(event);
          snapshot = reduceSnapshot(snapshot, event);
        }
        compare(snapshot, input.corpus, name);
      },
    },
  };
}

/** What a snapshot costs on top of decoding: the median of the differences within the rounds, in us per event. */
export function computeCostOnTop(samples: Samples, { decode, both }: SnapshotAdapters, events: number): number {
  const decoding = samples.get(decode.name) ?? [];
  const differences = (samples.get(both.name) ?? []).map((cost, round) => cost - (decoding[round] ?? Number.NaN));
  return median(differences) / events;
}

/** The texts that a snapshot of the whole stream must have. */
const expectations = new WeakMap<Corpus, Snapshot>();

function compare(snapshot: Snapshot, corpus: Corpus, name: string): void {
  const expected = expectations.get(corpus) ?? createExpectation(corpus);
  expectations.set(corpus, expected);
  for (const field of ["text", "thinking"] as const) {
    if (snapshot[field] === expected[field]) continue;
    throw new Error(`${name}, snapshot: ${field} is not the ${expected[field].length} characters of its deltas`);
  }
}

function createExpectation({ payloads }: Corpus): Snapshot {
  const join = (type: string): string => payloads.map((payload) => getDelta(JSON.parse(payload), type)).join("");
  return { text: join("text_delta"), thinking: join("thinking_delta") };
}

function getDelta(event: { readonly type: string; readonly delta?: string }, type: string): string {
  return event.type === type ? (event.delta ?? "") : "";
}
