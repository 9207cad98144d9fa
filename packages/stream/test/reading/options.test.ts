import { expect, test } from "vitest";
import { createAutomationDecoder, readAutomationStream, StreamError, type DecodingOptions } from "../../src/index.ts";
import { getBytes, listCuts } from "../chunking.ts";
import { readTypes, createSource } from "../source.ts";

/** Types of events, and kinds and lines of reports, in their order; and the code of what was thrown. */
function decode(chunks: readonly Uint8Array[], options: DecodingOptions): string[] {
  const words: string[] = [];
  const decoder = createAutomationDecoder({
    ...options,
    onEvent: (event) => void words.push(event.type === "unknown" ? JSON.stringify(event.event) : event.type),
    onReport: ({ kind, line }) => void words.push(`${kind} ${line}`),
  });
  try {
    for (const chunk of chunks) decoder.feed(chunk);
    decoder.end();
  } catch (error) {
    words.push(error instanceof StreamError ? `throws ${error.code}` : String(error));
  }
  return words;
}

const max = 60;
const [a, b, done] = ['data: {"type":"status"}\n', 'data: {"type":"tool_start"}\n', 'data: {"type":"done"}\n'];
/** A data line of so many bytes, without its end. */
function getLine(bytes: number, filler = "x"): string {
  const frame = 'data: {"type":"tool_result","content":""}';
  return frame.replace('""', `"${filler.repeat((bytes - frame.length) / getBytes(filler).length)}"`);
}
const large = getLine(90);

interface Row {
  readonly name: string;
  readonly text: string;
  readonly want: string[];
}
const skipped: Row[] = [
  { name: "a line of the bound, which is not too large", text: `${a}${getLine(max)}\n${b}`, want: ["status", "tool_result", "tool_start"] },
  { name: "a line of the bound without its end", text: `${a}${getLine(max)}`, want: ["status", "tool_result"] },
  { name: "a line of the bound behind a byte order mark, which counts", text: `\uFEFF${getLine(max - 3)}\n${b}`, want: ["tool_result", "tool_start"] },
  { name: "a line of one byte more", text: `${a}${getLine(max + 1)}\n${b}`, want: ["status", "event-too-large 2", "tool_start"] },
  { name: "a line of one byte more, in characters of two bytes", text: `${a}${getLine(max + 1, "é")}\n${b}`, want: ["status", "event-too-large 2", "tool_start"] },
  { name: "a line of characters of four bytes, as long as the bound in bytes", text: `${a}${getLine(max - 3, "😀")}\n${b}`, want: ["status", "tool_result", "tool_start"] },
  { name: "an oversized line", text: `${a}${large}\n${b}`, want: ["status", "event-too-large 2", "tool_start"] },
  { name: "an oversized line between blank lines", text: `${a}\n${large}\n\n${b}\n`, want: ["status", "event-too-large 3", "tool_start"] },
  { name: "an oversized line among CRLF lines", text: `${a}${large}\n\n${b}${done}`.replaceAll("\n", "\r\n"), want: ["status", "event-too-large 2", "tool_start", "done"] },
  { name: "an oversized line among CR lines", text: `${a}${large}\n\n${b}${done}`.replaceAll("\n", "\r"), want: ["status", "event-too-large 2", "tool_start", "done"] },
  { name: "an oversized line at the very start", text: `${large}\n${b}`, want: ["event-too-large 1", "tool_start"] },
  { name: "an oversized line behind a byte order mark", text: `\uFEFF${large}\n${b}`, want: ["event-too-large 1", "tool_start"] },
  { name: "two oversized lines", text: `${large}\n${large}\n${b}data: x\n`, want: ["event-too-large 1", "event-too-large 2", "tool_start", "invalid-json 4"] },
  { name: "an oversized line without its end", text: `${a}${large}`, want: ["status", "event-too-large 2"] },
  { name: "an oversized line that is damaged", text: `${a}data: {${"x".repeat(90)}\n${b}`, want: ["status", "event-too-large 2", "tool_start"] },
  { name: "an oversized comment", text: `${a}:${"x".repeat(90)}\n${b}`, want: ["status", "event-too-large 2", "tool_start"] },
  { name: "an oversized delta", text: `data: {"type":"text_delta","delta":"${"x".repeat(90)}"}\n${b}`, want: ["event-too-large 1", "tool_start"] },
  { name: "an oversized line that looks like lines within", text: `${a}${getLine(90, String.raw`\n`)}\n${b}`, want: ["status", "event-too-large 2", "tool_start"] },
  { name: "an oversized terminal event, which ends nothing then", text: `data: {"type":"done","x":"${"x".repeat(90)}"}\n${b}`, want: ["event-too-large 1", "tool_start"] },
  { name: "an oversized line after the terminal event", text: `${done}${large}\n${a}`, want: ["done", "after-terminal 2", "after-terminal 3"] },
]; // prettier-ignore
test.for(skipped)("skips to the next line, alike at every chunking: $name", ({ text, want }) => {
  for (const { name, chunks } of listCuts(getBytes(text))) {
    const words = decode(chunks, { maxEventBytes: max, oversize: "skip" });
    expect({ name, words }).toEqual({ name, words: want });
  }
});

const many = Array.from({ length: 9 }, (_, at) => `data: "k${at}":"xxxxxxxx",\n`).join("");
const inPieces = [
  { name: "the lines of one event that together are too large", text: `data: {"type":"p",\n${many}data: "z":1}\n\n` },
  { name: "the same in the framing without blank lines", text: `data: {"type":"p",\n${many}data: "z":1}\n` },
  { name: "an event in whose middle one line is too large", text: `data: {"type":"p",\ndata: "x":"${"x".repeat(90)}",\ndata: "y":1}\n\n` },
  { name: "an event of several lines that quotes a terminal event on a line of its own", text: `data: {"type":"p","x":["${"x".repeat(30)}",\ndata: "${"x".repeat(30)}",\n${done}data: ]}\n\n` },
]; // prettier-ignore
test.for(inPieces)("delivers no piece of what it skips, and goes on, alike at every chunking: $name", ({ text }) => {
  const whole = decode([getBytes(`${a}${text}${b}`)], { maxEventBytes: max, oversize: "skip" });
  for (const { name, chunks } of listCuts(getBytes(`${a}${text}${b}`))) {
    const words = decode(chunks, { maxEventBytes: max, oversize: "skip" });
    expect({ name, words }).toEqual({ name, words: whole });
  }
  expect(whole.filter((thing) => !/^[a-z-]+ \d+$/.test(thing))).toEqual(["status", "tool_start"]);
  expect(whole.filter((thing) => thing.startsWith("event-too-large"))).toHaveLength(1);
});
test.for(inPieces)("does not throw for the rest of what it skips when damage throws: $name", ({ text }) => {
  const options: DecodingOptions = { maxEventBytes: max, oversize: "skip", damage: "throw" };
  const words = decode([getBytes(`${a}${text}${b}`)], options);
  expect(words.at(-1)).toBe("tool_start");
});

const thrown: Row[] = [
  { name: "a line of one byte more", text: `${a}${getLine(max + 1)}\n${b}`, want: ["status", "throws event-too-large"] },
  { name: "an oversized line without its end", text: `${a}${large}`, want: ["status", "throws event-too-large"] },
  { name: "an oversized comment", text: `${a}:${"x".repeat(90)}\n${b}`, want: ["status", "throws event-too-large"] },
  { name: "lines of one event that together are too large", text: `${a}data: {"type":"p",\n${many}`, want: ["status", "throws event-too-large"] },
]; // prettier-ignore
test.for(thrown)("throws after the events before, alike at every chunking: $name", async ({ text, want }) => {
  for (const { name, chunks } of listCuts(getBytes(text))) {
    for (const oversize of [undefined, "throw" as const]) {
      const options: DecodingOptions = { maxEventBytes: max, oversize };
      expect({ name, words: decode(chunks, options) }).toEqual({ name, words: want });
      expect(await readTypes(readAutomationStream(createSource(chunks).stream, options))).toEqual(want);
    }
  }
});

const damages: (Row & { code: string })[] = [
  { name: "a line that is no JSON", text: "data: x y\n", want: ["invalid-json 2"], code: "invalid-json" },
  { name: "a line of JSON that is no object", text: "data: [1]\n", want: ["invalid-json 2"], code: "invalid-json" },
  { name: "null", text: "data: null\n", want: ["invalid-json 2"], code: "invalid-json" },
  { name: "an object without a type", text: "data: {}\n", want: ["missing-type 2"], code: "missing-type" },
  { name: "a type that is no string", text: 'data: {"type":1}\n', want: ["missing-type 2"], code: "missing-type" },
  { name: "half an event, which a blank line ends", text: 'data: {"type":\n\n', want: ["invalid-json 2"], code: "invalid-json" },
  { name: "half an event, which another one follows", text: `data: {"type":\n${b}`, want: ["invalid-json 2", "tool_start"], code: "invalid-json" },
]; // prettier-ignore
test.for(damages)("reports or throws, as damage says, alike at every chunking: $name", async ({ text, want, code }) => {
  for (const { name, chunks } of listCuts(getBytes(`${a}${text}${done}`))) {
    for (const options of [{}, { damage: "report" }] as const) {
      expect({ name, words: decode(chunks, options) }).toEqual({ name, words: ["status", ...want, "done"] });
    }
    const words = decode(chunks, { damage: "throw" });
    expect({ name, words }).toEqual({ name, words: ["status", `throws ${code}`] });
    const reading = readAutomationStream(createSource(chunks).stream, { damage: "throw" });
    expect(await readTypes(reading)).toEqual(["status", `throws ${code}`]);
  }
});

const harmless: Row[] = [
  { name: "a sentinel", text: "data: [DONE]\n", want: ["sentinel 2"] },
  { name: "a comment and a blank data line", text: ": x\ndata:\n\n", want: [] },
  { name: "an unknown field", text: "foo: {\n", want: ["unknown-field 2"] },
  { name: "an event of an unlisted type", text: 'data: {"type":"tick"}\n', want: ['{"type":"tick"}'] },
];
test.for(harmless)("does not take for damage: $name", ({ text, want }) => {
  expect(decode([getBytes(`${a}${text}${done}`)], { damage: "throw" })).toEqual(["status", ...want, "done"]);
});
test("does not throw for damage behind the terminal event", async () => {
  const chunks = [getBytes(`${a}${done}data: x y\ndata: {}\n`)];
  expect(decode(chunks, { damage: "throw" })).toEqual(["status", "done", "after-terminal 3", "after-terminal 4"]);
  expect(await readTypes(readAutomationStream(createSource(chunks).stream, { damage: "throw" }))).toEqual([
    "status",
    "done",
  ]);
});

test("skips in a stream that is read, without an end to the line, and to the terminal event", async () => {
  const chunks = [a, large, large, large, "\n", b, done];
  const reports: object[] = [];
  const reading = readAutomationStream(createSource(chunks).stream, {
    maxEventBytes: max,
    oversize: "skip",
    onReport: (report) => reports.push(report),
  });
  expect(await readTypes(reading)).toEqual(["status", "tool_start", "done"]);
  expect(reports).toEqual([{ kind: "event-too-large", line: 2 }]);
});

test.for([0, -1, Number.NaN])("calls a bound of %s misuse", (maxEventBytes) => {
  expect(() => createAutomationDecoder({ onEvent() {}, maxEventBytes })).toThrow(
    expect.objectContaining({ code: "misuse" }),
  );
  expect(() => readAutomationStream(createSource([]).stream, { maxEventBytes })).toThrow(
    expect.objectContaining({ code: "misuse" }),
  );
});
