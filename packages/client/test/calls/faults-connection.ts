import type { Socket } from "node:net";
import {
  chunk,
  getChunkedHead,
  drip,
  getGoodHead,
  getHead,
  writeAndReset,
  type Content,
  type SocketFault,
} from "./fault-socket.ts";

/** What the caller gets: an error, the result, or an outcome of the stream. */
export interface Want {
  readonly code?: string;
  readonly status?: number;
  readonly phase?: string;
  readonly retryable?: boolean;
}

/** A fault; what a session-scoped operation makes of it; and what an automation does, by its error or by its outcome. */
export interface Fault extends SocketFault {
  readonly name: string;
  /** Empty for a result. */
  readonly want: Want;
  /** Operations that get the result all the same. */
  readonly fine?: readonly string[];
  /** How the stream ends: the type of its outcome, or the code of its `StreamError`. Default: an error as `want`. */
  readonly stream?: string;
}

/** Nothing came that could be called an answer. */
const network: Want = { code: "network", retryable: true };
/** It was an answer, and then it broke. */
const cut: Want = { code: "network", status: 200, retryable: true };
const headersLate: Want = { code: "timeout", phase: "headers", retryable: true };
const bodyLate: Want = { code: "timeout", phase: "body", status: 200, retryable: true };

/** Each place at which a connection can be lost, by what was written until then. */
const places: readonly { place: string; text: SocketText; want: Want; stream?: string }[] = [
  { place: "after the request was read", text: () => "", want: network },
  { place: "within the status line", text: () => "HTTP/1.1 20", want: network },
  { place: "after the status line", text: () => "HTTP/1.1 200 OK\r\n", want: network },
  { place: "within the headers", text: (content) => getGoodHead(content).slice(0, 40), want: network },
  { place: "before the end of the headers", text: (content) => getGoodHead(content).slice(0, -2), want: network },
  { place: "after the headers", text: getGoodHead, want: cut, stream: "connection-lost" },
  {
    place: "within a body of a length",
    text: (content) => getGoodHead(content) + content.body.slice(0, -9),
    want: cut,
    stream: "connection-lost",
  },
  { place: "before the first chunk", text: getChunkedHead, want: cut, stream: "connection-lost" },
  {
    place: "within the size of a chunk",
    text: (content) => `${getChunkedHead(content)}${content.body.length.toString(16)}`,
    want: cut,
    stream: "connection-lost",
  },
  {
    place: "within a chunk",
    text: (content) => getChunkedHead(content) + chunk(content.body).slice(0, -12),
    want: cut,
    stream: "connection-lost",
  },
  {
    place: "before the last, empty chunk",
    text: (content) => getChunkedHead(content) + chunk(content.body),
    want: cut,
    stream: "done",
  },
];
type SocketText = (content: Content) => string;

const losses: readonly Fault[] = places.flatMap(({ place, text, want, stream }) => [
  {
    name: `a reset ${place}`,
    want,
    ...(stream && { stream }),
    onRequest: (socket, content) => writeAndReset(socket, text(content)),
  },
  {
    name: `an end ${place}`,
    want,
    ...(stream && { stream }),
    onRequest: (socket, content) => socket.end(text(content)),
  },
]);

const stalls = places.slice(0, -1).map(({ place, text, want, stream }): Fault =>
  Object.assign(
    {
      name: `a stall ${place}`,
      want: want === network ? headersLate : bodyLate,
      onRequest: (socket: Socket, content: Content) => void socket.write(text(content)),
    },
    stream && { stream: place.startsWith("within a") ? "bytes-timeout" : "first-event-timeout" },
  ),
);

/** Faults of the connection: it is lost, or nothing comes any more. */
export const connectionFaults: readonly Fault[] = [
  { name: "a reset before reading", want: network, onConnection: (socket) => socket.resetAndDestroy() },
  { name: "an end before reading", want: network, onConnection: (socket) => socket.end() },
  { name: "an end without a word, and no reading", want: network, onConnection: (socket) => socket.pause().end() },
  { name: "a server that never reads", want: headersLate, onConnection: (socket) => socket.pause() },
  ...losses,
  ...stalls,
  {
    name: "headers that drip",
    want: headersLate,
    onRequest: (socket, content) => drip(socket, getGoodHead(content) + content.body, 10),
  },
  {
    name: "a body that drips",
    want: bodyLate,
    stream: "first-event-timeout",
    async onRequest(socket, content) {
      socket.write(getGoodHead(content, { "content-length": 1000 }));
      await drip(socket, `:${"x".repeat(998)}`, 10);
    },
  },
  {
    name: "an answer without a length, cut by an end",
    want: { code: "unexpected-content", status: 200, retryable: false },
    stream: "ended-early",
    onRequest: (socket, { type, body }) =>
      socket.end(getHead(200, { "content-type": type, connection: "close" }) + body.slice(0, -9)),
  },
  {
    // Node.js takes a reset for the end of such a body.
    name: "an answer without a length, cut by a reset",
    want: { code: "unexpected-content", status: 200, retryable: false },
    stream: "ended-early",
    onRequest: (socket, { type, body }) =>
      writeAndReset(socket, getHead(200, { "content-type": type, connection: "close" }) + body.slice(0, -9)),
  },
  {
    name: "an answer without a length, whole",
    want: {},
    stream: "done",
    onRequest: (socket, { type, body }) =>
      socket.end(getHead(200, { "content-type": type, connection: "close" }) + body),
  },
  {
    name: "a reset right after a whole answer",
    want: {},
    stream: "done",
    onRequest: (socket, content) => writeAndReset(socket, getGoodHead(content) + content.body),
  },
  {
    name: "an answer before the request was sent whole",
    want: {},
    stream: "done",
    onRequest: (socket, content) => socket.write(getGoodHead(content, { connection: "close" }) + content.body),
  },
];
