import { IncomingMessage, request, type ClientRequest } from "node:http";
import { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import type { Peer } from "../../src/cluster/peers.ts";
import type { SessionRecord } from "../../src/storage/session-store.ts";
import { isDisconnect } from "../../src/http/app.ts";
import { Forwarding } from "../../src/http/nodes/forwarding.ts";
import { PublicUrl } from "../../src/request-context.ts";
import { ServiceError } from "../../src/service-error.ts";
import { serveHttp, type HttpServer } from "../http-server.ts";

const id = "00000000-0000-4000-8000-000000000000";
const path = `/sessions/${id}/page/scrape`;

const over: SessionRecord = {
  session_id: id,
  created_ms: 1,
  ended_ms: 2,
  end_reason: "host-lost",
  url: null,
  title: null,
  key: null,
  recorded: true,
};

/** A node that has no session itself, and takes that of the test for another's. */
function node(
  findOwner: () => Peer | "own" | "gone",
  onFault: (error: Error, request: Request) => void = () => undefined,
): Promise<HttpServer> {
  const publicUrl = new PublicUrl("http://clients.example");
  const forwarding = new Forwarding({
    recordings: { isShared: async () => false },
    peers: { findOwner: async () => findOwner() },
    sessions: {
      has: () => false,
      get: () => Promise.reject(new Error("There is none.")),
      getRecord: async () => over,
      end: () => Promise.reject(new Error("There is none.")),
    },
    tokens: { findSession: () => undefined },
    credential: "shared",
    publicUrl,
  });
  const app = new Hono();
  app.use(forwarding.handle);
  app.all("*", (c) =>
    c.json({ url: publicUrl.current, isFromNode: forwarding.isRequestFromNode(c.req.raw.headers) }, 404),
  );
  app.onError((error, c) => {
    onFault(error, c.req.raw);
    return Response.json({}, { status: 500 });
  });
  const listener = getRequestListener((message) => app.fetch(message));
  return serveHttp((message, response) => void listener(message, response));
}

function answered(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => sent.once("response", resolve).once("error", reject));
}

const at = (server: HttpServer, gone = new AbortController().signal): Peer => ({ url: server.url, gone });

test("two nodes that each take the other for the owner answer, after one request each", async () => {
  const theirs: { b?: Peer } = {};
  await using a = await node(() => theirs.b ?? "gone");
  await using b = await node(() => at(a));
  theirs.b = at(b);
  const answer = await fetch(`${a.url}${path}`, { method: "POST", body: "{}" });
  expect(await answer.json()).toEqual({ url: "http://clients.example", isFromNode: true });
  expect([a.requests.length, b.requests.length]).toEqual([1, 1]);
});

test("request and response bodies are forwarded as they arrive", async () => {
  await using owner = await serveHttp((message, response) => message.pipe(response));
  await using entry = await node(() => at(owner));
  const sent = request(`${entry.url}${path}`, { method: "POST" });
  sent.write("first");
  const answer = await answered(sent);
  const parts = answer.setEncoding("utf8")[Symbol.asyncIterator]();
  expect(await parts.next()).toMatchObject({ value: "first" });
  sent.end("second");
  expect(await parts.next()).toMatchObject({ value: "second" });
  expect(await parts.next()).toMatchObject({ done: true });
});

test("a response is read no faster than the client reads it", async () => {
  const piece = Buffer.alloc(2 ** 20);
  let pieces = 0;
  const full = Promise.withResolvers<void>();
  await using owner = await serveHttp(({ url = "" }, response) => {
    if (url.endsWith("/cookies")) return void response.end();
    const write = (): void => {
      while (pieces < 120) {
        pieces += 1;
        if (!response.write(piece)) return full.resolve();
      }
      response.end();
    };
    response.on("drain", write);
    write();
  });
  await using entry = await node(() => at(owner));
  const answer = await fetch(`${entry.url}${path}`, { method: "POST", body: "{}" });
  await full.promise;
  // Others are answered all the while, and it does not move.
  for (let turn = 0; turn < 20; turn += 1) await (await fetch(`${entry.url}/sessions/${id}/cookies`)).text();
  expect(pieces).toBeLessThan(60);
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  expect(bytes).toBe(120 * 2 ** 20);
});

test("a client that disconnects is disconnected from the owner, too, and is not logged as an error", async () => {
  const left = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const fault = Promise.withResolvers<boolean>();
  await using owner = await serveHttp((_, response) => {
    response.on("close", () => left.resolve());
    begun.resolve();
  });
  await using entry = await node(
    () => at(owner),
    (error, incoming) => fault.resolve(isDisconnect(error, incoming)),
  );
  const sent = request(`${entry.url}${path}`, { method: "POST" }).end("{}");
  sent.on("error", () => undefined);
  await begun.promise;
  sent.destroy();
  await left.promise;
  expect(await fault.promise).toBe(true);
  expect(owner.requests).toHaveLength(1);
});

test("no request is sent on a connection that the owner may have closed", async () => {
  const used = new WeakSet<Socket>();
  await using owner = await serveHttp((message, response) => {
    // It closes connections on which nothing happens, and the next request may be on its way already.
    if (used.has(message.socket)) return void message.socket.destroy();
    used.add(message.socket);
    response.end("answered");
  });
  await using entry = await node(() => at(owner));
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = await fetch(`${entry.url}${path}`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.text()]).toEqual([200, "answered"]);
  }
});

test("hundreds of endless responses delay no other one", { timeout: 60_000 }, async () => {
  await using owner = await serveHttp(({ url = "" }, response) => {
    response.write("begun");
    if (url.endsWith("/cookies")) response.end();
  });
  await using entry = await node(() => at(owner));
  const leave = new AbortController();
  const { signal } = leave;
  const open = Array.from({ length: 300 }, () => fetch(`${entry.url}/sessions/${id}/replay`, { signal }));
  await Promise.all(open);
  expect(await (await fetch(`${entry.url}/sessions/${id}/cookies`)).text()).toBe("begun");
  leave.abort();
});

test("a request to an owner that is lost meanwhile is answered at once, and not repeated", async () => {
  const lost = new AbortController();
  await using owner = await serveHttp(() => lost.abort());
  await using entry = await node(() => at(owner, lost.signal));
  const answer = await fetch(`${entry.url}/sessions/${id}/replay`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(owner.requests).toHaveLength(1);
});

test("hop-by-hop headers and headers about the client's address are not forwarded", async () => {
  await using owner = await serveHttp((_, response) => response.end());
  await using entry = await node(() => at(owner));
  const headers = {
    authorization: "Bearer k",
    origin: "http://page.example",
    te: "trailers",
    "x-cloud-browser-node": "guessed",
  };
  const sent = request(`${entry.url}${path}?a=b%20c`, { method: "POST", headers }).end("{}");
  const answer = await answered(sent);
  answer.resume();
  const [message] = owner.requests;
  expect(message?.url).toBe(`${path}?a=b%20c`);
  expect(message?.headers).toMatchObject({ authorization: "Bearer k", host: new URL(owner.url).host });
  expect(message?.headers).toMatchObject({
    "x-cloud-browser-node": "shared",
    "x-cloud-browser-url": "http://clients.example",
  });
  expect(message?.headers).not.toHaveProperty("origin");
  expect(message?.headers).not.toHaveProperty("te");
});

/** The record of a session that goes on, for its own key. */
const record = (_: string, key?: string | null): Promise<SessionRecord> =>
  key === undefined || key === null
    ? Promise.resolve({ ...over, ended_ms: null })
    : Promise.reject(new ServiceError("unknown-session", "there is no such session"));

describe("a session whose node can't be reached", () => {
  const forwarding = new Forwarding({
    recordings: { isShared: async () => false },
    peers: { findOwner: async () => ({ url: "http://127.0.0.1:1", gone: new AbortController().signal }) },
    sessions: {
      has: () => false,
      get: async () => Promise.reject(new Error("not asked")),
      getRecord: record,
      end: () => Promise.reject(new Error("not here")),
    },
    tokens: { findSession: () => undefined },
    credential: "shared",
    publicUrl: new PublicUrl("http://clients.example"),
  });
  const upgrade = (key?: string | null): Promise<unknown> => {
    const socket = new Socket();
    const message = new IncomingMessage(socket);
    message.url = `/control/sessions/${id}/cdp`;
    return forwarding.upgrade(id, message, socket, Buffer.alloc(0), key);
  };

  test("exists for its key, and for no other", async () => {
    expect(await upgrade(null)).toMatchObject({ status: 503 });
    expect(await upgrade()).toMatchObject({ status: 503 });
    await expect(upgrade("another")).rejects.toMatchObject({ code: "unknown-session" });
  });

  test("can't be ended, and the answer says why", async () => {
    await expect(forwarding.end(id, "k")).rejects.toThrow("not here");
  });
});
