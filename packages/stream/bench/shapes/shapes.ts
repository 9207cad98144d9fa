import { done, frameCorpus, writeFrame, type Corpus } from "../corpus.ts";
import { createRandom, type Random } from "../random.ts";

/** One way in which a server may write its events. */
export interface Shape {
  /** What the table calls it. */
  readonly name: string;
  /** Size and kind of its events, which say what the aims are. */
  readonly group: "today" | "small" | "ten fields" | "2 kB" | "other";
  /** Events per stream. */
  readonly count: number;
  /** Writes an event. */
  readonly write: (random: Random, index: number) => string;
  /** Puts the lines of an event around its text. Default: one `data` line, and a blank line. */
  readonly frame?: (payload: string, index: number) => string;
}

/** A shape as streams: the one to read, and the one that the peers get, who can't read every framing. */
export interface ShapeCorpus {
  readonly shape: Shape;
  readonly corpus: Corpus;
  readonly peers: Corpus;
}

const words = "the page a result of search and price to button from table in row that is for link cart".split(" ");
const wordsBeyondAscii = "café naïve Größe 価格 検索 цена 🛒 €".split(" ");

function phrase(random: Random, count = random.integer(1, 3), from: readonly string[] = words): string {
  return Array.from({ length: count }, () => ` ${random.pick(from)}`).join("");
}

function getText(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += phrase(random, 9);
  return text.slice(0, length);
}

function getType(random: Random): string {
  return random.fraction() < 0.4 ? "thinking_delta" : "text_delta";
}

/** Writes deltas with further fields. */
function fields(more: (random: Random, index: number) => object): Shape["write"] {
  return (random, index) => JSON.stringify({ type: getType(random), delta: phrase(random), ...more(random, index) });
}

const delta = fields(() => ({}));
const small = { group: "small", count: 10_000 } as const;

/** All shapes of the benchmark. */
export const shapes: readonly Shape[] = [
  { name: "type first", group: "today", count: 10_000, write: delta },
  {
    ...small,
    name: "delta first",
    write: (random) => JSON.stringify({ delta: phrase(random), type: getType(random) }),
  },
  { ...small, name: "spaces", write: (random) => `{"type": "${getType(random)}", "delta": "${phrase(random)}"}` },
  { ...small, name: "one more field", write: fields((_, index) => ({ index })) },
  {
    ...small,
    name: "three more fields",
    write: fields((_, index) => ({ id: `event-${index}`, at: 1_762_000_000_123 + index * 17, final: false })),
  },
  {
    ...small,
    name: "ten more fields",
    group: "ten fields",
    write: fields((random, index) => ({
      id: `event-${index}`,
      index,
      at: 1_762_000_000.25 + index,
      run: "run-7",
      thread: "thread-7",
      model: "model-large",
      role: "assistant",
      final: false,
      parent: null,
      language: random.pick(["en", "de"]),
    })),
  },
  {
    ...small,
    name: "nested metadata",
    group: "other",
    write: fields((_, index) => ({ metadata: { thread_id: "thread-7", step: index, tags: ["a", "b"] } })),
  },
  {
    ...small,
    name: "escape in each delta",
    write: (random) => JSON.stringify({ type: getType(random), delta: `${phrase(random)}\n` }),
  },
  {
    ...small,
    name: "letters beyond ASCII",
    write: (random) => JSON.stringify({ type: getType(random), delta: phrase(random, 3, wordsBeyondAscii) }),
  },
  {
    ...small,
    name: "id and event lines",
    write: delta,
    frame: (text, id) => `id: ${id}\nevent: message\n${writeFrame(text)}`,
  },
  { ...small, name: "CRLF", write: delta, frame: (text) => `data: ${text}\r\n\r\n` },
  { ...small, name: "one newline", write: delta, frame: (text) => `data: ${text}\n` },
  { ...small, name: "comment between", write: delta, frame: (text) => `: keep-alive\n\n${writeFrame(text)}` },
  {
    ...small,
    name: "100 B",
    write: (random) => JSON.stringify({ type: getType(random), delta: getText(random, random.integer(50, 70)) }),
  },
  {
    name: "2 kB",
    group: "2 kB",
    count: 2000,
    write: (random) => JSON.stringify({ type: getType(random), delta: getText(random, random.integer(1700, 1900)) }),
  },
  {
    name: "200 kB",
    group: "other",
    count: 24,
    write: (random) => JSON.stringify({ type: "tool_result", content: getText(random, 200_000) }),
  },
];

/** Makes the streams of a shape, the same in every run. `scale` changes the number of events. */
export function createShapeCorpus(shape: Shape, scale: number): ShapeCorpus {
  const random = createRandom(20_261_126);
  const count = Math.max(2, Math.round(shape.count * scale));
  const payloads = Array.from({ length: count - 1 }, (_, index) => shape.write(random, index));
  payloads.push(done);
  return {
    shape,
    corpus: frameCorpus(shape.name, payloads, shape.frame ?? writeFrame),
    peers: frameCorpus(shape.name, payloads, shape.name === "one newline" ? writeFrame : (shape.frame ?? writeFrame)),
  };
}
