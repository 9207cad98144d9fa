import { vi } from "vitest";
import type { StreamEvent } from "@cloud-browser/stream";
import { createCloudBrowser } from "../../src/index.ts";
import { attachRun } from "../../src/runs.ts";

const run = "0b9c7a52-0000-4000-8000-000000000000";

/** Writes an event, with an id if one is given. */
export function getEvent(delta: string, id?: string | number, end = "\n\n"): string {
  const line = end.length > 1 ? end.slice(0, end.length / 2) : end;
  const data = delta === "done" ? { type: "done", total_cost_usd: 0.25 } : { type: "text_delta", delta };
  return `${id === undefined ? "" : `id: ${id}${line}`}data: ${JSON.stringify(data)}${end}`;
}

/** How one connection goes: what it sends, and whether it stays open, ends or breaks off. */
export interface Connection {
  readonly text: string;
  readonly ending?: "stays" | "breaks" | undefined;
  readonly init?: ResponseInit;
}

/** Reads a run over connections that go as they are said to; the last one goes on. Time passes as fast as it is waited for. */
export async function readRun(
  connections: readonly Connection[],
  { after, chunk = Infinity }: { after?: string | undefined; chunk?: number } = {},
) {
  vi.useFakeTimers();
  try {
    const startedAt = Date.now();
    const requestTimes: number[] = [];
    const fetch = async (): Promise<Response> => {
      const { text, ending, init } = connections[Math.min(requestTimes.length, connections.length - 1)] ?? { text: "" };
      requestTimes.push(Date.now() - startedAt);
      const bytes = new TextEncoder().encode(text);
      let at = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += Math.min(chunk, bytes.length))));
          else if (ending === "breaks") controller.error(new TypeError("terminated"));
          else if (ending !== "stays") controller.close();
          else return new Promise<void>(() => {});
          return undefined;
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" }, ...init });
    };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.test", fetch });
    const { stream } = attachRun(client, run, { after });
    const events: string[] = [];
    const reading = { isOver: false };
    const readingEnd = (async () => {
      for await (const event of stream) events.push(getText(event));
    })()
      .catch(() => undefined)
      .finally(() => (reading.isOver = true));
    while (!reading.isOver) await vi.advanceTimersByTimeAsync(100);
    await readingEnd;
    const outcome = await stream.outcome();
    return {
      events,
      outcome: outcome.type === "broken" ? outcome.error.code : outcome.type,
      fullOutcome: outcome,
      requestTimes,
    };
  } finally {
    vi.useRealTimers();
  }
}

/** Writes an event in a word: its text, or its type. */
export const getText = (event: StreamEvent): string => (event.type === "text_delta" ? event.delta : event.type);
