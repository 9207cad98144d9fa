// oxlint-disable oxc/no-map-spread, unicorn/consistent-function-scoping -- tables are made of tables
import { expect, test } from "vitest";
import {
  createAutomationDecoder,
  createAutomationTransform,
  playRecording,
  readAutomationStream,
  recordStream,
} from "../src/index.ts";
import { sourceOf } from "./source.ts";

/** One value of each kind that JavaScript has. */
const values: { kind: string; value: unknown }[] = [
  { kind: "null", value: null },
  { kind: "a boolean", value: true },
  { kind: "a number", value: -1 },
  { kind: "not a number", value: NaN },
  { kind: "a string", value: "s" },
  { kind: "a symbol", value: Symbol("s") },
  { kind: "a bigint", value: -1n },
  { kind: "an object", value: {} },
  { kind: "an array", value: [] },
  { kind: "a function", value: () => 1 },
];

/** A function as a caller without types calls it. */
function untyped(act: unknown): (...given: unknown[]) => unknown {
  if (typeof act !== "function") throw new Error("no function");
  return (...given) => Reflect.apply(act, undefined, given);
}
const source = () => sourceOf([]).stream;
const event = { onEvent() {} };
const wrong: { name: string; fine: RegExp; call: (value: unknown) => unknown }[] = [
  { name: "the source of readAutomationStream", fine: /^$/, call: (value) => untyped(readAutomationStream)(value) },
  { name: "the options of readAutomationStream", fine: /object|array|function|boolean|number|string|symbol|bigint/, call: (value) => untyped(readAutomationStream)(source(), value) },
  { name: "signal", fine: /null/, call: (signal) => untyped(readAutomationStream)(source(), { signal }) },
  { name: "timeouts", fine: /object|array|function|boolean|number|string|symbol|bigint/, call: (timeouts) => untyped(readAutomationStream)(source(), { timeouts }) },
  { name: "maxEventBytes", fine: /boolean/, call: (maxEventBytes) => untyped(readAutomationStream)(source(), { maxEventBytes }) },
  { name: "bytesMs", fine: /boolean/, call: (bytesMs) => untyped(readAutomationStream)(source(), { timeouts: { bytesMs } }) },
  { name: "the source of recordStream", fine: /^$/, call: (value) => untyped(recordStream)(value) },
  { name: "the text of playRecording", fine: /^$/, call: (value) => untyped(playRecording)(value) },
  { name: "the options of createAutomationDecoder", fine: /^$/, call: (value) => untyped(createAutomationDecoder)(value) },
  { name: "onEvent", fine: /function/, call: (onEvent) => untyped(createAutomationDecoder)({ onEvent }) },
  { name: "the options of createAutomationTransform", fine: /object|array|function|boolean|number|string|symbol|bigint/, call: (value) => untyped(createAutomationTransform)(value) },
  { name: "maxEventBytes of a decoder", fine: /boolean|symbol/, call: (maxEventBytes) => untyped(createAutomationDecoder)({ ...event, maxEventBytes }) },
]; // prettier-ignore
const rows = wrong.flatMap((row) =>
  values.filter(({ kind }) => !row.fine.test(kind)).map((each) => ({ ...row, ...each })),
);
test.for(rows)("$kind as $name is misuse", ({ call, value }) => {
  expect(() => call(value)).toThrow(expect.objectContaining({ name: "StreamError", code: "misuse" }));
});
