import { expect, test } from "vitest";
import { EventStream } from "../../src/task/event-stream.ts";

const done = { type: "done", total_cost_usd: 0, metadata: { thread_id: "a" } } as const;

test("a stream that is ended has its terminal event as the last one, and takes no other", async () => {
  const stream = new EventStream();
  stream.end(done);
  stream.breakOff(new Error("too late"));
  await expect(stream.ended).resolves.toEqual(done);
  expect(await new Response(stream.body).text()).toMatch(/^data: \{"type":"done".*\n\n$/);
});

test("a stream that is broken off errors for its reader, and has no terminal event, also not later", async () => {
  const stream = new EventStream();
  const fault = new Error("the end of the run is not stored yet");
  stream.breakOff(fault);
  stream.end(done);
  await expect(stream.ended).rejects.toBe(fault);
  await expect(new Response(stream.body).text()).rejects.toThrow("the end of the run is not stored yet");
});

test("a stream that is broken off while nobody awaits its end rejects nothing unhandled", async () => {
  const unhandled: unknown[] = [];
  const listen = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listen);
  new EventStream().breakOff(new Error("alone"));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
});
