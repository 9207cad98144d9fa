import { expect, test } from "vitest";
import { changeStream } from "../../src/changes/change-stream.ts";
import { Changes } from "../../src/changes/changes.ts";

/** Reads events of a stream, without comments, until a number of them are there. */
async function read(stream: ReadableStream<Uint8Array>, count: number): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const chunk of stream) {
    const [, data] = /^data: (.*)\n\n$/u.exec(new TextDecoder().decode(chunk)) ?? [];
    if (data !== undefined) events.push(JSON.parse(data));
    if (events.length === count) break;
  }
  return events;
}

const all = { kinds: ["sessions", "runs", "handovers"] };

test("a reader is told all kinds first, and then those of its key that change, each once", async () => {
  const changes = new Changes();
  let closed = 0;
  const stream = changeStream({ changes, key: "team-a" }, () => (closed += 1));
  const events = read(stream, 2);
  await Promise.resolve();
  for (const key of ["team-b", null, "team-b"]) changes.tell("runs", key);
  setTimeout(() => {
    for (let count = 0; count < 50; count += 1) changes.tell("sessions", "team-a");
    changes.tell("handovers", undefined);
  }, 20);
  expect(await events).toEqual([all, { kinds: ["sessions", "handovers"] }]);
  expect([closed, changes.listeners]).toEqual([1, 0]);
});

test("what other nodes tell is told, and the end of the service ends the stream", async () => {
  const changes = new Changes();
  let tellFromOther: ((kinds: readonly ["runs"]) => void) | undefined;
  let over: AbortSignal | undefined;
  const stream = changeStream(
    {
      changes,
      key: null,
      followOthers: (listener, signal) => {
        tellFromOther = listener;
        over = signal;
      },
    },
    () => {},
  );
  const reader = stream.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toContain('"sessions"');
  tellFromOther?.(["runs"]);
  expect(await next()).toBe('data: {"kinds":["runs"]}\n\n');
  const last = reader.read();
  changes.close();
  expect(await last).toEqual({ done: true, value: undefined });
  expect(over?.aborted).toBe(true);
});
