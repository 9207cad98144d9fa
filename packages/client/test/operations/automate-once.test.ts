import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCloudBrowser, type AutomateOptions } from "../../src/index.ts";
import { connectionFaults } from "../calls/faults-connection.ts";
import { contentFaults } from "../calls/faults-content.ts";
import { framingFaults } from "../calls/faults-framing.ts";
import {
  chunk,
  getChunkedHead,
  findFreePort,
  getHead,
  startSocketServer,
  streamContent,
  type SocketFault,
} from "../calls/fault-socket.ts";
import { eager, request, listRepeatedStatuses } from "./one-request.ts";

const requestBody = JSON.stringify(request);

/** Runs an automation to its end, however it ends, and gives the server time to be asked again. */
async function run(url: string, options: AutomateOptions = {}): Promise<void> {
  const client = createCloudBrowser({ ...eager, baseUrl: url });
  const stream = await client.automate(request, { maxEventBytes: 50_000, ...options }).catch(() => undefined);
  await stream?.outcome();
  await delay(30);
}

const streamEnds: NonNullable<SocketFault["onRequest"]>[] = [
  '{"type":"error","error":"agent","detail":null}',
  '{"type":"timeout","reason":"x","detail":null}',
  '{"type":"cancelled","reason":"x"}',
  "this is no JSON",
  '{"no":"type"}',
].map(
  (text): NonNullable<SocketFault["onRequest"]> =>
    (socket, content) =>
      socket.write(getChunkedHead(content) + chunk(`data: ${text}\n\n`)),
);
const faults: { name: string; fault: SocketFault }[] = [
  ...[...connectionFaults, ...framingFaults, ...contentFaults].map((fault) => ({ name: fault.name, fault })),
  ...streamEnds.map((onRequest, nth) => ({ name: `a stream that ends badly, ${nth + 1}`, fault: { onRequest } })),
];
// Side by side, as most of them wait: each has a server of its own.
test.concurrent.for(faults)("one request, however eager the options: $name", async ({ fault }) => {
  await using server = await startSocketServer(fault, streamContent);
  await run(server.url);
  expect(server.requests.map(({ body }) => body)).toEqual(server.bytes() > 0 ? [requestBody] : []);
  expect(server.bytes()).toBe(server.requests.reduce((sum, { head, body }) => sum + head.length + 4 + body.length, 0));
});

test("one request per run, for every status that has a meaning, whatever its headers suggest", async () => {
  const statuses = Object.keys(STATUS_CODES)
    .map(Number)
    .filter((status) => status >= 200);
  expect(await listRepeatedStatuses(statuses)).toEqual([]);
});

const aborts: { name: string; fault: SocketFault; afterMs: number }[] = [
  { name: "before the headers", fault: {}, afterMs: 40 },
  { name: "within the headers", fault: { onRequest: (socket) => socket.write("HTTP/1.1 2") }, afterMs: 40 },
  {
    name: "within a refusal",
    fault: { onRequest: (s) => s.write(getHead(503, { "content-length": 9 })) },
    afterMs: 40,
  },
  {
    name: "within the stream",
    fault: { onRequest: (socket, content) => socket.write(getChunkedHead(content)) },
    afterMs: 40,
  },
  { name: "while it connects", fault: {}, afterMs: 0 },
];
test.for(aborts)("one request when it is aborted $name", async ({ fault, afterMs }) => {
  await using server = await startSocketServer(fault, streamContent);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), afterMs);
  await run(server.url, { signal: controller.signal, timeouts: { headersMs: 5000, bodyMs: 5000 } });
  expect(server.requests.length).toBeLessThanOrEqual(1);
});

test("one request when the caller leaves its stream, or reads none of it", async () => {
  await using server = await startSocketServer(
    { onRequest: (s, content) => s.write(getChunkedHead(content)) },
    streamContent,
  );
  const timeouts = { ...eager.timeouts, headersMs: 30_000 };
  const client = createCloudBrowser({ ...eager, timeouts, baseUrl: server.url });
  await (await client.automate(request)).cancel();
  const unread = await client.automate(request);
  await delay(150);
  await unread.cancel();
  expect(server.requests).toHaveLength(2);
});

test("a fetch that knows no signal is called once, though it comes back too late", async () => {
  let calls = 0;
  const fetch = async (): Promise<Response> => {
    calls++;
    await delay(200);
    return new Response(null, { status: 503 });
  };
  const client = createCloudBrowser({ ...eager, baseUrl: "https://service.example", fetch });
  await expect(client.automate(request)).rejects.toMatchObject({ code: "timeout", attempts: 1, retryable: false });
  await delay(200);
  expect(calls).toBe(1);
});

const unsent: { code: string; repeats: boolean }[] = [
  { code: "ECONNREFUSED", repeats: true },
  { code: "ENOTFOUND", repeats: true },
  { code: "EAI_AGAIN", repeats: true },
  { code: "UND_ERR_CONNECT_TIMEOUT", repeats: true },
  { code: "ConnectionRefused", repeats: true },
  { code: "ECONNRESET", repeats: false },
  { code: "EPIPE", repeats: false },
  { code: "ETIMEDOUT", repeats: false },
  { code: "UND_ERR_SOCKET", repeats: false },
  { code: "UND_ERR_HEADERS_TIMEOUT", repeats: false },
  { code: "NOT_ECONNREFUSED_AT_ALL", repeats: false },
];
test.for(unsent)("$code is repeated when that was asked for: $repeats", async ({ code, repeats }) => {
  for (const unsentAutomations of [true, false, undefined]) {
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      calls++;
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("ECONNREFUSED"), { code }) });
    };
    const retries = { max: 3, baseMs: 1, unsentAutomations };
    const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example", fetch, retries });
    await expect(client.automate(request)).rejects.toMatchObject({ code: "network", retryable: repeats });
    expect(calls).toBe(repeats && unsentAutomations ? 4 : 1);
  }
});

const answerWell: SocketFault["onRequest"] = (socket, content) =>
  void socket.write(getChunkedHead(content) + chunk(content.body));
test("a server that comes up later is asked exactly once", async () => {
  const port = await findFreePort();
  const retries = { max: 50, baseMs: 20, maxMs: 20, unsentAutomations: true };
  const tried: number[] = [];
  const client = createCloudBrowser({
    apiKey: "key",
    baseUrl: `http://127.0.0.1:${port}`,
    retries,
    hooks: { onRetry: ({ attempt }) => tried.push(attempt) },
  });
  const calling = client.automate(request);
  await expect.poll(() => tried.length, { interval: 5 }).toBeGreaterThan(2);
  await using server = await startSocketServer({ onRequest: answerWell }, streamContent, port);
  expect(await (await calling).outcome()).toMatchObject({ type: "done" });
  await delay(50);
  expect(server.requests.map(({ body }) => body)).toEqual([requestBody]);
});

test("a server that is there, and gone in the answer, is not asked again once it was asked", async () => {
  const server = await startSocketServer({ onRequest: () => server[Symbol.asyncDispose]() }, streamContent);
  await expect(
    createCloudBrowser({ ...eager, timeouts: {}, baseUrl: server.url }).automate(request),
  ).rejects.toMatchObject({
    code: "network",
    attempts: 1,
    retryable: false,
  });
  expect(server.requests).toHaveLength(1);
});

/** Where the `fetch` of Node.js publishes each head of a request that it writes to a connection. */
const headersChannel = "undici:client:sendHeaders";
test("a server that accepts and never reads gets one request, though Node.js connects again after the abort", async () => {
  const controller = new AbortController();
  const task = { query: `${request.query} ${randomUUID()}` };
  const later = { query: `${request.query} ${randomUUID()}` };
  const origins: string[] = [];
  const onWritten = (message: unknown): void => {
    const { origin = "" }: { origin?: string } = Object(Object(message).request);
    origins.push(origin);
    if (origin === server.url) controller.abort();
  };
  let stalled: Socket | undefined;
  const onConnection = (socket: Socket): void => void (stalled ??= socket.pause());
  await using server = await startSocketServer({ onConnection, onRequest: answerWell }, streamContent);
  subscribe(headersChannel, onWritten);
  const client = createCloudBrowser({ ...eager, timeouts: {}, baseUrl: server.url });
  await expect(client.automate(task, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
  // It waits behind whatever was to be sent again, and is answered on a connection that is read.
  expect(await (await client.automate(later)).outcome()).toMatchObject({ type: "done" });
  unsubscribe(headersChannel, onWritten);
  expect(server.connections()).toBeGreaterThan(1);
  expect(origins.filter((origin) => origin === server.url)).toHaveLength(2);
  if (!stalled) throw new Error("nothing connected");
  stalled.resume();
  if (!stalled.destroyed) await once(stalled, "close");
  const bodies = server.requests.map(({ body }) => body);
  expect(bodies.filter((body) => body !== JSON.stringify(task))).toEqual([JSON.stringify(later)]);
  expect(bodies.length).toBeLessThanOrEqual(2);
});
