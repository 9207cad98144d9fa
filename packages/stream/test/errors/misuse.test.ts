import { inspect } from "node:util";
// oxlint-disable oxc/no-map-spread, unicorn/consistent-function-scoping -- tables are made of tables
import { expect, test } from "vitest";
import {
  createAutomationDecoder,
  createAutomationTransform,
  playRecording,
  readAutomationStream,
  recordStream,
} from "../../src/index.ts";
import { createSource } from "../source.ts";

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
function dropTypes(act: unknown): (...args: unknown[]) => unknown {
  if (typeof act !== "function") throw new Error("no function");
  return (...args) => Reflect.apply(act, undefined, args);
}
const source = () => createSource([]).stream;
const event = { onEvent() {} };
const read = (options: unknown) => dropTypes(readAutomationStream)(source(), options);
const decode = (options: object) => dropTypes(createAutomationDecoder)({ ...event, ...options });
const record = (options: unknown) => dropTypes(recordStream)(source(), options);
function feed(value: unknown): unknown {
  const decoder = createAutomationDecoder(event);
  return dropTypes(decoder.feed.bind(decoder))(value);
}
const recording = '{"format":"cloud-browser-stream-recording","version":1}\n{"end":"complete"}';
const play = (options: unknown) => dropTypes(playRecording)(recording, options);
const wrong: { name: string; fine: RegExp; call: (value: unknown) => unknown }[] = [
  { name: "the source of readAutomationStream", fine: /^$/, call: (value) => dropTypes(readAutomationStream)(value) },
  { name: "the options of readAutomationStream", fine: /object|array|function/, call: read },
  { name: "signal", fine: /^$/, call: (signal) => read({ signal }) },
  { name: "timeouts", fine: /object|array|function/, call: (timeouts) => read({ timeouts }) },
  { name: "maxEventBytes", fine: /^$/, call: (maxEventBytes) => read({ maxEventBytes }) },
  { name: "oversize", fine: /^$/, call: (oversize) => read({ oversize }) },
  { name: "damage", fine: /^$/, call: (damage) => read({ damage }) },
  { name: "onReport", fine: /function/, call: (onReport) => read({ onReport }) },
  { name: "onOutcome", fine: /function/, call: (onOutcome) => read({ onOutcome }) },
  { name: "bytesMs", fine: /^$/, call: (bytesMs) => read({ timeouts: { bytesMs } }) },
  { name: "totalMs", fine: /^$/, call: (totalMs) => read({ timeouts: { totalMs } }) },
  { name: "the source of recordStream", fine: /^$/, call: (value) => dropTypes(recordStream)(value) },
  { name: "the options of recordStream", fine: /object|array|function/, call: record },
  { name: "secrets", fine: /array/, call: (secrets) => record({ secrets }) },
  { name: "a secret", fine: /string/, call: (secret) => record({ secrets: [secret] }) },
  { name: "maxBytes", fine: /number/, call: (maxBytes) => record({ maxBytes }) },
  { name: "now", fine: /function/, call: (now) => record({ now }) },
  { name: "the text of playRecording", fine: /^$/, call: (value) => dropTypes(playRecording)(value) },
  { name: "the options of playRecording", fine: /object|array|function/, call: play },
  { name: "speed", fine: /^$/, call: (speed) => play({ speed }) },
  { name: "chunkBytes", fine: /^$/, call: (chunkBytes) => play({ chunkBytes }) },
  { name: "the signal of playRecording", fine: /^$/, call: (signal) => play({ signal }) },
  { name: "the options of createAutomationDecoder", fine: /^$/, call: (value) => dropTypes(createAutomationDecoder)(value) },
  { name: "onEvent", fine: /function/, call: (onEvent) => decode({ onEvent }) },
  { name: "onReport of a decoder", fine: /function/, call: (onReport) => decode({ onReport }) },
  { name: "the options of createAutomationTransform", fine: /object|array|function/, call: (value) => dropTypes(createAutomationTransform)(value) },
  { name: "maxEventBytes of a decoder", fine: /^$/, call: (maxEventBytes) => decode({ maxEventBytes }) },
  { name: "oversize of a decoder", fine: /^$/, call: (oversize) => decode({ oversize }) },
  { name: "damage of a decoder", fine: /^$/, call: (damage) => decode({ damage }) },
  { name: "what is fed to a decoder", fine: /^$/, call: (value) => feed(value) },
]; // prettier-ignore
const rows = wrong.flatMap((row) =>
  values.filter(({ kind }) => !row.fine.test(kind)).map((each) => ({ ...row, ...each })),
);
test.for(rows)("$kind as $name is misuse", ({ call, value }) => {
  expect(() => call(value)).toThrow(expect.objectContaining({ name: "StreamError", code: "misuse" }));
});

test("a source that is passed with wrong options is still the caller's", () => {
  const mine = source();
  expect(() => dropTypes(readAutomationStream)(mine, { signal: true })).toThrow();
  expect(mine.locked).toBe(false);
});

const noSignals: { name: string; signal: unknown }[] = [
  { name: "an EventTarget", signal: new EventTarget() },
  { name: "a controller", signal: new AbortController() },
  { name: "no way to stop listening", signal: { aborted: false, addEventListener: () => undefined } },
];
test.for(noSignals)("$name is misuse as a signal", ({ signal }) => {
  const misuse = expect.objectContaining({ name: "StreamError", code: "misuse" });
  expect(() => dropTypes(readAutomationStream)(createSource([]), { signal })).toThrow(misuse);
  expect(() => dropTypes(playRecording)(recording, { signal })).toThrow(misuse);
});

test("a text in place of a source is misuse, and no error quotes it", () => {
  const text = 'data: {"type":"status","viewer_url":"https://v.example/CANARY"}\n\n';
  const wrongSource: never = asSource(text);
  for (const call of [() => readAutomationStream(wrongSource), () => recordStream(wrongSource)]) {
    let error: unknown;
    try {
      call();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "misuse", message: expect.stringContaining("not string") });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("CANARY");
  }
});
function asSource(value: unknown): never;
function asSource(value: unknown): unknown {
  return value;
}
