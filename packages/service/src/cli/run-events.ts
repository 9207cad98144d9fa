import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import { ServiceError, type ServiceErrorCode } from "../service-error.ts";

/** Refusals that will not change. */
const final: ReadonlySet<ServiceErrorCode> = new Set(["unknown-session", "session-ended"]);

/** Exponential backoff of reconnections, in milliseconds; in all about a minute, longer than a node takes to be known as lost. */
const backoff = { minTimeout: 500, maxTimeout: 10_000, retries: 9 } as const;

/** Longest beginning of an event that is kept back, in characters: the reader of the stream takes no larger event. */
const maxEventCharacters = 2 ** 24;

/**
 * The events of a run as bytes, each once, over as many connections as that takes: when one breaks off, the next one resumes after the
 * last complete event.
 *
 * @param first - The answer with the events from the first one on.
 * @param open - Asks for the events after the one with an id.
 * @throws {ServiceError} What `open` throws, when it does so for a minute.
 */
export async function* runEvents(
  first: Response,
  open: (lastId: string) => Promise<Response>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let last = "0";
  let answer = first;
  while (answer.status !== 204) {
    let rest = "";
    let tail = "";
    const pieces = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      // A connection that breaks off is one that has ended.
      const { value = "", done = true } = (await pieces?.read().catch(() => undefined)) ?? {};
      if (done) break;
      rest += value;
      const isWhole = (tail + value).includes("\n\n");
      tail = value.slice(-1);
      // Only then is all of it looked at: an event that comes in many chunks takes no more time than its length.
      const blocks = isWhole ? rest.split("\n\n") : [rest];
      rest = blocks.pop() ?? "";
      if (rest.length > maxEventCharacters) {
        yield encoder.encode(rest);
        rest = "";
      }
      for (const block of blocks) {
        last = /^id: (.*)$/mu.exec(block)?.[1] ?? last;
        yield encoder.encode(`${block}\n\n`);
      }
    }
    if (last === "end") return;
    await delay(backoff.minTimeout);
    answer = await pRetry(() => open(last), {
      ...backoff,
      shouldRetry: ({ error }) => !(error instanceof ServiceError && final.has(error.code)),
    });
  }
}
