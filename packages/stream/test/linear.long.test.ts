import { expect, test } from "vitest";
import { createAutomationDecoder, readAutomationStream, StreamError } from "../src/index.ts";
import { getBytes } from "./chunking.ts";
import { createSource } from "./source.ts";

const delta = 'data: {"type":"text_delta","delta":"abc"}\n\n';
const unbounded = Number.POSITIVE_INFINITY;

/** One kind of input that grows: `n` is its size, in units of its own. */
interface Family {
  readonly name: string;
  readonly make: (n: number) => string;
  readonly chunk: number;
  /** Size of each of sixteen small ones. */
  readonly small: number;
}

// prettier-ignore
const families: Family[] = [
  { name: "one huge line in chunks of 1 kB", make: (n) => getToolResult("x".repeat(n)), chunk: 1024, small: 500_000 },
  { name: "one huge line of escapes in chunks of 1 kB", make: (n) => getToolResult("\\n".repeat(n)), chunk: 1024, small: 50_000 },
  { name: "one huge delta in chunks of 1 kB", make: (n) => getDelta("x".repeat(n)), chunk: 1024, small: 500_000 },
  { name: "one huge delta that is damaged", make: (n) => `data: {"type":"text_delta","delta":"${"x".repeat(n)}\n`, chunk: 1024, small: 200_000 },
  { name: "one huge line in chunks of one byte", make: (n) => getToolResult("x".repeat(n)), chunk: 1, small: 20_000 },
  { name: "deltas in chunks of one byte", make: (n) => delta.repeat(n), chunk: 1, small: 1000 },
  { name: "one event over many lines", make: (n) => `data: [\n${"data: 1,\n".repeat(n)}data: 1]\n`, chunk: 4096, small: 6250 },
  { name: "a comment that never ends", make: (n) => `:${" ping".repeat(n)}`, chunk: 1024, small: 100_000 },
  { name: "a comment that never ends, byte by byte", make: (n) => `:${" ping".repeat(n)}`, chunk: 1, small: 8000 },
  { name: "nesting that never closes", make: (n) => `${"data: [\n".repeat(n)}data: }\n`, chunk: 4096, small: 300 },
  { name: "nesting that never closes, on one line", make: (n) => `data: ${"[".repeat(n)}\n\n`, chunk: 4096, small: 5000 },
  { name: "small arrays deep inside of others", make: (n) => `data: ${"[".repeat(n)}\n${"data: [],\n".repeat(n)}\n`, chunk: 4096, small: 1500 },
  { name: "objects that are cut after a line", make: (n) => 'data: {\ndata: "a":\n'.repeat(n), chunk: 4096, small: 300 },
  { name: "an open array, and events in it", make: (n) => `data: [\n${'data: {"type":"a"},\n'.repeat(n)}\n`, chunk: 4096, small: 2000 },
  { name: "white space that never becomes an event", make: (n) => `data: {${" ".repeat(n)}"type"${" ".repeat(n)}x\n`, chunk: 4096, small: 50_000 },
  { name: "lines that end in CR, in one chunk", make: (n) => "data: 1\r".repeat(n), chunk: unbounded, small: 5000 },
  { name: "lines without CR, in one chunk", make: (n) => "data: 1\n".repeat(n), chunk: unbounded, small: 5000 },
  { name: "deltas in one chunk", make: (n) => delta.repeat(n), chunk: unbounded, small: 5000 },
  { name: "blank lines in one chunk", make: (n) => "\n".repeat(n), chunk: unbounded, small: 20_000 },
];

function getToolResult(content: string): string {
  return `data: {"type":"tool_result","content":"${content}"}\n`;
}
function getDelta(content: string): string {
  return `data: {"type":"text_delta","delta":"${content}"}\n`;
}

function listChunks(text: string, size: number): Uint8Array[] {
  const bytes = getBytes(text);
  const whole = Math.min(size, bytes.length);
  return Array.from({ length: Math.ceil(bytes.length / whole) }, (_, at) =>
    bytes.subarray(at * whole, (at + 1) * whole),
  );
}

/** Processor time so far, in seconds. */
function readSpentTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Decodes chunks without a bound; fails when that takes more processor time than `limit`, as it could take hours. */
function decode(chunks: readonly Uint8Array[], limit: number, onEvent = (_: object): void => {}): void {
  const decoder = createAutomationDecoder({ onEvent, maxEventBytes: unbounded });
  const end = readSpentTime() + limit;
  for (const [at, chunk] of chunks.entries()) {
    decoder.feed(chunk);
    if (at % 256 === 0 && readSpentTime() > end) throw new Error(`took more than ${limit.toFixed(1)} s for a part`);
  }
  decoder.end();
}

async function measureCost(act: () => unknown): Promise<number> {
  const start = readSpentTime();
  await act();
  return readSpentTime() - start;
}

/** How many times as long the large one takes as sixteen small ones: 1 when linear, 16 when quadratic. */
async function measureRatio(small: () => unknown, large: (limit: number) => unknown): Promise<number> {
  const repeatSmall = async (): Promise<void> => {
    for (let time = 0; time < 16; time++) await small();
  };
  await repeatSmall(); // warms up
  const smallCost = Math.min(await measureCost(repeatSmall), await measureCost(repeatSmall));
  let best = unbounded;
  // Other work on the machine can only make it slower: the best of several counts.
  for (let run = 0; run < 3 && best > bound; run++) {
    best = Math.min(best, (await measureCost(() => large(2 * bound * smallCost + 0.5))) / smallCost);
  }
  return best;
}

const bound = 4;

test.for(families)("takes as long for one large as for sixteen small ones: $name", async ({ make, chunk, small }) => {
  const smallOne = listChunks(make(small), chunk);
  const largeOne = listChunks(make(16 * small), chunk);
  const ratio = await measureRatio(
    () => decode(smallOne, 1),
    (limit) => decode(largeOne, limit),
  );
  expect(ratio).toBeLessThan(bound);
});

test("takes as long for one large as for sixteen small ones: many tiny events behind a slow consumer", async () => {
  const [smallOne, largeOne] = [delta.repeat(3000), delta.repeat(16 * 3000)];
  const consume = async (text: string): Promise<void> => {
    const iterator = readAutomationStream(createSource([text], "hang").stream)[Symbol.asyncIterator]();
    for (let count = text.length / delta.length; count > 0; count--) await iterator.next();
    await iterator.return?.();
  };
  const ratio = await measureRatio(
    () => consume(smallOne),
    () => consume(largeOne),
  );
  expect(ratio).toBeLessThan(bound);
});

const neverClosed = [
  { name: "arrays", line: "data: [\n" },
  { name: "objects", line: 'data: {"a":\n' },
  { name: "objects in objects", line: 'data: {"a":{},"b":\n' },
];
// The end of a block is read in one turn of the event loop: no timer and no abort fires meanwhile.
test.for(neverClosed)("gives up $name that never close at less cost than malformed lines", async ({ line }) => {
  const lines = 50_000;
  const measureEnd = async (): Promise<number> => {
    const decoder = createAutomationDecoder({ onEvent() {} });
    decoder.feed(getBytes(line.repeat(lines)));
    return measureCost(() => decoder.end());
  };
  const malformed = getBytes("data: x\n".repeat(lines));
  const measureAlone = (): Promise<number> => measureCost(() => decode([malformed], 60));
  await measureEnd(); // warms up
  await measureAlone();
  const best = Math.min(await measureEnd(), await measureEnd(), await measureEnd());
  expect(best / Math.min(await measureAlone(), await measureAlone(), await measureAlone())).toBeLessThan(1);
});

const endless = [
  { name: "a comment", head: ":" },
  { name: "a data line", head: 'data: {"type":"text_delta","delta":"' },
];
test.for(endless)("refuses at the default bound $name that never ends", ({ head }) => {
  const decoder = createAutomationDecoder({ onEvent() {} });
  decoder.feed(getBytes(head));
  const chunk = new Uint8Array(65_536).fill(0x78);
  for (let fed = head.length + chunk.length; fed <= 16 * 2 ** 20; fed += chunk.length) decoder.feed(chunk);
  expect(() => decoder.feed(chunk)).toThrow(expect.objectContaining({ code: "event-too-large" }));
  expect(() => decoder.feed(chunk)).toThrow(StreamError);
});

const huge = [
  { name: "tool result", make: getToolResult },
  { name: "delta", make: getDelta },
];
test.for(huge)("reads a $name of 64 MB in chunks of 1 kB", ({ make }) => {
  let length = 0;
  const onEvent = (event: object): void => void (length = JSON.stringify(event).length);
  const [head = "", tail = ""] = make("|").split("|");
  const chunk = new Uint8Array(1024).fill(0x78);
  const chunks = Array.from({ length: 65_536 }, () => chunk);
  decode([getBytes(head), ...chunks, getBytes(tail)], 8, onEvent);
  expect(length).toBe(64 * 2 ** 20 + `${head}${tail}`.length - "data: \n".length);
});
