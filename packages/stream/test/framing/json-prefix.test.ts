import { expect, test } from "vitest";
import { createJsonPrefix } from "../../src/framing/json-prefix.ts";

/** State after the last of several lines. */
function readState(text: string): string {
  const prefix = createJsonPrefix();
  let brackets = 1;
  for (const line of text.split("\n")) brackets = brackets > 0 ? prefix(line) : -1;
  return brackets > 0 ? "open" : (["broken", "whole"].at(brackets + 1) ?? "");
}

const whole = [
  "{}",
  "[]",
  "[[],{}]",
  '{"a":[1,-0,0.5,1e3,-1.25E-7,true,false,null,"x"]}',
  String.raw`{"\"\\\/\b\f\n\r\t\u00e9":"\ud83d"}`,
  '\t {"a" : { } , "b" : [ ] } ',
  '{\n"a":\n[\n1\n,\n2\n]\n}',
  JSON.stringify({ a: [{ b: [null, "\n", 1.5] }], c: {} }, null, 2),
];
test.for(whole.map((given) => ({ given })))("calls whole what JSON.parse accepts: $given", ({ given }) => {
  expect(JSON.parse(given)).toBeDefined();
  expect(readState(given)).toBe("whole");
});

test.for(whole.map((given) => ({ given })))("calls every beginning at a line end open: $given", ({ given }) => {
  const lines = given.split("\n");
  const got = lines.slice(0, -1).map((_, end) => readState(lines.slice(0, end + 1).join("\n")));
  expect(got).toEqual(got.map(() => "open"));
});

const broken = [
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
test.for(broken.map((given) => ({ given })))("calls beyond repair: $given", ({ given }) => {
  expect(readState(given)).toBe("broken");
  for (const end of ["", "1", "}", "]", '"', '":1}', "]}"])
    expect(() => JSON.parse(`${given}\n${end}`)).toThrow(SyntaxError);
});
