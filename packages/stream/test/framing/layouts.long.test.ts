import * as fc from "fast-check";
import { inspect, isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { createAutomationDecoder } from "../../src/index.ts";
import { readByOracle } from "../oracle.ts";

/** What is read of a stream that is cut at some offsets: events and reports. */
function readCut(bytes: Uint8Array, offsets: readonly number[]): unknown[] {
  const things: unknown[] = [];
  const note = (thing: unknown): void => void things.push(thing);
  const decoder = createAutomationDecoder({ onEvent: note, onReport: note });
  let from = 0;
  for (const to of [...offsets, bytes.length]) {
    decoder.feed(bytes.slice(from, to));
    from = to;
  }
  decoder.end();
  return things;
}

/** Fails when a stream is not read as the oracle reads it: down to the order of keys, the sign of zero and prototypes. */
function mustBeRead(bytes: Uint8Array, cuts: readonly (readonly number[])[]): void {
  const want = readByOracle(bytes).things;
  for (const offsets of cuts) {
    const things = readCut(bytes, offsets);
    if (isDeepStrictEqual(things, want) && JSON.stringify(things) === JSON.stringify(want)) continue;
    const text = JSON.stringify(Buffer.from(bytes).toString("latin1"));
    throw new Error(`${text} cut at ${offsets.join()}: got ${inspect(things)}, want ${inspect(want)}`);
  }
}

const keys = [
  "delta",
  "content",
  "id",
  "at",
  "a b",
  "é",
  "__proto__",
  "constructor",
  "toString",
  "7",
  "",
  "ty",
  "Type",
];
const spaces = ["", "", "", " ", "\t", "  "];
const types = ["text_delta", "thinking_delta", "status", "tick", "unknown", "__proto__", "text_deltas"];
/** Values as they are written; ‹FF› is the byte 0xFF, which can't be in a text. */
const scalars = String.raw`0|-0|7|-1|1.5|1e3|1E-7|1e400|-1e400|9007199254740993|123456789012345|1234567890123456|0.1|true|false|null|01|1.|-|+1|nul|{}|[1]`;
const strings = String.raw`|x|a word|twelve chars|thirteen char|twenty-five characters !!|é|😀|€uro|\n|two\n\nlines|\"|\\|\\\"|\/|\t\b\f\r|\u00e9|\u0000|\ud83d|\ude00\ud83d|\ud83d\ude00|a\\\\|\n\n\n\n\n|x\u005c|\u12|\x|a"b|‹FF›|‹C3›|‹F0›‹9F›|‹ED›‹A0›‹80›|‹09›|‹00›|‹EF›‹BB›‹BF›`;
const scalar = fc.constantFrom(...scalars.split("|"));
const string = fc.constantFrom(...strings.split("|")).map((text) => `"${text}"`);

/** Bytes of a text in which `‹FF›` stands for the byte 0xFF. */
function getBytes(text: string): Uint8Array {
  const parts = text.split(/‹([\dA-F]{2})›/);
  return Buffer.concat(parts.map((part, at) => Buffer.from(part, at % 2 ? "hex" : "utf8")));
}

/** A layout: keys in their order, which may come twice, the kinds of their values, and the spaces around them. */
const layout = fc.record({
  fields: fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 4 }),
  typeAt: fc.nat(4),
  gap: fc.constantFrom(...spaces),
  head: fc.constantFrom("data: ", "data: ", "data:", "data:  "),
});
/** A line: mostly of the first layout, its type, and a value for each of its fields. */
const line = fc.record({
  which: fc.constantFrom(0, 0, 0, 1),
  type: fc.nat(types.length - 1),
  values: fc.array(fc.tuple(string, scalar), { minLength: 4, maxLength: 4 }),
  edit: fc.nat(60),
});
const edits = [
  (text: string) => text.slice(0, -1),
  (text: string) => text.replace("{", '{"type":"done",'),
  (text: string) => text.replace("type", String.raw`t\u0079pe`),
  (text: string) => `${text} `,
  (text: string) => `\uFEFF${text}`,
];
/** How many lines come before, from which the first layout is learned. */
const learnedLines = 60;
const stream = fc
  .record({
    layouts: fc.tuple(layout, layout),
    // Which values, and whether types, differ in the lines from which the layout is learned.
    varied: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    firstTypes: fc.tuple(fc.nat(types.length - 1), fc.nat(types.length - 1)),
    lines: fc.array(line, { minLength: 4, maxLength: 14 }),
    end: fc.constantFrom("\n\n", "\n\n", "\n", "\r\n\r\n", "\r\n", "\r", "\n: ping\n\n"),
    mark: fc.constantFrom("", "", "\uFEFF"),
  })
  .map(({ layouts, varied, firstTypes, lines, end, mark }) => {
    const first = Array.from({ length: learnedLines }, (_, index) => ({
      which: 0,
      type: firstTypes[varied[4] ? index % 2 : 0] ?? 0,
      values: varied.map((varies) => (varies ? [`"word ${index}"`, `${index}`] : ['"word"', "7"])),
      edit: edits.length,
    }));
    const texts = [...first, ...lines].map(({ which, type, values, edit }) => {
      const { fields, typeAt, gap, head } = layouts[which] ?? layouts[0];
      const all = fields.map(([key, isString], index) => `"${key}"${gap}:${gap}${values[index]?.[isString ? 0 : 1]}`);
      all.splice(typeAt, 0, `"type"${gap}:${gap}"${types[type]}"`);
      return (edits[edit] ?? String)(`${head}{${gap}${all.join(`${gap},${gap}`)}${gap}}`);
    });
    const [before, after] = [texts.slice(0, learnedLines), texts.slice(learnedLines)].map((part) =>
      part.map((text) => text + end).join(""),
    );
    const bytes = getBytes(`${mark}${before}${after}`);
    return { bytes, learned: getBytes(`${mark}${before}`).length };
  });

test("streams of any layouts are read as by JSON.parse, at every size of chunks", () => {
  const property = fc.property(stream, fc.integer({ min: 2, max: 900 }), ({ bytes }, size) => {
    const every = (step: number): number[] =>
      Array.from({ length: Math.ceil(bytes.length / step) - 1 }, (_, index) => (index + 1) * step);
    mustBeRead(bytes, [[], every(1), every(size)]);
  });
  const details = fc.check(property, { seed, numRuns: 3000 });
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  expect(details.numRuns).toBe(3000);
});

test("streams of any layouts are read as by JSON.parse, cut in two at every byte", () => {
  const property = fc.property(stream, ({ bytes, learned }) =>
    mustBeRead(
      bytes,
      Array.from(bytes.subarray(learned), (_, at) => [learned + at]),
    ),
  );
  const details = fc.check(property, { seed, numRuns: 30 });
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  expect(details.numRuns).toBe(30);
});
