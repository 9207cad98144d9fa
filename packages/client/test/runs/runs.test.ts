import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { StreamEvent } from "@cloud-browser/stream";
import { seed } from "@cloud-browser/testing/seed.ts";
import { createCloudBrowser } from "../../src/index.ts";
import { attachRun, startRun, type RunClient } from "../../src/runs.ts";

const run = "0b9c7a52-0000-4000-8000-000000000000";
const deltas = ["one", "zwei", "trois ☕", "four"];
const done = { type: "done", metadata: { thread_id: run }, total_cost_usd: 0.25 };
const blocks = [...deltas.map((delta) => ({ type: "text_delta", delta })), done].map(
  (event, index) => `id: ${index === deltas.length ? "end" : index + 1}\ndata: ${JSON.stringify(event)}\n\n`,
);

/** How one connection goes: how many bytes it gives before it breaks off or ends; or its status. */
type Connection = { readonly bytes: number; readonly breaks: boolean } | { readonly status: number } | "refused";

/** A client of a service whose connections go as they are said to, and then well; and its requests. */
function createClient(connections: readonly Connection[]): { readonly client: RunClient; readonly requests: string[] } {
  const requests: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    expect(request.headers.get("authorization")).toBe("Bearer key");
    const after = request.headers.get("last-event-id") ?? "0";
    const connection = connections[requests.length] ?? { bytes: Infinity, breaks: false };
    requests.push(`${new URL(request.url).pathname} ${after}`);
    if (connection === "refused") throw new TypeError("fetch failed");
    if ("status" in connection) return Response.json({ detail: "no" }, { status: connection.status });
    if (after === "end") return new Response(null, { status: 204 });
    const all = new TextEncoder().encode(blocks.slice(Number(after)).join(""));
    const part = all.subarray(0, connection.bytes);
    const chunks = Array.from({ length: Math.ceil(part.length / 7) }, (_, at) => part.subarray(7 * at, 7 * at + 7));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk) controller.enqueue(chunk);
        else if (connection.breaks) controller.error(new TypeError("terminated"));
        else controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return { client: createCloudBrowser({ apiKey: "key", baseUrl: "https://service.test/api", fetch }), requests };
}

const getText = (event: StreamEvent): string => (event.type === "text_delta" ? event.delta : event.type);

/** Reads a run while time passes as fast as it is waited for. */
async function readAll(
  client: RunClient,
  after?: string,
): Promise<{ readonly events: string[]; readonly outcome: string }> {
  vi.useFakeTimers();
  try {
    const { stream } = attachRun(client, run, { after });
    const events: string[] = [];
    const progress = { isOver: false };
    const reading = (async () => {
      for await (const event of stream) events.push(getText(event));
    })()
      .catch(() => undefined)
      .finally(() => (progress.isOver = true));
    while (!progress.isOver) await vi.advanceTimersByTimeAsync(1_000);
    await reading;
    expect(vi.getTimerCount()).toBe(0);
    const outcome = await stream.outcome();
    return { events, outcome: outcome.type === "broken" ? outcome.error.code : outcome.type };
  } finally {
    vi.useRealTimers();
  }
}

describe("a run", () => {
  test("is read from any event on, and ends with its outcome", async () => {
    const { client, requests } = createClient([]);
    expect(await readAll(client)).toEqual({ events: [...deltas, "done"], outcome: "done" });
    expect(await readAll(client, "3")).toEqual({ events: ["four", "done"], outcome: "done" });
    const path = `/api/control/runs/${run}/events`;
    expect(requests).toEqual([`${path} 0`, `${path} 3`]);
  });

  test("gives each event once and in order, and one outcome, wherever connections break off", async () => {
    const connection = fc.oneof(
      fc.record({ bytes: fc.integer({ min: 0, max: blocks.join("").length + 20 }), breaks: fc.boolean() }),
      fc.constantFrom({ status: 429 }, { status: 502 }, { status: 503 }, "refused" as const),
    );
    const jitter = fc.double({ min: 0, max: 0.99, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(connection, { maxLength: 6 }), jitter, async (connections, random) => {
        const { client } = createClient(connections);
        using _ = vi.spyOn(Math, "random").mockReturnValue(random);
        expect(await readAll(client)).toEqual({ events: [...deltas, "done"], outcome: "done" });
      }),
      { seed, numRuns: 200 },
    );
  });

  test("resumes after the last complete event, and reports its id", async () => {
    const { client, requests } = createClient([{ bytes: (blocks[0]?.length ?? 0) + 20, breaks: true }]);
    const { stream, ...attached } = attachRun(client, run);
    expect(attached.lastEventId).toBeUndefined();
    const reader = attachRun(client, run);
    const events: string[] = [];
    for await (const event of reader.stream) {
      events.push(`${reader.lastEventId} ${getText(event)}`);
      if (event.type === "done") break;
    }
    expect(events).toEqual([...deltas.map((delta, index) => `${index + 1} ${delta}`), "end done"]);
    expect(requests.map((one) => one.split(" ")[1])).toEqual(["0", "1"]);
    await stream.cancel();
  });

  test("is delivered once by a service that replays all events", async () => {
    let connections = 0;
    const fetch = async (): Promise<Response> => {
      connections += 1;
      const body = connections === 1 ? blocks.slice(0, 3) : blocks;
      return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
    };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.test", fetch });
    expect(await readAll(client)).toEqual({ events: [...deltas, "done"], outcome: "done" });
    expect(connections).toBe(2);
  });

  test.each([
    [401, "authentication"],
    [404, "not-found"],
    [422, "validation"],
    [418, "unexpected-status"],
  ])("that is refused with %d is not asked for again", async (status, code) => {
    const { client, requests } = createClient([{ status }]);
    const outcome = await attachRun(client, run).stream.outcome();
    expect(outcome).toMatchObject({ type: "broken", error: { code: "connection-lost", cause: { code, status } } });
    expect(requests).toHaveLength(1);
  });

  test("whose service stays away is given up when no bytes came for as long as is waited", async () => {
    const { client, requests } = createClient(Array.from({ length: 1_000 }, () => "refused"));
    expect(await readAll(client)).toEqual({ events: [], outcome: "bytes-timeout" });
    expect(requests.length).toBeGreaterThan(20);
  });

  test("of which there is nothing left has no outcome", async () => {
    const { client } = createClient([]);
    expect(await readAll(client, "end")).toEqual({ events: [], outcome: "ended-early" });
  });

  test.each(["a connection", "bytes"])("is left at once while it waits for %s", async (what) => {
    const request = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const fetch = async ({ signal }: Request): Promise<Response> => {
      request.resolve();
      if (what === "a connection") {
        signal.addEventListener("abort", () => release.resolve());
        return new Promise(() => {});
      }
      const body = new ReadableStream<Uint8Array>({ cancel: () => release.resolve() });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.test", fetch });
    const leaving = new AbortController();
    const outcome = attachRun(client, run, { signal: leaving.signal }).stream.outcome();
    await request.promise;
    await new Promise((resolve) => setTimeout(resolve));
    leaving.abort();
    expect(await outcome).toMatchObject({ type: "broken", error: { code: "aborted" } });
    await release.promise;
  });

  test.each(["", "..", "a/b", "a?b"])("has no id such as %j", (id) => {
    expect(() => attachRun(createClient([]).client, id)).toThrow(expect.objectContaining({ code: "misuse" }));
  });
  test.each(["", "-1", "x"])("is not read after %j", (after) => {
    expect(() => attachRun(createClient([]).client, run, { after })).toThrow(
      expect.objectContaining({ code: "misuse", message: expect.stringContaining("`after`") }),
    );
  });
});

describe("a run that is started", () => {
  test("is detached, and read over as many connections as that takes", async () => {
    const { client } = createClient([{ bytes: 90, breaks: true }]);
    const preferred: (string | null)[] = [];
    const service = createCloudBrowser({
      apiKey: "key",
      baseUrl: "https://service.test",
      headers: { "x-own": "1" },
      fetch: async (request) => {
        preferred.push(request.headers.get("prefer"), request.headers.get("x-own"), request.method);
        return Response.json({ thread_id: run }, { status: 202, headers: { "x-service-run-id": run } });
      },
    });
    const onOutcome = vi.fn<(outcome: { readonly type: string }) => void>();
    const headers = { prefer: "wait=60" };
    const started = await startRun({ ...service, raw: client.raw }, { query: "x" }, { onOutcome, headers });
    expect(started).toMatchObject({ id: run, isDetached: true, lastEventId: undefined });
    expect(preferred).toEqual(["wait=60, respond-async", "1", "POST"]);
    const events: string[] = [];
    for await (const event of started.stream) events.push(getText(event));
    expect(events).toEqual([...deltas, "done"]);
    expect(started.lastEventId).toBe("end");
    expect(onOutcome.mock.calls.map(([{ type }]) => type)).toEqual(["done"]);
  });

  test("by a service that does not know how is an ordinary one", async () => {
    const body = blocks.map((block) => block.replace(/^id.*\n/, "")).join("");
    const client = createCloudBrowser({
      apiKey: "key",
      baseUrl: "https://service.test",
      fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    });
    const onOutcome = vi.fn<() => void>();
    const started = await startRun(client, { query: "x" }, { onOutcome });
    expect(started).toMatchObject({ id: undefined, isDetached: false });
    expect(await started.stream.outcome()).toMatchObject({ type: "done", event: { total_cost_usd: 0.25 } });
    expect(onOutcome).toHaveBeenCalledOnce();
  });
});
