import { createRandom, type Random } from "./random.ts";

/** Names of the corpora: what an agent sends while it talks, and what it sends in a whole run. */
export const corpusNames = ["deltas", "mixed"] as const;

/** Name of a corpus. */
export type CorpusName = (typeof corpusNames)[number];

/** A stream in every form that an adapter may start from. */
export interface Corpus {
  /** What a table calls it. */
  readonly name: string;
  /** One JSON text per event, as it is on the wire. */
  readonly payloads: readonly string[];
  /** The same, as UTF-8. */
  readonly payloadBytes: readonly Uint8Array<ArrayBuffer>[];
  /** Each event with the lines around it, as views into `bytes`. */
  readonly frames: readonly Uint8Array<ArrayBuffer>[];
  /** The whole stream. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How long the bytes of a chunk are: a number of bytes, or one event. */
export const chunkings = [64, 1024, 16 * 1024, 64 * 1024, "event"] as const;

/** One way to cut a stream. */
export type Chunking = number | "event";

/** The last event of each stream. */
export const done = JSON.stringify({
  type: "done",
  metadata: { thread_id: "thread-7" },
  total_cost_usd: 0.0421,
  function_id: "function-7",
});

type WireEvent = Readonly<Record<string, unknown>>;

const words = (
  "the page a result of search and price to button from table in row that is for link cart on form we with " +
  "click it account checkout found next value open total scroll filter login product list available session"
).split(" ");
const wordsBeyondAscii = "café naïve Größe São 価格 検索 übersicht señal цена 🛒 € résumé".split(" ");
const marks = ["\n", "\n\n", ' "quoted"', "\\n"];

/** Makes the corpus of that name, the same in every run: `count` events, of which the last is `done`. */
export function createCorpus(name: CorpusName, count: number): Corpus {
  const random = createRandom(name === "deltas" ? 20_260_801 : 20_260_802);
  const eventOf = name === "deltas" ? createDelta : createMixed;
  const payloads = Array.from({ length: count - 1 }, () => JSON.stringify(eventOf(random)));
  payloads.push(done);
  return frameCorpus(name, payloads, writeFrame);
}

/** Frames an event as the standard says: one `data` line, and a blank line. */
export function writeFrame(payload: string): string {
  return `data: ${payload}\n\n`;
}

/** Makes a stream of JSON texts; `frame` puts the lines of an event around its text. */
export function frameCorpus(
  name: string,
  payloads: readonly string[],
  frame: (payload: string, index: number) => string,
): Corpus {
  const encoder = new TextEncoder();
  const texts = payloads.map(frame);
  const bytes = encoder.encode(texts.join(""));
  let start = 0;
  const frames = texts.map((text) => {
    const from = start;
    start += Buffer.byteLength(text);
    return bytes.subarray(from, start);
  });
  return { name, payloads, payloadBytes: payloads.map((payload) => encoder.encode(payload)), frames, bytes };
}

/** Cuts the stream. The chunks are views of one buffer, as the chunks of a socket often are. */
export function splitChunks({ bytes, frames }: Corpus, chunking: Chunking): readonly Uint8Array<ArrayBuffer>[] {
  if (chunking === "event") return frames;
  return Array.from({ length: Math.ceil(bytes.length / chunking) }, (_, index) =>
    bytes.subarray(index * chunking, (index + 1) * chunking),
  );
}

/** What a table calls it. */
export function labelChunking(chunking: Chunking): string {
  if (chunking === "event") return "1 event";
  if (chunking >= 2 ** 20) return `${chunking / 2 ** 20} MB`;
  return chunking < 1024 ? `${chunking} B` : `${chunking / 1024} kB`;
}

function createDelta(random: Random): WireEvent {
  const count = random.integer(1, 3);
  let delta = Array.from({ length: count }, () => ` ${chooseWord(random, 0.01)}`).join("");
  // Line ends and quotes are what a model writes, and what JSON has to escape.
  if (random.fraction() < 0.03) delta += random.pick(marks);
  return { type: random.fraction() < 0.4 ? "thinking_delta" : "text_delta", delta };
}

function createMixed(random: Random): WireEvent {
  const roll = random.fraction();
  if (roll < 0.92) return createDelta(random);
  if (roll < 0.945) return { type: "tool_result", content: writeMarkdown(random) };
  if (roll < 0.965) return { type: "tool_start", name: random.pick(["observe", "click", "fill", "scrape", "goto"]) };
  if (roll < 0.98) return { type: "status", status: random.pick(["starting", "running", "waiting"]) };
  if (roll < 0.99) return { type: "message_complete", role: random.pick(["assistant", "user"]) };
  return { type: "progress_note", step: random.integer(1, 99), note: chooseWord(random, 0) };
}

/** 1 to 20 kB of headings, list items with links, and paragraphs; 6 % of its words are not ASCII. */
function writeMarkdown(random: Random): string {
  const length = random.integer(1024, 20 * 1024);
  let text = "";
  while (text.length < length) text += writeBlock(random);
  return text;
}

function writeBlock(random: Random): string {
  const sentence = Array.from({ length: random.integer(4, 14) }, () => chooseWord(random, 0.06)).join(" ");
  const roll = random.fraction();
  if (roll < 0.1) return `## ${sentence}\n\n`;
  if (roll < 0.5) return `- [${sentence}](https://shop.example/p/${random.integer(1000, 9999)}?q=1&r=2)\n`;
  return `${sentence}.\n\n`;
}

function chooseWord(random: Random, beyondAscii: number): string {
  return random.pick(random.fraction() < beyondAscii ? wordsBeyondAscii : words);
}
