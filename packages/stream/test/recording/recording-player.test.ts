import { inspect } from "node:util";
import { expect, test } from "vitest";
import { playRecording, type PlayOptions } from "../../src/recording/player.ts";
import { getBytes } from "../chunking.ts";
import { drain, joinLines } from "./recording-file.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

const tape = joinLines(
  '{"atMs":0,"text":"abcd"}',
  '{"atMs":120,"text":"e"}',
  '{"atMs":240,"text":"fghi"}',
  '{"end":"complete"}',
);

const speeds = [
  { name: "as recorded", options: { speed: 1 }, at: [0, 120, 240] },
  { name: "twice as fast", options: { speed: 2 }, at: [0, 60, 120] },
  { name: "at half the speed", options: { speed: 0.5 }, at: [0, 240, 480] },
  { name: "all at once", options: {}, at: [0, 0, 0] },
  {
    name: "in pieces of two, each when its last byte came",
    options: { speed: 1, chunkBytes: 2 },
    at: [0, 0, 240, 240, 240],
  },
];
test.for(speeds)("plays $name", async ({ options, at }) => {
  const start = performance.now();
  const own = countOwnTime();
  const times: number[] = [];
  for await (const chunk of playRecording(tape, options)) {
    expect(chunk.length).toBeGreaterThan(0);
    times.push(performance.now() - start);
  }
  const ownMs = own();
  expect(times).toHaveLength(at.length);
  for (const [index, due] of at.entries()) {
    expect(times[index]).toBeGreaterThanOrEqual(due);
  }
  expect(ownMs).toBeLessThan((at.at(-1) ?? 0) + 100);
});

test("does not wait for what is due already when the consumer is slow", async () => {
  const iterator = playRecording(tape, { speed: 1 })[Symbol.asyncIterator]();
  await iterator.next();
  await new Promise((resolve) => setTimeout(resolve, 245));
  const own = countOwnTime();
  await iterator.next();
  await iterator.next();
  expect(own()).toBeLessThan(100);
});

const sizes = [
  { chunkBytes: 1, pieces: ["a", "b", "c", "d", "e", "f", "g", "h", "i"] },
  { chunkBytes: 4, pieces: ["abcd", "efgh", "i"] },
  { chunkBytes: 3, pieces: ["abc", "def", "ghi"] },
  { chunkBytes: 9, pieces: ["abcdefghi"] },
  { chunkBytes: Infinity, pieces: ["abcdefghi"] },
  { chunkBytes: undefined, pieces: ["abcd", "e", "fghi"] },
];
test.for(sizes)("cuts anew to $chunkBytes bytes, and again from the start", async ({ chunkBytes, pieces }) => {
  const source = playRecording(tape, { chunkBytes });
  for (let round = 0; round < 2; round++) {
    const { chunks } = await drain(source);
    expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(pieces);
  }
});

const countTimers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("plays an hour without delays by default", async () => {
  const hour = joinLines('{"atMs":3600000,"text":"a"}', '{"end":"complete"}');
  expect(await drain(playRecording(hour))).toEqual({ chunks: [getBytes("a")] });
});

test("clears its timer when it is left while it waits", async () => {
  const before = countTimers();
  const slow = joinLines('{"atMs":9e9,"text":"a"}', '{"end":"complete"}');
  const iterator = playRecording(slow, { speed: 1 })[Symbol.asyncIterator]();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const pending = iterator.next();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]); // such as that the timer is too long, and so fires at once
  expect(countTimers()).toBe(before + 1);
  await iterator.return?.();
  expect(countTimers()).toBe(before);
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test("throws when the signal aborts: while it waits, between chunks, and before the first", async () => {
  const before = countTimers();
  const controller = new AbortController();
  const options = { speed: 1, signal: controller.signal };
  const aborted = { code: "aborted", cause: "enough" };
  const slow = joinLines('{"atMs":0,"text":"a"}', '{"atMs":60000,"text":"b"}', '{"end":"complete"}');
  const waiting = playRecording(slow, options)[Symbol.asyncIterator]();
  const between = playRecording(slow, options)[Symbol.asyncIterator]();
  await waiting.next();
  await between.next();
  const pending = waiting.next();
  setTimeout(() => controller.abort("enough"));
  await expect(pending).rejects.toMatchObject(aborted);
  expect(countTimers()).toBe(before);
  await expect(between.next()).rejects.toMatchObject(aborted);
  expect(await between.next()).toEqual({ done: true, value: undefined });
  expect(await drain(playRecording(slow, options))).toMatchObject({ chunks: [], error: aborted });
});

const endings = [
  { end: '{"end":"complete"}', throws: false },
  { end: '{"end":"left"}', throws: false },
  { end: '{"end":"open"}', throws: false },
  { end: '{"end":"error"}', throws: true },
  { end: '{"end":"error","truncated":true}', throws: false },
];
test.for(endings)("plays the end $end", async ({ end, throws }) => {
  const { chunks, error } = await drain(playRecording(joinLines('{"atMs":0,"text":"a"}', end)));
  expect(chunks).toEqual([getBytes("a")]);
  expect(error !== undefined).toBe(throws);
});

const good = '{"atMs":0,"text":"a"}';
const end = '{"end":"complete"}';
const bad: { name: string; text: string; options?: PlayOptions; says: string }[] = [
  { name: "no text", text: "", says: "line 1 " },
  { name: "a stream that is no recording", text: 'data: {"type":"s3cr3t"}\n\n', says: "line 1 " },
  { name: "other JSON", text: '{"format":"s3cr3t","version":1}\n', says: "line 1 " },
  { name: "JSON that is no object", text: "null\n", says: "line 1 " },
  { name: "another version", text: joinLines(good, end).replace('n":1', 'n":2'), says: "line 1 " },
  { name: "no end", text: joinLines(), says: "line 2 " },
  { name: "no end after a chunk", text: joinLines(good, good), says: "line 3 " },
  { name: "an end that is none", text: joinLines(good, '{"end":"s3cr3t"}'), says: "line 3 " },
  { name: "lines after the end", text: joinLines(end, good, end), says: "line 2 " },
  { name: "a line that is cut", text: joinLines(good, '{"atMs":0,"text":"s3cr3t', end), says: "line 3 " },
  { name: "an empty line", text: joinLines(good, "", end), says: "line 3 " },
  { name: "a chunk without bytes", text: joinLines('{"atMs":0}', end), says: "line 2 " },
  { name: "a chunk without time", text: joinLines('{"text":"s3cr3t"}', end), says: "line 2 " },
  { name: "a time that is no number", text: joinLines('{"atMs":"0","text":"s3cr3t"}', end), says: "line 2 " },
  { name: "a time without end", text: joinLines('{"atMs":1e999,"text":"s3cr3t"}', end), says: "line 2 " },
  { name: "text that is none", text: joinLines('{"atMs":0,"text":["s3cr3t"]}', end), says: "line 2 " },
  { name: "base64 that is none", text: joinLines('{"atMs":0,"base64":"s3cr3t!"}', end), says: "line 2 " },
  { name: "the speed 0", text: tape, options: { speed: 0 }, says: "speed" },
  { name: "a negative speed", text: tape, options: { speed: -1 }, says: "speed" },
  { name: "a speed that is no number", text: tape, options: { speed: NaN }, says: "speed" },
  { name: "chunks of no bytes", text: tape, options: { chunkBytes: 0 }, says: "chunkBytes" },
  { name: "chunks of a size that is no number", text: tape, options: { chunkBytes: NaN }, says: "chunkBytes" },
];
test.for(bad)("refuses at once: $name", ({ text, options, says }) => {
  let thrown: unknown;
  try {
    playRecording(text, options);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ name: "StreamError", code: "misuse", message: expect.stringContaining(says) });
  expect(inspect(thrown)).not.toContain("s3cr3t");
});

test("plays a file whose lines end with CR LF, and without the last line end", async () => {
  const { chunks } = await drain(playRecording(tape.replaceAll("\n", "\r\n").trimEnd()));
  expect(chunks).toEqual(["abcd", "e", "fghi"].map(getBytes));
});

test("plays a recording that begins with a byte order mark", async () => {
  const { chunks } = await drain(playRecording(`\uFEFF${tape}`));
  expect(Buffer.concat(chunks).toString()).toBe("abcdefghi");
});
