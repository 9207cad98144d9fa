import { execFileSync } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAutomationStream } from "../src/index.ts";
import { createSource, status } from "./source.ts";

/**
 * Decodes a text again and again, 64 MB in chunks of 16 kB, keeps one delta of 500 events, and returns the memory that takes.
 *
 * Runs in a process of its own, so it must use nothing else of this file.
 */
function measure({ createAutomationDecoder }: Stream, text: string) {
  const bytes = new TextEncoder().encode(text);
  const deltas: string[] = [];
  let events = 0;
  const decoder = createAutomationDecoder({
    onEvent(event) {
      if (events++ % 500 === 0 && event.type === "text_delta") deltas.push(event.delta);
    },
  });
  const feed = (total: number): void => {
    for (let fed = 0; fed < total; fed += bytes.length) {
      for (let at = 0; at < bytes.length; at += 16_384) decoder.feed(bytes.slice(at, at + 16_384));
    }
  };
  feed(2 ** 20); // warms up
  globalThis.gc?.();
  const [heapBefore, countBefore] = [process.memoryUsage().heapUsed, deltas.length];
  feed(64 * 2 ** 20);
  globalThis.gc?.();
  const growth = process.memoryUsage().heapUsed - heapBefore;
  return { growth, deltaCount: deltas.length - countBefore, shortest: Math.min(...deltas.map(({ length }) => length)) };
}

/** A text of 2003 events: a number without common divisor with 500, so that the one that is kept changes. */
function getText(line: (at: number) => string): string {
  return Array.from({ length: 2003 }, (_, at) => line(at)).join("\n\n");
}

type Stream = typeof import("../src/index.ts");

/** What a function that uses nothing of this file makes of our module in a process of its own, where garbage can be collected. */
function runInOwnProcess<Result>(act: (stream: Stream, text: string) => Result, text: string): Awaited<Result> {
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
  const { growth, deltaCount, shortest } = runInOwnProcess(measure, getText(line));
  expect(deltaCount).toBeGreaterThan(1000);
  expect(shortest).toBeGreaterThanOrEqual(40);
  expect(growth).toBeLessThan(200 * deltaCount + 2 ** 20);
});

/** Reads a stream of deltas of one length, and returns how many bytes each of them takes in the text of the stream. Uses nothing else of this file. */
async function measureText({ readAutomationStream: read }: Stream, plan: string): Promise<number> {
  const [length = 0, events = 0] = plan.split(" ").map(Number);
  const readAll = async (total: number) => {
    let sent = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          let text = "";
          for (let count = 0; count < 100; count++) {
            const delta = `${sent++} `.padEnd(length, "the ferry leaves soon, ");
            text += `data: {"type":"text_delta","delta":"${delta}"}\n\n`;
          }
          controller.enqueue(new TextEncoder().encode(text));
          if (sent < total) return;
          controller.enqueue(new TextEncoder().encode('data: {"type":"done"}\n\n'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const stream = read(source);
    for await (const event of stream) if (event.type === "error") throw new Error("unexpected");
    return stream;
  };
  await readAll(1000); // warms up; what it read may be collected later
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const stream = await readAll(events);
  globalThis.gc?.();
  const growth = process.memoryUsage().heapUsed - before;
  if (stream.snapshot.text.length !== length * events) throw new Error("text is not complete");
  return growth / events;
}

test.for([20, 40, 64, 100, 300, 2000])("keeps deltas of %i characters in little more than these", (length) => {
  const bytes = runInOwnProcess(measureText, `${length} ${length > 1000 ? 10_000 : 100_000}`);
  expect(bytes).toBeGreaterThan(length * 0.9);
  expect(bytes).toBeLessThan(length * 1.2 + 20);
});

const chunks = [
  { name: "one event in each chunk", chunk: status, events: 1 },
  { name: "three events in each chunk", chunk: status.repeat(3), events: 3 },
  { name: "an event in two chunks", chunk: status.slice(0, 20), next: status.slice(20), events: 0.5 },
];
test.for(chunks)("makes the source wait for a slow consumer: $name", async ({ chunk, next = chunk, events }) => {
  const { stream, state } = createSource(Array.from({ length: 100 }, (_, at) => (at % 2 ? next : chunk)));
  const iterator = readAutomationStream(stream)[Symbol.asyncIterator]();
  for (let count = 1; count <= 30; count++) {
    await iterator.next();
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(state.pulls).toBeLessThanOrEqual(Math.ceil(count / events) + 1);
  }
  await iterator.return?.();
});

/** Reads only heartbeats, and returns what 300,000 of them add to the heap. */
async function measureHeartbeats({ readAutomationStream: read }: Stream, heartbeat: string): Promise<number> {
  const bytes = new TextEncoder().encode(heartbeat);
  let growth = 0;
  async function* giveHeartbeats(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 100_000; at++) yield bytes; // warms up
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 300_000; at++) yield bytes;
    globalThis.gc?.();
    growth = process.memoryUsage().heapUsed - before;
  }
  await read(giveHeartbeats()).outcome();
  return growth;
}
test("keeps nothing of heartbeats, however many", () => {
  expect(runInOwnProcess(measureHeartbeats, ": ping\n\n")).toBeLessThan(2 ** 20);
});
