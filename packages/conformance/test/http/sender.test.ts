import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Probe } from "../../src/http/probe.ts";
import type { Sender, SenderOptions, SendResult } from "../../src/http/sender.ts";
import { defaultLimits } from "../../src/http/limits.ts";
import { BareServer, makeSender, type Serve } from "./bare-server.ts";

const good: Serve = (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
const broken: Serve = (socket) => socket.destroy();
/** Writes the beginning of an answer, and breaks off. */
const breakingOff =
  (text: string): Serve =>
  (socket) =>
    socket.write(text, () => socket.destroy());
const beginning = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{";
const failing: Serve = (socket) => socket.end("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");

function probe(at: number, body?: string): Probe {
  return {
    id: `test/${at}`,
    operation: body === undefined ? "session_cookies" : "automation_start",
    expects: "success",
    request: () =>
      body === undefined
        ? { method: "GET", path: "/sessions/s/cookies", credentials: "key" }
        : { method: "POST", path: "/api/automation/start", credentials: "key", body },
  };
}

interface Outcome {
  readonly results: readonly SendResult[];
  readonly sender: Sender;
  /** Time of each connection, in milliseconds since the probes were given to the sender. */
  readonly at: readonly number[];
}

/** Sends probes at once to a bare socket. */
async function against(
  serve: Serve,
  probes: readonly Probe[],
  options: Partial<SenderOptions> = {},
  send: (sender: Sender) => Promise<SendResult[]> = (sender) => Promise.all(probes.map((one) => sender.send(one))),
): Promise<Outcome> {
  const { server, target } = await BareServer.start(serve);
  await using _ = server;
  using sender = makeSender(target, options);
  const begun = performance.now();
  const results = await send(sender);
  return { results, sender, at: server.starts.map((start) => start - begun) };
}

function statusOrFailure(results: SendResult | undefined): number | string | undefined {
  if (!results || "refusal" in results) return results?.refusal;
  return results.exchange.response?.status ?? results.exchange.failure?.code;
}

describe("a connection that fails", () => {
  const run = '{"query":"x"}';
  const brokenOnce: Serve = (socket, attempt) => (attempt === 0 ? broken : good)(socket, attempt);
  type Row = readonly [name: string, serve: Serve, attempts: number, want: number | string, body?: string];
  const rows: readonly Row[] = [
    ["once before an answer is made again", brokenOnce, 2, 200],
    ["always is made three times in all", broken, 3, "reset"],
    ["after the first byte of an answer is left alone", breakingOff("HTTP/1.1 2"), 1, "reset"],
    ["within a body is left alone", breakingOff(beginning), 1, 200],
    ["by taking its time is left alone", () => {}, 1, "timeout"],
    ["with a server that answers an error is left alone", failing, 1, 503],
    ["is never made again for what could start a run", broken, 1, "reset", run],
    ["is made again for an automation request that can't start one", broken, 3, "reset", "{}"],
  ];

  test.for(rows)("%s", async ([, serve, attempts, want, body]) => {
    // Only what never comes is waited for.
    const limits = want === "timeout" ? { ...defaultLimits, timeoutMs: 2_000 } : defaultLimits;
    const { results, sender, at } = await against(serve, [probe(1, body)], { limits });
    expect(statusOrFailure(results[0])).toBe(want);
    expect(at).toHaveLength(attempts);
    expect(sender.retries).toHaveLength(attempts - 1);
    expect(sender.retries.every(({ exchange, reason }) => exchange === "test/1" && reason !== "")).toBe(true);
  });

  test("is tried again after a pause", async () => {
    const { at } = await against(broken, [probe(1)]);
    expect(at[1]).toBeGreaterThan(80);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThan(300);
  });

  test("counts as a run when it was a run: it may have been billed", async () => {
    const { sender } = await against(broken, [probe(1, run)]);
    expect(sender.ledger.runs).toBe(1);
  });
});

/** Asks for a pause. */
const paused = (status: number, value: string): Serve => {
  return (socket) => socket.end(`HTTP/1.1 ${status} Later\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`);
};

describe("a target that asks for a pause", () => {
  const once =
    (status: number, value = "0"): Serve =>
    (socket, attempt) =>
      (attempt === 0 ? paused(status, value) : good)(socket, attempt);
  const past = "Sun, 06 Nov 1994 08:49:37 GMT";
  const run = '{"query":"x"}';
  const rows: readonly (readonly [name: string, serve: Serve, attempts: number, want: number, body?: string])[] = [
    ["with 429 is asked again", once(429), 2, 200],
    ["with 503 is asked again", once(503), 2, 200],
    ["until a date is asked again", once(429, past), 2, 200],
    ["with another status is left alone", once(409), 1, 409],
    ["in words is left alone", once(429, "soon"), 1, 429],
    ["of less than nothing is left alone", once(429, "-1"), 1, 429],
    ["longer than the limit is left alone", once(429, "31"), 1, 429],
    ["again and again is asked six times in all", paused(429, "0"), 6, 429],
    ["for a run that it has not taken is asked again", once(429), 2, 200, run],
    ["for a run that it may have taken is left alone", once(503), 1, 503, run],
  ];

  test.for(rows)("%s", async ([, serve, attempts, want, body]) => {
    const { results, sender, at } = await against(serve, [probe(1, body)]);
    expect(statusOrFailure(results[0])).toBe(want);
    expect(at).toHaveLength(attempts);
    expect(sender.retries.map(({ reason }) => reason)).toEqual(
      Array.from({ length: attempts - 1 }, () => expect.stringMatching(/^answered \d+ and asked for a pause of 0 s/)),
    );
  });

  test("gets the pause", async () => {
    const { at } = await against(once(429, "1"), [probe(1)]);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(990);
  });

  test("gets no more pauses than the limit of all together", async () => {
    const limits = { ...defaultLimits, maxTotalPauseMs: 1_500 };
    const { results, at } = await against(paused(429, "1"), [probe(1)], { limits });
    expect(statusOrFailure(results[0])).toBe(429);
    expect(at).toHaveLength(2);
  });
});

describe("requests", () => {
  const probes = Array.from({ length: 8 }, (_, at) => probe(at));
  test("of a burst are sent at the same time, whatever the concurrency", async () => {
    const waiting: Socket[] = [];
    const onceAllAreThere: Serve = (socket, attempt) => {
      waiting.push(socket);
      if (waiting.length === probes.length) for (const one of waiting) good(one, attempt);
    };
    const { results } = await against(onceAllAreThere, probes, { concurrency: 1 }, (sender) =>
      sender.sendTogether(probes.map((one) => ({ probe: one, events: {} }))),
    );
    expect(results.map(statusOrFailure)).toEqual(probes.map(() => 200));
  });

  test.for([1, 3])("are at most %d at the same time", async (concurrency) => {
    const waiting: Socket[] = [];
    let answered = 0;
    let atOnce = 0;
    const answerAll = (): void => {
      answered += waiting.length;
      for (const socket of waiting.splice(0)) good(socket, 0);
    };
    /** Answers once as many wait as may, or all that are left; one too many would come in the time before that. */
    const slow: Serve = (socket) => {
      waiting.push(socket);
      atOnce = Math.max(atOnce, waiting.length);
      if (waiting.length === Math.min(concurrency, probes.length - answered)) setTimeout(answerAll, 40);
    };
    const { results } = await against(slow, probes, { concurrency });
    expect(atOnce).toBe(concurrency);
    expect(results.map(statusOrFailure)).toEqual(probes.map(() => 200));
  });

  test("begin no more often than the rate allows, whatever may be under way", async () => {
    const { at } = await against(good, probes, { concurrency: 8, rate: 40 });
    // Timers count whole milliseconds. What a busy machine does late makes none of them early.
    const early = at.map((time, index) => index * 25 - 2 - time).filter((ms) => ms > 0);
    expect({ early, count: at.length }).toEqual({ early: [], count: probes.length });
  });

  test("that are sent again keep to the rate, too", async () => {
    const { at } = await against(broken, [probe(1)], { rate: 2 });
    expect(at[1]).toBeGreaterThan(480);
  });
});

/** Begins a stream, and does not end it. */
const streams: Serve = (socket) =>
  socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n");

describe("an interruption", () => {
  const probes = Array.from({ length: 4 }, (_, at) => probe(at));

  test("breaks off what is under way, and sends no more", async () => {
    const controller = new AbortController();
    const serve: Serve = (socket, attempt) => (attempt === 1 ? controller.abort() : good(socket, attempt));
    const { results, at } = await against(serve, probes, { signal: controller.signal });
    expect(results.map(statusOrFailure)).toEqual([
      200,
      "interrupted",
      "The run was interrupted before its requests were answered.",
      "The run was interrupted before its requests were answered.",
    ]);
    expect(at).toHaveLength(2);
  });

  test("keeps what had come of a stream", async () => {
    const controller = new AbortController();
    const run = probe(1, '{"query":"x"}');
    const { signal } = controller;
    const { results: all } = await against(streams, [run], { signal }, async (sender) => [
      await sender.send(run, { onEvent: () => controller.abort() }),
    ]);
    const [results] = all;
    const response = results && "exchange" in results ? results.exchange.response : undefined;
    expect(response).toMatchObject({ status: 200, end: "interrupted" });
    expect(response?.chunks).not.toEqual([]);
  });

  test("waits neither for the rate nor for another attempt", async () => {
    const controller = new AbortController();
    const brokenOnce: Serve = (socket, attempt) => {
      broken(socket, attempt);
      setTimeout(() => controller.abort(), 60);
    };
    // The rate alone would make it wait for longer than a test may take.
    const options = { signal: controller.signal, rate: 0.001, concurrency: 5 };
    const { results } = await against(brokenOnce, [...probes, probe(9)], options);
    expect(results).toHaveLength(5);
  });
});

test("requests that want the kept connection share one, and the others have their own", async () => {
  const keep = (at: number): Probe => ({ ...probe(at), connection: "kept" });
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
  const serve: Serve = (socket) => {
    socket.write(answer);
    socket.on("data", () => socket.write(answer));
  };
  const { results, at } = await against(serve, [keep(1), probe(2), keep(3), probe(4), keep(5)]);
  expect(results.map(statusOrFailure)).toEqual([200, 200, 200, 200, 200]);
  expect(at).toHaveLength(3);
});
