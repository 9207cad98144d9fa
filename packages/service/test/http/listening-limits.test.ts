import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listen, type Listening, type ListeningLimits } from "../../src/http/listening.ts";
import { waitForClose, connectTo, lines, listStatuses } from "../raw-http.ts";

const limits: ListeningLimits = { headMs: 600, requestMs: 1_200, idleMs: 300, stalledMs: 2_000, connections: 50 };

let listening: Listening;
beforeEach(async () => void (listening = await listen("127.0.0.1", 0, limits)));
afterEach(async () => listening.close());

/** Opens a connection that never ends by itself; what it received is told when the server ends it. */
function open(...pieces: readonly string[]): { readonly socket: Socket; readonly ended: Promise<string> } {
  const socket = connectTo(listening.url);
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  for (const piece of pieces) socket.write(piece);
  return { socket, ended: waitForClose(socket).then(() => received) };
}

/** Sends a byte now and then for as long as somebody takes it. */
function trickle(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.writable && socket.write(byte), 50);
  socket.once("close", () => clearInterval(timer));
}

test("forty idle connections are closed, with the reason", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => open().ended));
  expect(answers.map(listStatuses)).toEqual(Array.from({ length: 40 }, () => [408]));
});

test.each<[what: string, begin: readonly string[], byte: string]>([
  ["the head of a request", ["GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: "], "a"],
  ["one header after the other", ["GET /health HTTP/1.1\r\nHost: a\r\n"], "X: a\r\n"],
  ["its first line", ["GET /"], "a"],
  ["the body of a request", [lines("POST /x HTTP/1.1", "Host: a", "Content-Length: 100000")], "a"],
  ["the chunks of a body", [lines("POST /x HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")], "1\r\na\r\n"],
  [
    "a request for a WebSocket",
    ["GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX: "],
    "a",
  ],
])("a connection is closed that sends %s byte by byte", async (_, begin, byte) => {
  listening.answerWith(async (request) => Response.json({ length: (await request.arrayBuffer()).byteLength }));
  const { socket, ended } = open(...begin);
  trickle(socket, byte);
  expect(listStatuses(await ended)).toEqual([408]);
});

test("a connection is closed that stays open after an answer without another request", async () => {
  const { ended } = open(lines("GET /health HTTP/1.1", "Host: a"));
  expect(listStatuses(await ended)).toEqual([503]);
});

test("an idle connection is kept for longer than its client is told", async () => {
  const connected = once(listening.server, "connection");
  const { socket, ended } = open(lines("GET /health HTTP/1.1", "Host: a"));
  const [atServer]: Socket[] = await connected;
  await once(socket, "data");
  expect(atServer?.timeout).toBe(2 * limits.idleMs);
  expect(listStatuses(await ended)).toEqual([503]);
});

test("a reader that stalls is disconnected, and its buffer is bounded", async () => {
  let written = 0;
  listening.answerWith(
    () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              written += 2 ** 16;
              controller.enqueue(new Uint8Array(2 ** 16));
            },
          },
          { highWaterMark: 0 },
        ),
      ),
  );
  const gone = once(listening.server, "connection").then(async ([socket]: Socket[]) => socket && waitForClose(socket));
  const { socket } = open(lines("GET /x HTTP/1.1", "Host: a"));
  socket.pause();
  await gone;
  expect(written).toBeLessThan(16 * 2 ** 20);
  socket.destroy();
});

test("more connections than there may be are closed at once, and then there is room again", async () => {
  const sockets = Array.from({ length: limits.connections }, () => open().socket);
  await Promise.all(sockets.map(async (socket) => once(socket, "connect")));
  // Closed by the server, long before a connection is that says nothing.
  const dropped = once(listening.server, "drop");
  const further = open();
  await dropped;
  await further.ended;
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map(waitForClose));
  expect(listStatuses(await open(lines("GET /health HTTP/1.1", "Host: a")).ended)).toEqual([503]);
});

test("connections that the system does not give, again and again, end nothing", async () => {
  for (const code of ["EMFILE", "ENOBUFS", "EPERM"])
    listening.server.emit("error", Object.assign(new Error(code), { code }));
  listening.answerWith(() => new Response("here"));
  expect(await (await fetch(listening.url)).text()).toBe("here");
});
