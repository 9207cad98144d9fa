import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readAutomationStream, recordStream } from "../../src/index.ts";
import { getBytes } from "../chunking.ts";
import { done, followed, createSource, status } from "../source.ts";

// Jest runs tests in a realm of their own, and `fetch` is of another one: what it gives is no instance of their classes.
const elsewhere: {
  readonly bytes: (given: Uint8Array) => Uint8Array;
  readonly error: (name: string) => Error;
} = runInNewContext(`({
  bytes: (given) => Uint8Array.from(given),
  error: (name) => Object.assign(new Error("it broke off"), { name }),
})`);

const chunks = (): Uint8Array[] => [status, done].map((text) => elsewhere.bytes(getBytes(text)));

test("bytes of another realm are bytes", async () => {
  expect(chunks()[0] instanceof Uint8Array).toBe(false);
  expect(await followed(readAutomationStream(createSource(chunks()).stream))).toEqual(["status", "done"]);

  const recorder = recordStream(createSource(chunks()).stream);
  expect(await followed(readAutomationStream(recorder.source))).toEqual(["status", "done"]);
  expect(recorder.recording().split("\n")).toHaveLength(5);
});

test.for(["AbortError", "TimeoutError", "TypeError"])("%s of another realm is a lost connection", async (name) => {
  const code = "connection-lost";
  const error = elsewhere.error(name);
  expect(error instanceof Error).toBe(false);
  const source = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
  expect(await readAutomationStream(source).outcome()).toMatchObject({ error: { code, cause: { name } } });
});
