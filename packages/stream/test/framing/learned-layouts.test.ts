import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import { createAutomationDecoder } from "../../src/index.ts";
import { getBytes } from "../chunking.ts";

/** What is read of some lines, each followed by a line end: events, and the kinds of reports. */
function readTogether(lines: readonly string[], end: string): unknown[] {
  const things: unknown[] = [];
  const decoder = createAutomationDecoder({
    onEvent: (event) => things.push(event),
    onReport: ({ kind }) => things.push(kind),
  });
  decoder.feed(getBytes(lines.map((line) => line + end).join("")));
  decoder.end();
  return things;
}

/** What was read of single lines. */
const alone = new Map<string, unknown[]>();

/** The same, each line by a decoder of its own, which has learned nothing. */
function readAlone(lines: readonly string[], end: string): unknown[] {
  return lines.flatMap((line) => {
    const things = alone.get(line + end) ?? readTogether([line], end);
    alone.set(line + end, things);
    return things;
  });
}

/** Returns the lines, and what was read of them, if that differs from what is read of each alone. */
function findDifference(lines: readonly string[], end = "\n\n"): unknown[] {
  const [got, want] = [readTogether(lines, end), readAlone(lines, end)];
  const isAlike = want.every((one, index) => {
    const other = got[index];
    const isPlain = typeof other !== "object" || Object.getPrototypeOf(other) === Object.prototype;
    return isPlain && isDeepStrictEqual(one, other) && JSON.stringify(one) === JSON.stringify(other);
  });
  return isAlike && got.length === want.length ? [] : [{ lines, got, want }];
}

/** Objects around one value, in which the others stay the same: each is a layout to be learned. */
const around: ((value: string, index: number) => string)[] = [
  (value) => `{"type":"text_delta","delta":${value}}`,
  (value) => `{"delta":${value},"type":"text_delta"}`,
  (value) => `{"type":"unknown","delta":${value}}`,
  (value, index) => `{"delta":${value},"type":"${index % 2 ? "text_delta" : "thinking_delta"}"}`,
  (value, index) => `{"type":"${index % 2 ? "text_delta" : "tick"}","n":${index},"delta":${value}}`,
  (value) => `{ "type" : "status" , "status" :\t${value} }`,
  (value, index) => `{"id":"e${index}","type":"tool_result","content":${value},"at":${index * 1e12},"last":null}`,
  (value, index) => `{"same":"a\\nb","type":"text_delta","other":"${"x".repeat(index % 30)}","delta":${value}}`,
  (value) => `{"type":"text_delta","__proto__":${value},"toString":"x"}`,
  (value) => `{"type":"text_delta","__proto__":"same","delta":${value},"7":1}`,
  (value, index) => `{"type":"text_delta","delta":"${"é".repeat(index % 30)}","more":${value}}`,
];

/** Values, valid or not, that may stand where another one was. */
// prettier-ignore
const values = [
  "0", "-0", "01", "-", "-01", "1.", ".5", "1.5", "-1.50", "1e400", "-1e400", "1E+2", "1e", "1e-7", "123456789012345", "1234567890123456", "12345678901234567", "90071992547409931", "999999999999999999", "9007199254740993",
  "123456789012345678901234567890", "+1", "0x10", "NaN", "Infinity", "1_0", "1 2", "true", "false", "null", "True", "nul", "truee", "undefined",
  '""', '"a"', '"twelve chars"', '"thirteen char"', '"twenty-four characters !"', '"twenty-five characters !!"', `"${"long ".repeat(50)}"`, `"${"long ".repeat(300)}"`,
  String.raw`"\n"`, String.raw`"\""`, String.raw`"\\"`, String.raw`"\\\""`, String.raw`"a\\\\"`, String.raw`"\/\b\f\r\t"`, String.raw`"\u00e9"`, String.raw`"\ud83d"`, String.raw`"\ude00\ud83d"`,
  String.raw`"\u12"`, String.raw`"\x"`, String.raw`"\u0000"`, String.raw`"\"`, `"${String.raw`\n`.repeat(120)}"`, '"a\tb"', '"\u0000"', '"\u001f"', '"\u007f"', '"\u2028\u2029"',
  '"\ufeff"', '"😀"', '"\u0085"', '"a', 'a"', '"a"b"', '"a","delta":"b"', '"a","type":"status"', '"a","__proto__":{"x":1}', '"a","__proto__":"b"', '"a","constructor":1', '"a","0":1,"b":2',
  '"a"}', '"a"}}', '"a"},{"type":"done"', "{}", "[]", '{"a":[1]}', "[1,]", "", " ", '"a" ', '\t"a"', '\u00a0"a"', '"a"/**/', "'a'",
];

/** Returns so many lines of a layout that it is learned. */
function listLayoutLines(write: (value: string, index: number) => string, some: readonly string[]): string[] {
  return Array.from({ length: 60 }, (_, index) => `data: ${write(some[index % some.length] ?? "", index)}`);
}

test("every value in every layout that was learned is read as by JSON.parse", () => {
  let count = 0;
  const differences: unknown[] = [];
  for (const write of around) {
    for (const usual of [['"the usual text"', '"the vsual text"'], ["7", "8", "-1"], ['"always"']]) {
      const tried = values.flatMap((value) => [value, usual[0] ?? ""]);
      const lines = tried.map((value, index) => `data: ${write(value, index)}`);
      differences.push(...findDifference([...listLayoutLines(write, usual), ...lines]));
      count += lines.length;
    }
  }
  expect(differences).toEqual([]);
  expect(count).toBeGreaterThan(5_000);
});

test("a layout whose values begin to differ is learned again, and read as by JSON.parse meanwhile", () => {
  const differences = around.flatMap((write) => {
    const phases = [['"a"'], ['"b"'], ['"c"', '"d"'], ["1"], ['"a"', "2", "null"]];
    return findDifference(phases.flatMap((phase) => listLayoutLines(write, phase)));
  });
  expect(differences).toEqual([]);
});

const lineEnds = ["\n\n", "\n", "\r\n\r\n", "\r\n", "\r\r", "\n: ping\n\n"];
test.for(lineEnds)("layouts that change in mid-stream are read as by JSON.parse, with %j behind each event", (end) => {
  const some = ['"a"', '"b c"', "1", '"\\u0041"', "null", '"é"', '"\ud800"'];
  const edits = [
    (line: string) => line,
    (line: string) => line.replace(",", ", "),
    (line: string) => line.slice(0, -1),
    (line: string) => line.replace("type", "Type"),
    (line: string) => line.replace("{", "{ "),
    (line: string) => `${line} `,
    (line: string) => line.replace("text_delta", "text_deltas"),
    (line: string) => line.replace("text_delta", "text\\u005fdelta"),
    (line: string) => line.replace('"delta"', '"d\\u0065lta"'),
    (line: string) => line.replace("{", '{"type":"status",'),
    (line: string) => line.replace("}", ',"delta":"twice"}'),
  ];
  const property = fc.property(
    fc.array(fc.tuple(fc.nat(around.length - 1), fc.nat(some.length - 1), fc.nat(edits.length * 4)), {
      minLength: 9,
      maxLength: 40,
    }),
    fc.constantFrom("data: ", "data:"),
    (picks, field) => {
      const first = around[picks[0]?.[0] ?? 0] ?? String;
      const learned = listLayoutLines(first, ['"a"', '"b c"']).map((line) => line.replace("data: ", field));
      const lines = picks.map(([layout, value, edit], index) => {
        const line = around[layout]?.(some[value] ?? "", index) ?? "";
        return field + (edits[edit] ?? edits[0])?.(line);
      });
      // What is left open is joined with the lines after it: those are not read alone.
      const differences = findDifference([...learned, ...lines.filter((line) => line.trimEnd().endsWith("}"))], end);
      expect(differences).toEqual([]);
    },
  );
  expect(() => fc.assert(property, { seed, numRuns: 25 })).not.toThrow();
});

test("a byte order mark is taken off the first line only, also of a layout that comes again", () => {
  const line = 'data: {"delta":"x","type":"text_delta"}';
  const more = Array.from({ length: 60 }, (_, index) => line.replace("x", `${index}`));
  const things = readTogether([`\ufeff${line}`, ...more, `\ufeff${line}`, line], "\n\n");
  expect(things.map((one) => (typeof one === "object" ? `data: ${JSON.stringify(one)}` : one))).toEqual([
    line,
    ...more,
    "unknown-field",
    line,
  ]);
});

test("an event is a new object, which the caller may change", () => {
  const line = 'data: {"delta":"x","type":"text_delta","a":1,"b":"same"}';
  const events: Record<string, unknown>[] = [];
  const decoder = createAutomationDecoder({
    onEvent(event) {
      events.push({ ...event });
      Object.assign(event, { b: "changed", type: "done", more: 1 });
    },
  });
  decoder.feed(getBytes(`${line}\n\n`.repeat(60)));
  expect(events).toEqual(Array.from({ length: 60 }, () => JSON.parse(line.slice(6)) as unknown));
});

const unknownLines = [
  " data: {}",
  "Data: {}",
  "dat: 1",
  "datax: 1",
  '{"error":{"message":"quota"}}',
  "hello",
  "data :1",
  "\tdata: 1",
  "id 7",
  "\ufeffdata: {}",
  "<html>",
];
test.for(unknownLines)("a line that is no field is reported: %j", (line) => {
  const event = 'data: {"type":"status","status":"x"}';
  for (const end of ["\n", "\n\n", "\r\n"]) {
    const want = [{ type: "status", status: "x" }, "unknown-field", { type: "status", status: "x" }];
    expect(readTogether([event, line, event], end)).toEqual(want);
  }
});
const knownLines = ["", ":", ": hi", "id: 7", "id", "event: message", "event:", "retry: 5", "data", "data:", "data: "];
test.for(knownLines)("a line that is a field without an event is not reported: %j", (line) => {
  expect(readTogether([line, line], "\n")).toEqual([]);
});
