/** Heads and connections that want to hurt who reads them. */
import {
  answerWith,
  breakAfter,
  byPath,
  drip,
  head,
  json,
  listHostile,
  nasty,
  ok,
  repeat,
  sse,
  stopAfter,
} from "./hostile-server.ts";

const million = 1_000_000;
const everyByte = Buffer.from(Array.from({ length: 256 * 256 }, (_, at) => (at % 2 === 0 ? at >> 8 : at & 255)));
const chunked = ok("Transfer-Encoding: chunked\r\n");

export const hostileConnections = [
  ...listHostile(
    {
      "headers without an end": repeat("HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(5_000)),
      "trailers without an end": repeat(
        `${ok("Transfer-Encoding: chunked\r\nTrailer: X-A\r\n")}2\r\n{}\r\n0\r\n`,
        "X-A: b\r\n".repeat(5_000),
      ),
      "chunks of one byte without an end": repeat(chunked, "1\r\n[\r\n".repeat(5_000)),
    },
    { isFast: true, isUnclear: true },
  ),
  ...listHostile({
    "thousands of headers that are still taken": answerWith(
      "{}",
      ok(`a:${nasty.replace(/[^\x20-\x7e]/g, "")}\r\n`.repeat(400)),
    ),
    "a redirect to itself": (socket, { path }) =>
      socket.end(head("text/plain", "302 Found", `Location: ${path}\r\nContent-Length: 0\r\n`)),
    "a status text that acts": answerWith(
      "{}",
      `HTTP/1.1 500 ${nasty.replace(/[^\t\x20-\x7e]/g, "")}\r\nConnection: close\r\n\r\n`,
    ),
    "control characters in all of a body": answerWith("\u0001\u202e\u2028".repeat(40_000)),
    "bytes that are not UTF-8 everywhere": byPath(
      { automation: answerWith(Buffer.concat([Buffer.from("data: "), everyByte]), sse) },
      answerWith(everyByte),
    ),
    "a stream that does not end after done": drip(`${sse}data: {"type":"done"}\n\n`, ": x\n"),
  }),
  ...listHostile(
    {
      "100,000 headers": answerWith("{}", ok("a:b\r\n".repeat(100_000))),
      "a header of 1 MB": answerWith("{}", ok(`X-A: ${"x".repeat(million)}\r\n`)),
      "one byte now and then": drip(`${json}{`, " "),
      "one byte of a header now and then": drip("HTTP/1.1 200 OK\r\nX-A: ", "x"),
      "one event now and then": drip(sse, 'data: {"type":"status","status":"x"}\n'),
      "headers, and then silence": stopAfter(json),
      "no answer at all": () => {},
      "headers that come twice": answerWith(
        "{}",
        ok("Content-Type: text/html\r\nContent-Length: 2\r\nContent-Length: 2\r\nDate: x\r\nDate: y\r\n"),
      ),
      "a Content-Length that is too long": answerWith("{}", ok("Content-Length: 99\r\n")),
      "a Content-Length that is too short": answerWith('{"markdown":""}', ok("Content-Length: 2\r\n")),
      "a Content-Length that is no number": answerWith("{}", ok("Content-Length: -1\r\n")),
      "a length and chunks at once": answerWith(
        "2\r\n{}\r\n0\r\n\r\n",
        ok("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"),
      ),
      "no headers, as HTTP/0.9 would": answerWith('{"markdown":""}', ""),
      garbage: answerWith(everyByte, ""),
      "a connection that breaks at once": (socket) => socket.resetAndDestroy(),
      "a connection that breaks in the status line": breakAfter("HTTP/1.1 2"),
      "a connection that breaks in the headers": breakAfter("HTTP/1.1 200 OK\r\nContent-T"),
      "a connection that breaks in the body": breakAfter(`${json}{"mark`),
      "interim answers without an end": repeat("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(500)),
      "a switch to another protocol": stopAfter(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      ),
      "a chunk that claims to be endless": stopAfter(`${chunked}fffffffffffff\r\n{`),
    },
    { isUnclear: true },
  ),
];
