import { expect, test } from "vitest";
import { createJsonPrefix } from "../../src/framing/json-prefix.ts";

/** State after the last of several lines. */
function readState(text: string): string {
  const prefix = createJsonPrefix();
  let brackets = 1;
  for (const line of text.split("\n")) brackets = brackets > 0 ? prefix(line) : -1;
  return brackets > 0 ? "open" : (["broken", "whole"].at(brackets + 1) ?? "");
}

const wholeTexts = [
  "{}",
  "[]",
  "[[],{}]",
  '{"a":[1,-0,0.5,1e3,-1.25E-7,true,false,null,"x"]}',
  String.raw`{"\"\\\/\b\f\n\r\t\u00e9":"\ud83d"}`,
  '\t {"a" : { } , "b" : [ ] } ',
  '{\n"a":\n[\n1\n,\n2\n]\n}',
  JSON.stringify({ a: [{ b: [null, "\n", 1.5] }], c: {} }, null, 2),
];
test.for(wholeTexts.map((text) => ({ text })))("calls whole what JSON.parse accepts: $text", ({ text }) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(readState(text)).toBe("whole");
});

test.for(wholeTexts.map((text) => ({ text })))("calls every beginning at a line end open: $text", ({ text }) => {
  const lines = text.split("\n");
  const states = lines.slice(0, -1).map((_, end) => readState(lines.slice(0, end + 1).join("\n")));
  expect(states).toEqual(states.map(() => "open"));
});

const brokenTexts = [
  "}",
  "]",
  ":",
  ",",
  "x",
  "[}",
  "{]",
  "{,",
  "[,",
  "{1",
  '{"a"]',
  '{"a",',
  '{"a":}',
  '{"a":,',
  '{"a":1,}',
  "[1,]",
  "[1 2",
  "[1:",
  '{"a":1:',
  '{"a" "b"',
  "{}{",
  '{"a":1}}',
  "[01",
  "[1.",
  "[-",
  "[+1",
  "[1e",
  "[.5",
  "[1a",
  "[truex",
  "[tru",
  "[nul\nl",
  "[1\n2",
  '["a',
  '["a\nb"]',
  '["\u0001"]',
  String.raw`["\x"]`,
  String.raw`["\u12"]`,
  "[\uFEFF",
  "[\u00A0",
  "NaN",
  "[undefined",
  "'a'",
  "{} x",
  "\f{",
];
test.for(brokenTexts.map((text) => ({ text })))("calls beyond repair: $text", ({ text }) => {
  expect(readState(text)).toBe("broken");
  for (const end of ["", "1", "}", "]", '"', '":1}', "]}"])
    expect(() => JSON.parse(`${text}\n${end}`)).toThrow(SyntaxError);
});
