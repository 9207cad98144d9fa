import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import type { Fault, Want } from "./faults-connection.ts";
import { chunk, getChunkedHead, drip, flood, getGoodHead, getHead, type Content } from "./fault-socket.ts";

const network: Want = { code: "network", retryable: true };
const cut: Want = { code: "network", status: 200, retryable: true };
const unexpected: Want = { code: "unexpected-content", status: 200, retryable: false };
const tooLarge: Want = { code: "too-large", status: 200, retryable: false };

/** What `faults.long.test.ts` sets as `maxBodyBytes` and `maxEventBytes`. */
export const maxBytes = 100_000;

const send =
  (text: (content: Content) => string | Uint8Array) =>
  (socket: Socket, content: Content): void =>
    void socket.write(text(content));

/** 10 MB in 10 kB. Made beforehand: it takes longer than the limits of the tests. */
const bombs = { json: gzipSync(`{"x":"${"x".repeat(1e7)}`), stream: gzipSync(`data: "${"x".repeat(1e7)}`) };

/** A gzipped body, damaged by `damage`. */
const sendGzip =
  (damage: (bytes: Buffer) => Buffer) =>
  (socket: Socket, { type, body }: Content): void => {
    const bytes = damage(gzipSync(body));
    socket.write(getHead(200, { "content-type": type, "content-encoding": "gzip", "content-length": bytes.length }));
    socket.write(bytes);
  };

/** Faults of HTTP itself: lengths, chunks, status lines, headers, encodings, sizes. */
export const framingFaults: readonly Fault[] = [
  {
    name: "a length that is too short",
    want: unexpected,
    stream: "ended-early",
    onRequest: send((content) => getGoodHead(content, { "content-length": 20, connection: "close" }) + content.body),
  },
  {
    name: "a length that is too long, and an open connection",
    want: { code: "timeout", phase: "body", status: 200, retryable: true },
    stream: "done",
    onRequest: send((content) => getGoodHead(content, { "content-length": 1000 }) + content.body),
  },
  {
    name: "a length that is no number",
    want: network,
    onRequest: send((c) => getGoodHead(c, { "content-length": "x" })),
  },
  { name: "a negative length", want: network, onRequest: send((c) => getGoodHead(c, { "content-length": -5 })) },
  {
    name: "two lengths that differ",
    want: network,
    onRequest: send(({ type, body }) => getHead(200, { "content-type": type, "content-length": ["5", "6"] }) + body),
  },
  {
    name: "a length and chunks",
    want: network,
    onRequest: send((content) => getGoodHead(content, { "transfer-encoding": "chunked" }) + chunk(content.body)),
  },
  {
    name: "a chunk size that is no number",
    want: cut,
    stream: "connection-lost",
    onRequest: send((content) => `${getChunkedHead(content)}zz\r\n${content.body}\r\n0\r\n\r\n`),
  },
  {
    name: "a negative chunk size",
    want: cut,
    stream: "connection-lost",
    onRequest: send((content) => `${getChunkedHead(content)}-1\r\n${content.body}\r\n0\r\n\r\n`),
  },
  {
    name: "a chunk size that no number can hold",
    want: cut,
    stream: "connection-lost",
    onRequest: send((content) => `${getChunkedHead(content)}${"f".repeat(30)}\r\n${content.body}`),
  },
  {
    name: "a chunk that is longer than its size",
    want: cut,
    stream: "connection-lost",
    onRequest: send((content) => `${getChunkedHead(content)}5\r\n${content.body}\r\n0\r\n\r\n`),
  },
  {
    name: "chunks with extensions and trailers",
    want: {},
    stream: "done",
    onRequest: send((c) => `${getChunkedHead(c)}${c.body.length.toString(16)};a=b\r\n${c.body}\r\n0\r\nx-t: 1\r\n\r\n`),
  },
  { name: "a status line without a number", want: network, onRequest: send(() => "HTTP/1.1 OK\r\n\r\n") },
  { name: "a status of four digits", want: network, onRequest: send(() => "HTTP/1.1 2000 OK\r\n\r\n") },
  { name: "an unknown version of HTTP", want: network, onRequest: send(() => "HTTP/9.9 200 OK\r\n\r\n") },
  { name: "another protocol", want: network, onRequest: send(() => "SSH-2.0-OpenSSH_9.9\r\n") },
  { name: "a page without any head", want: network, onRequest: (socket) => socket.end("<html><p>hello</p></html>") },
  { name: "bytes at random", want: network, onRequest: (socket) => socket.end(Buffer.from("00ff17fe9d0a0d0a", "hex")) },
  { name: "a TLS alert", want: network, onRequest: (socket) => socket.end(Buffer.from("15030300020228", "hex")) },
  {
    name: "an answer of HTTP/1.0",
    want: {},
    stream: "done",
    onRequest: (socket, { type, body }) => socket.end(`HTTP/1.0 200 OK\r\ncontent-type: ${type}\r\n\r\n${body}`),
  },
  { name: "a header without a colon", want: network, onRequest: send(() => "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n") },
  { name: "a header with a zero byte", want: network, onRequest: send((c) => getGoodHead(c, { x: "a\0b" })) },
  { name: "a header name with a space", want: network, onRequest: send((c) => getGoodHead(c, { "x y": "1" })) },
  { name: "a header of 100 kB", want: network, onRequest: send((c) => getGoodHead(c, { x: "y".repeat(100_000) })) },
  {
    name: "headers without end",
    want: network,
    async onRequest(socket) {
      socket.write("HTTP/1.1 200 OK\r\n");
      await flood(socket, `x: ${"y".repeat(1000)}\r\n`);
    },
  },
  {
    name: "an unsolicited 100 Continue before the response",
    want: network,
    onRequest: send((content) => `${getHead(100)}${getGoodHead(content)}${content.body}`),
  },
  {
    name: "Early Hints before the answer",
    want: {},
    stream: "done",
    onRequest: send((content) => `${getHead(103, { link: "</a>" })}${getGoodHead(content)}${content.body}`),
  },
  { name: "102 and then an end", want: network, onRequest: (socket) => socket.end(getHead(102)) },
  { name: "101 without being asked", want: network, onRequest: send(() => getHead(101, { upgrade: "x" })) },
  {
    name: "102 again and again",
    want: { code: "timeout", phase: "headers", retryable: true },
    onRequest: (socket) => drip(socket, getHead(102).repeat(100), 1),
  },
  {
    name: "a second answer after the first",
    want: {},
    stream: "done",
    onRequest: send((content) => getGoodHead(content) + content.body + getHead(500)),
  },
  {
    name: "gzip that is none",
    want: cut,
    stream: "connection-lost",
    onRequest: send((content) => getGoodHead(content, { "content-encoding": "gzip" }) + content.body),
  },
  {
    name: "gzip that is damaged",
    want: cut,
    stream: "connection-lost",
    onRequest: sendGzip((bytes) => bytes.fill(0xff, 12, 24)),
  },
  {
    name: "gzip that is cut",
    want: { code: "network", status: 200, retryable: true },
    stream: "ended-early",
    onRequest: sendGzip((bytes) => bytes.subarray(0, bytes.length - 20)),
  },
  { name: "gzip", want: {}, stream: "done", onRequest: sendGzip((bytes) => bytes) },
  {
    name: "a gzip bomb",
    want: tooLarge,
    stream: "event-too-large",
    onRequest(socket, { type, body }) {
      const bytes = body.startsWith("data") ? bombs.stream : bombs.json;
      socket.write(getHead(200, { "content-type": type, "content-encoding": "gzip", "content-length": bytes.length }));
      socket.write(bytes);
    },
  },
  {
    name: "an unknown encoding",
    want: {},
    stream: "done",
    onRequest: send((content) => getGoodHead(content, { "content-encoding": "x-strange" }) + content.body),
  },
  {
    name: "a body that is too large",
    want: tooLarge,
    stream: "event-too-large",
    onRequest: send((c) => getGoodHead(c, { "content-length": 200_000 }) + c.body.slice(0, 7) + "x".repeat(200_000)),
  },
  {
    name: "a body without end",
    want: tooLarge,
    stream: "event-too-large",
    async onRequest(socket, content) {
      socket.write(getChunkedHead(content) + chunk(content.body.slice(0, 7)));
      await flood(socket, chunk("x".repeat(10_000)));
    },
  },
  {
    name: "a body of as many bytes as are allowed",
    want: {},
    stream: "done",
    onRequest: send(
      (c) => getGoodHead(c, { "content-length": maxBytes }) + c.body + " ".repeat(maxBytes - c.body.length),
    ),
  },
];
