import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Probe } from "../../src/http/probe.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { defaultLimits, type Limits } from "../../src/http/limits.ts";
import { makeOutgoing, transmit } from "../../src/http/transport.ts";
import { BareServer, type Serve } from "./bare-server.ts";

const probe: Probe = {
  id: "test/get",
  operation: "automation_start",
  expects: "success",
  request: () => ({ method: "POST", path: "/", credentials: "key", body: "{}" }),
};

/** Channel on which Node.js reports that the head of a response has been read. */
const headArrived = "http.client.response.finish";

const head = (type: string): string => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const done = 'data: {"type":"done"}\n';

/** Runs one request against a bare socket, and returns the end of the exchange. */
async function against(
  serve: Serve,
  limits: Partial<Limits> = {},
  request: Probe = probe,
  scheme = "http:",
): Promise<Exchange> {
  const { server, target } = await BareServer.start(serve, scheme);
  await using _ = server;
  return (await transmit(makeOutgoing(target, request), { ...defaultLimits, ...limits })).exchange;
}

describe("an exchange", () => {
  const text = `${head("text/plain")}${chunk("a")}`;
  const stream = (events: string): string => `${head("text/event-stream")}${chunk(events)}`;
  const [grace, most] = [{ closeGraceMs: 50 }, { maxBodyBytes: 100_000 }];
  const endings: readonly (readonly [name: string, serve: Serve, want: string, limits?: Partial<Limits>])[] = [
    ["is complete when the target ends it", (s) => s.end(`${text}0\r\n\r\n`), "complete"],
    ["is reset when the connection breaks in the body", (s) => s.write(text, () => s.destroy()), "reset"],
    ["is reset when the connection is reset in the body", (s) => s.write(text, () => s.resetAndDestroy()), "reset"],
    ["times out when the body stalls", (s) => s.write(text), "timeout"],
    ["is cut when the body has no end", endless, "too-large", most],
    ["is still open when a stream outlives its terminal event", (s) => s.write(stream(done)), "still-open", grace],
    ["is still open when that event has no line end", (s) => s.write(stream(done.trim())), "still-open", grace],
    ["times out when a stream is silent before it", (s) => s.write(stream("data: {}\n")), "timeout", grace],
  ];

  test.for(endings)("%s", async ([, serve, want, limits]) => {
    const timeouts = want === "timeout" ? { timeoutMs: 2_000, streamTimeoutMs: 2_000 } : {};
    const { response } = await against(serve, { ...timeouts, ...limits });
    expect(response?.end).toBe(want);
  });

  test("keeps all that came before a reset", async () => {
    const events = `data: {"type":"status"}\n\n${done}`;
    const { response } = await against((s) => s.write(stream(events), () => s.resetAndDestroy()));
    const received = Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString();
    expect({ received, end: response?.end }).toEqual({ received: events, end: "reset" });
  });

  test("is complete when a stream ends after its terminal event, although the limit of time is reached before", async () => {
    const limits = { streamTimeoutMs: 2_000, closeGraceMs: 60_000 };
    const { response } = await against(endsLate, limits, { ...probe, startsRun: true });
    expect(response?.end).toBe("complete");
  });

  const failures: readonly (readonly [name: string, serve: Serve, want: string])[] = [
    ["says so when no headers come", () => {}, "timeout"],
    ["says so when the connection breaks before the headers", (s) => s.destroy(), "reset"],
    ["says so when the answer is not HTTP", (s) => s.end("hello\r\n\r\n"), "reset"],
    ["says so when the headers have no end", (s) => s.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}`), "reset"],
  ];

  test.for(failures)("%s", async ([, serve, want]) => {
    const { response, failure } = await against(serve, want === "timeout" ? { timeoutMs: 2_000 } : {});
    expect(response).toBeUndefined();
    expect(failure).toMatchObject({ code: want, message: expect.stringMatching(/./) });
  });

  test("says whether it was the connection that did not come, or the response", async () => {
    const timeouts = { timeoutMs: 2_000 };
    const { failure: silent } = await against(() => {}, timeouts);
    expect(silent).toMatchObject({ code: "timeout", message: "no response within 2 s" });
    const { failure: withoutHandshake } = await against(() => {}, timeouts, probe, "https:");
    expect(withoutHandshake).toMatchObject({ code: "timeout", message: "no connection within 2 s" });
  });

  test("keeps the case of headers, and the time at which bytes came", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const onHead = (): void => resolve();
    subscribe(headArrived, onHead);
    const { response } = await against((socket) => {
      socket.write(text);
      void arrived.then(() => setTimeout(() => socket.end(`${chunk("b")}0\r\n\r\n`), 60));
    }).finally(() => unsubscribe(headArrived, onHead));
    expect(response?.headers[0]).toEqual(["Content-Type", "text/plain"]);
    const [first, last] = [response?.chunks[0]?.atMs ?? 0, response?.chunks.at(-1)?.atMs ?? 0];
    expect(last - first).toBeGreaterThan(30);
  });

  test("follows no redirect", async () => {
    const { response } = await against((socket) =>
      socket.end("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
    );
    expect(response?.status).toBe(302);
  });
});

function endsLate(socket: Socket): void {
  socket.write(`${head("text/event-stream")}${chunk(done)}`);
  setTimeout(() => socket.end("0\r\n\r\n"), 2_500);
}

function endless(socket: Socket): void {
  socket.write(head("text/plain"));
  const more = (): void => {
    if (!socket.destroyed) socket.write(chunk("x".repeat(10_000)), more);
  };
  more();
}
