import { expect, test } from "vitest";
import { recordStream } from "../../src/recording/recorder.ts";

test("stops recording after 1,048,576 chunks, so that empty ones don't fill the memory", async () => {
  const empty = new Uint8Array(0);
  let remaining = 2 ** 20 + 1;
  const next = async () =>
    remaining-- > 0 ? { done: false as const, value: empty } : { done: true as const, value: undefined };
  const recorder = recordStream({ [Symbol.asyncIterator]: () => ({ next }) });
  for await (const chunk of recorder.source) if (chunk !== empty) throw new Error("not passed on");
  const lines = recorder.recording().split("\n");
  expect(lines).toHaveLength(2 ** 20 + 3);
  expect(lines.at(-2)).toBe('{"end":"complete","truncated":true}');
});
