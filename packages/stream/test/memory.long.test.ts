import { execFileSync } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAutomationStream } from "../src/index.ts";
import { sourceOf, status } from "./source.ts";

/**
 * Decodes a text again and again, 64 MB in chunks of 16 kB, keeps one delta of 500 events, and returns the memory that takes.
 *
 * Runs in a process of its own, so it must use nothing else of this file.
 */
function measure({ createAutomationDecoder }: Stream, text: string) {
  const bytes = new TextEncoder().encode(text);
  const kept: string[] = [];
  let events = 0;
  const decoder = createAutomationDecoder({
    onEvent(event) {
      if (events++ % 500 === 0 && event.type === "text_delta") kept.push(event.delta);
    },
  });
  const feed = (total: number): void => {
    for (let fed = 0; fed < total; fed += bytes.length) {
      for (let at = 0; at < bytes.length; at += 16_384) decoder.feed(bytes.slice(at, at + 16_384));
    }
  };
  feed(2 ** 20); // warms up
  globalThis.gc?.();
  const [heapBefore, keptBefore] = [process.memoryUsage().heapUsed, kept.length];
  feed(64 * 2 ** 20);
  globalThis.gc?.();
  const growth = process.memoryUsage().heapUsed - heapBefore;
  return { growth, kept: kept.length - keptBefore, shortest: Math.min(...kept.map(({ length }) => length)) };
}

/** A text of 2003 events: a number without common divisor with 500, so that the one that is kept changes. */
function textOf(line: (at: number) => string): string {
  return Array.from({ length: 2003 }, (_, at) => line(at)).join("\n\n");
}

type Stream = typeof import("../src/index.ts");

/** What a function that uses nothing of this file makes of our module in a process of its own, where garbage can be collected. */
function inOwnProcess<Result>(act: (stream: Stream, text: string) => Result, text: string): Awaited<Result> {
  const source = new URL("../src/index.ts", import.meta.url).href;
  const program = `const act = ${act.toString()};
    console.log(JSON.stringify(await act(await import(${JSON.stringify(source)}), ${JSON.stringify(text)})));`;
  const flags = ["--expose-gc", "--conditions=@cloud-browser/source", "--input-type=module", "-"];
  const result: Awaited<Result> = JSON.parse(
    execFileSync(process.execPath, flags, { input: program, encoding: "utf8" }),
  );
  return result;
}

const words = "the ferry from the third pier leaves soon";
const kinds = [
  { name: "ASCII", line: (at: number) => `data: {"type":"text_delta","delta":"${words} ${at}"}` },
  { name: "any script", line: (at: number) => `data: {"type":"text_delta","delta":"${words} ⛴ ${at}"}` },
  { name: "escapes", line: (at: number) => `data: {"type":"text_delta","delta":"${words}\\n\\"${at}\\""}` },
  { name: "Python's spacing", line: (at: number) => `data: {"type": "text_delta", "delta": "${words} ${at}"}` },
  { name: "more keys", line: (at: number) => `data: {"type":"text_delta","delta":"${words} ${at}","index":${at}}` },
];
test.for(kinds)("keeps a delta without the chunk it came from: $name", ({ line }) => {
  const { growth, kept, shortest } = inOwnProcess(measure, textOf(line));
  expect(kept).toBeGreaterThan(1000);
  expect(shortest).toBeGreaterThanOrEqual(40);
  expect(growth).toBeLessThan(200 * kept + 2 ** 20);
});

const chunks = [
  { name: "one event in each chunk", chunk: status, events: 1 },
  { name: "three events in each chunk", chunk: status.repeat(3), events: 3 },
  { name: "an event in two chunks", chunk: status.slice(0, 20), next: status.slice(20), events: 0.5 },
];
test.for(chunks)("makes the source wait for a slow consumer: $name", async ({ chunk, next = chunk, events }) => {
  const { stream, seen } = sourceOf(Array.from({ length: 100 }, (_, at) => (at % 2 ? next : chunk)));
  const iterator = readAutomationStream(stream)[Symbol.asyncIterator]();
  for (let taken = 1; taken <= 30; taken++) {
    await iterator.next();
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(seen.pulls).toBeLessThanOrEqual(Math.ceil(taken / events) + 1);
  }
  await iterator.return?.();
});

/** Reads only heartbeats, and returns what 300,000 of them add to the heap. */
async function beat({ readAutomationStream: read }: Stream, heartbeat: string): Promise<number> {
  const bytes = new TextEncoder().encode(heartbeat);
  let growth = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 100_000; at++) yield bytes; // warms up
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 300_000; at++) yield bytes;
    globalThis.gc?.();
    growth = process.memoryUsage().heapUsed - before;
  }
  await read(source()).outcome();
  return growth;
}
test("keeps nothing of heartbeats, however many", () => {
  expect(inOwnProcess(beat, ": ping\n\n")).toBeLessThan(2 ** 20);
});
