import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readAutomationStream, recordStream } from "../../src/index.ts";
import { getBytes } from "../chunking.ts";
import { done, readTypes, createSource, status } from "../source.ts";

// Jest runs tests in a realm of their own, and `fetch` is of another one: what it gives is no instance of their classes.
const elsewhere: {
  readonly copyBytes: (bytes: Uint8Array) => Uint8Array;
  readonly createError: (name: string) => Error;
} = runInNewContext(`({
  copyBytes: (bytes) => Uint8Array.from(bytes),
  createError: (name) => Object.assign(new Error("it broke off"), { name }),
})`);

const createChunks = (): Uint8Array[] => [status, done].map((text) => elsewhere.copyBytes(getBytes(text)));

test("bytes of another realm are bytes", async () => {
  expect(createChunks()[0] instanceof Uint8Array).toBe(false);
  expect(await readTypes(readAutomationStream(createSource(createChunks()).stream))).toEqual(["status", "done"]);

  const recorder = recordStream(createSource(createChunks()).stream);
  expect(await readTypes(readAutomationStream(recorder.source))).toEqual(["status", "done"]);
  expect(recorder.recording().split("\n")).toHaveLength(5);
});

test.for(["AbortError", "TimeoutError", "TypeError"])("%s of another realm is a lost connection", async (name) => {
  const code = "connection-lost";
  const error = elsewhere.createError(name);
  expect(error instanceof Error).toBe(false);
  const source = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
  expect(await readAutomationStream(source).outcome()).toMatchObject({ error: { code, cause: { name } } });
});
