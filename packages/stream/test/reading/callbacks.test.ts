// oxlint-disable oxc/no-map-spread, unicorn/consistent-function-scoping -- tables are made of tables
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createAutomationDecoder,
  readAutomationStream,
  recordStream,
  type AutomationStreamOptions,
} from "../../src/index.ts";
import { getBytes } from "../chunking.ts";
import { settle } from "../pulse.ts";
import { done, readTypes, createSource, status } from "../source.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const failure = new Error("mine");
const fails: { how: string; callback: () => void }[] = [
  {
    how: "throws",
    callback() {
      throw failure;
    },
  },
  { how: "rejects", callback: async () => Promise.reject(failure) },
  {
    how: "rejects later",
    async callback() {
      await new Promise((resolve) => setImmediate(resolve));
      throw failure;
    },
  },
];
const callbacks: { name: string; with: (callback: () => void) => AutomationStreamOptions }[] = [
  { name: "onOutcome", with: (onOutcome) => ({ onOutcome }) },
  { name: "onReport", with: (onReport) => ({ onReport }) },
];
const rows = callbacks.flatMap((callback) => fails.map((failing) => ({ ...callback, ...failing })));

test.for(rows)(
  "an $name that $how costs no event and no outcome, and is in callbackError",
  async ({ with: options, callback }) => {
    const open = () => readAutomationStream(createSource([status, "data: x y\n\n", done]).stream, options(callback));
    const iterated = open();
    expect(iterated.callbackError).toBeUndefined();
    expect(await readTypes(iterated)).toEqual(["status", "done"]);
    const awaited = open();
    for (const reading of [iterated, awaited]) {
      expect(await reading.outcome()).toMatchObject({ type: "done" });
      await settle();
      expect(reading.callbackError).toMatchObject({ name: "StreamError", code: "misuse", cause: failure });
    }
    expect(unhandled).toEqual([]);
  },
);

test("an onOutcome that fails after an abort is in callbackError, too", async () => {
  const callback = (): never => {
    throw failure;
  };
  const controller = new AbortController();
  const reading = readAutomationStream(createSource([status], "hang").stream, {
    signal: controller.signal,
    onOutcome: callback,
  });
  const iterated = readTypes(reading);
  controller.abort();
  expect(await iterated).toEqual(["throws aborted"]);
  await settle();
  expect(reading.callbackError).toMatchObject({ code: "misuse", cause: failure });
  expect(unhandled).toEqual([]);
});

/** Sources of the caller's, whose every function can fail at once. */
function createThrowing(name: string, first?: Uint8Array): ReadableStream<Uint8Array>;
function createThrowing(name: string, first?: Uint8Array): object {
  const act = (own: string, result: unknown) => () => {
    if (own === name) throw failure;
    return result;
  };
  let chunk = first;
  const read = (): unknown => {
    if (name === "read") throw failure;
    if (name === "nothing") return undefined;
    if (name === "null") return Promise.resolve(null);
    const value = chunk;
    chunk = undefined;
    return Promise.resolve(value ? { done: false, value } : { done: true });
  };
  return {
    getReader: () => ({ read, cancel: act("cancel", undefined), releaseLock: act("releaseLock", undefined) }),
  };
}
const bytes = new TextEncoder().encode(done);
const sources: { name: string; want: string[] }[] = [
  { name: "read", want: ["throws connection-lost"] },
  { name: "nothing", want: ["throws connection-lost"] },
  { name: "null", want: ["throws connection-lost"] },
  { name: "cancel", want: ["done"] },
  { name: "releaseLock", want: ["done"] },
];
test.for(sources)("a reader of the caller's with a faulty `$name` breaks nothing else", async ({ name, want }) => {
  const reading = readAutomationStream(createThrowing(name, bytes));
  expect(await readTypes(reading)).toEqual(want);
  expect((await reading.outcome()).type).toBe(want[0] === "done" ? "done" : "broken");
  await settle();
  expect(unhandled).toEqual([]);
});

test("a clock of a recorder that fails loses no event", async () => {
  const now = (): never => {
    throw failure;
  };
  const recorder = recordStream(createSource([status, done]).stream, { now });
  expect(await readTypes(readAutomationStream(recorder.source))).toEqual(["status", "done"]);
  expect(recorder.recording()).toContain('"truncated":true');
});

test.for(["feed", "end"] as const)(
  "the error of an onEvent of a decoder that rejects is thrown by the next %s",
  async (next) => {
    for (const name of ["onEvent", "onReport"] as const) {
      const decoder = createAutomationDecoder({ onEvent() {}, [name]: async () => Promise.reject(failure) });
      decoder.feed(getBytes(name === "onEvent" ? status : "data: x y\n\n"));
      await settle();
      const reported = expect.objectContaining({ name: "StreamError", code: "misuse", cause: failure });
      expect(() => (next === "end" ? decoder.end() : decoder.feed(new Uint8Array()))).toThrow(reported);
      expect(unhandled).toEqual([]);
    }
  },
);
