import { afterAll, beforeAll, expect, test } from "vitest";
import * as stream from "../../src/index.ts";
import { createSource } from "../source.ts";
import { oddValues, optionsThatThrow } from "./odd-values.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const recording = '{"format":"cloud-browser-stream-recording","version":1}\n{"end":"complete"}';
const reading = ["signal", "timeouts", "onOutcome", "onReport", "maxEventBytes", "oversize", "damage", "bytesMs"];
/** Every export that is a function: arguments that are fine, and the options of the last one. */
const functions: Record<string, { makeArgs: () => unknown[]; options?: readonly string[] }> = {
  createAutomationDecoder: { makeArgs: () => [{ onEvent() {} }], options: ["onEvent", ...reading] },
  createAutomationTransform: { makeArgs: () => [{}], options: reading },
  createSnapshot: { makeArgs: () => [] },
  isTerminalEvent: { makeArgs: () => [{ type: "done" }], options: ["type"] },
  playRecording: { makeArgs: () => [recording, {}], options: ["speed", "chunkBytes", "signal"] },
  readAutomationStream: { makeArgs: () => [createSource([]).stream, {}], options: reading },
  recordStream: { makeArgs: () => [createSource([]).stream, {}], options: ["secrets", "maxBytes", "now"] },
  reduceSnapshot: { makeArgs: () => [stream.createSnapshot(), { type: "status" }], options: ["type", "status"] },
};

// But for the error itself: it is not created by callers, and takes what it is given.
test("no export is missing above", () => {
  const names = Object.entries(stream)
    .filter(([, value]) => typeof value === "function" && value !== stream.StreamError)
    .map(([name]) => name);
  expect(Object.keys(functions)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
});

const rows = Object.entries(functions).flatMap(([name, { makeArgs, options = [] }]) =>
  makeArgs().flatMap((_, at) =>
    [...oddValues, ...(at === makeArgs().length - 1 ? optionsThatThrow(options) : [])].map(({ kind, value }) => ({
      what: `${kind} as argument ${at + 1} of ${name}`,
      call() {
        const act: unknown = Reflect.get(stream, name);
        if (typeof act !== "function") throw new Error(`${name} is no function`);
        return Reflect.apply(act, undefined, makeArgs().with(at, value));
      },
    })),
  ),
);
test.for(rows)("it works or is misuse: $what", (row) => {
  const codes: unknown[] = [];
  try {
    row.call();
  } catch (thrown) {
    codes.push(Object(thrown).name, Object(thrown).code);
  }
  expect(["", "StreamError,misuse"]).toContain(codes.join());
  expect(unhandled).toEqual([]);
});

const isTerminal = (event: unknown): unknown => Reflect.apply(stream.isTerminalEvent, undefined, [event]);
test.for([{}, [], { type: "constructor" }, { type: "toString" }, { type: 5 }])("is not terminal: %o", (event) => {
  expect(isTerminal(event)).toBe(false);
});

test.for([null, undefined, 5, "done"])("is no event: %o", (event) => {
  const misuse = expect.objectContaining({ name: "StreamError", code: "misuse" });
  expect(() => isTerminal(event)).toThrow(misuse);
  expect(() => void Reflect.apply(stream.reduceSnapshot, undefined, [stream.createSnapshot(), event])).toThrow(misuse);
});
