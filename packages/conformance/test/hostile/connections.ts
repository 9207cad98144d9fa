import { head, sse, json, ok, forEver, answerWith, byPath, slowly, type HostileTarget } from "./hostile-server.ts";

const million = 1_000_000;
const nasty =
  "<script>alert(1)</script>\" onload=x ' ]]> ``` | </details> \u001B[31m\u001B]8;;http://evil\u0007\u009B\u202Egnp\u2066\u200B\u2028 ::error::x";
const everyByte = Buffer.from(Array.from({ length: 256 * 256 }, (_, at) => (at % 2 === 0 ? at >> 8 : at & 255)));

/** Heads and connections that want to hurt who reads them. */
export const hostileConnections: Readonly<Record<string, HostileTarget>> = {
  "headers without an end": [
    (s) => forEver(s, "HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(5_000)),
    "fast",
    "unfinished",
  ],
  "100,000 headers": [answerWith("{}", ok("a:b\r\n".repeat(100_000))), "unfinished"],
  "thousands of headers that are still taken": [
    answerWith("{}", ok(`a:${nasty.replace(/[^\x20-\x7e]/g, "")}\r\n`.repeat(400))),
  ],
  "a header of 1 MB": [answerWith("{}", ok(`X-A: ${"x".repeat(million)}\r\n`)), "unfinished"],
  "a redirect to itself": [
    (s, { path }) => s.end(head("text/plain", "302 Found", `Location: ${path}\r\nContent-Length: 0\r\n`)),
  ],
  "a status text that acts": [
    answerWith("{}", `HTTP/1.1 500 ${nasty.replace(/[^\t\x20-\x7e]/g, "")}\r\nConnection: close\r\n\r\n`),
  ],
  "control characters in all of a body": [answerWith("\u0001\u202e\u2028".repeat(40_000))],
  "one byte now and then": [slowly(`${json}{`, " "), "unfinished"],
  "one byte of a header now and then": [slowly("HTTP/1.1 200 OK\r\nX-A: ", "x"), "unfinished"],
  "one event now and then": [slowly(sse, 'data: {"type":"status","status":"x"}\n'), "unfinished"],
  "headers, and then silence": [(s) => s.write(json), "unfinished"],
  "no answer at all": [() => {}, "unfinished"],
  "bytes that are not UTF-8 everywhere": [
    byPath(
      {
        automation: (s) => s.end(Buffer.concat([Buffer.from(sse), Buffer.from("data: "), everyByte])),
      },
      (s) => s.end(Buffer.concat([Buffer.from(json), everyByte])),
    ),
  ],
  "headers that come twice": [
    answerWith("{}", ok("Content-Type: text/html\r\nContent-Length: 2\r\nContent-Length: 2\r\nDate: x\r\nDate: y\r\n")),
    "unfinished",
  ],
  "a Content-Length that is too long": [answerWith("{}", ok("Content-Length: 99\r\n")), "unfinished"],
  "a Content-Length that is too short": [answerWith('{"markdown":""}', ok("Content-Length: 2\r\n")), "unfinished"],
  "a Content-Length that is no number": [answerWith("{}", ok("Content-Length: -1\r\n")), "unfinished"],
  "a length and chunks at once": [
    answerWith("2\r\n{}\r\n0\r\n\r\n", ok("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")),
    "unfinished",
  ],
  "no headers, as HTTP/0.9 would": [(s) => s.end('{"markdown":""}'), "unfinished"],
  garbage: [(s) => s.end(everyByte), "unfinished"],
  "a connection that breaks at once": [(s) => s.resetAndDestroy(), "unfinished"],
  "a connection that breaks in the status line": [
    (s) => s.write("HTTP/1.1 2", () => s.resetAndDestroy()),
    "unfinished",
  ],
  "a connection that breaks in the headers": [
    (s) => s.write("HTTP/1.1 200 OK\r\nContent-T", () => s.resetAndDestroy()),
    "unfinished",
  ],
  "a connection that breaks in the body": [
    (s) => s.write(`${json}{"mark`, () => setTimeout(() => s.resetAndDestroy(), 2)),
    "unfinished",
  ],
  "a stream that does not end after done": [slowly(`${sse}data: {"type":"done"}\n\n`, ": x\n")],
  "interim answers without an end": [
    (s) => forEver(s, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(500)),
    "unfinished",
  ],
  "a switch to another protocol": [
    (s) => s.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    "unfinished",
  ],
  "trailers without an end": [
    (s) =>
      forEver(s, `${ok("Transfer-Encoding: chunked\r\nTrailer: X-A\r\n")}2\r\n{}\r\n0\r\n`, "X-A: b\r\n".repeat(5_000)),
    "fast",
    "unfinished",
  ],
  "chunks of one byte without an end": [
    (s) => forEver(s, ok("Transfer-Encoding: chunked\r\n"), "1\r\n[\r\n".repeat(5_000)),
    "fast",
    "unfinished",
  ],
  "a chunk that claims to be endless": [
    (s) => s.write(`${ok("Transfer-Encoding: chunked\r\n")}fffffffffffff\r\n{`),
    "unfinished",
  ],
};
