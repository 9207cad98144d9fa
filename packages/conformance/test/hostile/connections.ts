import {
  head,
  sse,
  json,
  forEver,
  answerWith,
  byPath,
  slowly,
  unfinished,
  type HostileTarget,
} from "./hostile-server.ts";

const million = 1_000_000;
const nasty =
  "<script>alert(1)</script>\" onload=x ' ]]> ``` | </details> \u001B[31m\u001B]8;;http://evil\u0007\u009B\u202Egnp\u2066\u200B\u2028 ::error::x";
const everyByte = Buffer.from(Array.from({ length: 256 * 256 }, (_, at) => (at % 2 === 0 ? at >> 8 : at & 255)));

/** Heads and connections that want to hurt who reads them. */
export const hostileConnections: readonly HostileTarget[] = [
  {
    name: "headers without an end",
    isFast: true,
    serve: (s) => forEver(s, "HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(5_000)),
    verdicts: unfinished,
  },
  {
    name: "100,000 headers",
    serve: answerWith("{}", head("application/json", "200 OK", "a:b\r\n".repeat(100_000))),
    verdicts: unfinished,
  },
  {
    name: "thousands of headers that are still taken",
    serve: answerWith(
      "{}",
      head("application/json", "200 OK", `a:${nasty.replace(/[^\x20-\x7e]/g, "")}\r\n`.repeat(400)),
    ),
  },
  {
    name: "a header of 1 MB",
    serve: answerWith("{}", head("application/json", "200 OK", `X-A: ${"x".repeat(million)}\r\n`)),
    verdicts: unfinished,
  },
  {
    name: "a redirect to itself",
    serve: (s, { path }) => s.end(head("text/plain", "302 Found", `Location: ${path}\r\nContent-Length: 0\r\n`)),
  },
  {
    name: "a status text that acts",
    serve: answerWith("{}", `HTTP/1.1 500 ${nasty.replace(/[^\t\x20-\x7e]/g, "")}\r\nConnection: close\r\n\r\n`),
  },
  { name: "control characters in all of a body", serve: answerWith("\u0001\u202e\u2028".repeat(40_000)) },
  { name: "one byte now and then", serve: slowly(`${json}{`, " "), verdicts: unfinished },
  { name: "one byte of a header now and then", serve: slowly("HTTP/1.1 200 OK\r\nX-A: ", "x"), verdicts: unfinished },
  {
    name: "one event now and then",
    serve: slowly(sse, 'data: {"type":"status","status":"x"}\n'),
    verdicts: unfinished,
  },
  { name: "headers, and then silence", serve: (s) => s.write(json), verdicts: unfinished },
  { name: "no answer at all", serve: () => {}, verdicts: unfinished },
  {
    name: "bytes that are not UTF-8 everywhere",
    serve: byPath(
      {
        automation: (s) => s.end(Buffer.concat([Buffer.from(sse), Buffer.from("data: "), everyByte])),
      },
      (s) => s.end(Buffer.concat([Buffer.from(json), everyByte])),
    ),
  },
  {
    name: "headers that come twice",
    serve: answerWith(
      "{}",
      head(
        "application/json",
        "200 OK",
        "Content-Type: text/html\r\nContent-Length: 2\r\nContent-Length: 2\r\nDate: x\r\nDate: y\r\n",
      ),
    ),
    verdicts: unfinished,
  },
  {
    name: "a Content-Length that is too long",
    serve: answerWith("{}", head("application/json", "200 OK", "Content-Length: 99\r\n")),
    verdicts: unfinished,
  },
  {
    name: "a Content-Length that is too short",
    serve: answerWith('{"markdown":""}', head("application/json", "200 OK", "Content-Length: 2\r\n")),
    verdicts: unfinished,
  },
  {
    name: "a Content-Length that is no number",
    serve: answerWith("{}", head("application/json", "200 OK", "Content-Length: -1\r\n")),
    verdicts: unfinished,
  },
  {
    name: "a length and chunks at once",
    serve: answerWith(
      "2\r\n{}\r\n0\r\n\r\n",
      head("application/json", "200 OK", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"),
    ),
    verdicts: unfinished,
  },
  { name: "no headers, as HTTP/0.9 would", serve: (s) => s.end('{"markdown":""}'), verdicts: unfinished },
  { name: "garbage", serve: (s) => s.end(everyByte), verdicts: unfinished },
  { name: "a connection that breaks at once", serve: (s) => s.resetAndDestroy(), verdicts: unfinished },
  {
    name: "a connection that breaks in the status line",
    serve: (s) => s.write("HTTP/1.1 2", () => s.resetAndDestroy()),
    verdicts: unfinished,
  },
  {
    name: "a connection that breaks in the headers",
    serve: (s) => s.write("HTTP/1.1 200 OK\r\nContent-T", () => s.resetAndDestroy()),
    verdicts: unfinished,
  },
  {
    name: "a connection that breaks in the body",
    serve: (s) => s.write(`${json}{"mark`, () => setTimeout(() => s.resetAndDestroy(), 2)),
    verdicts: unfinished,
  },
  { name: "a stream that does not end after done", serve: slowly(`${sse}data: {"type":"done"}\n\n`, ": x\n") },
  {
    name: "interim answers without an end",
    serve: (s) => forEver(s, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(500)),
    verdicts: unfinished,
  },
  {
    name: "a switch to another protocol",
    serve: (s) => s.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    verdicts: unfinished,
  },
  {
    name: "trailers without an end",
    isFast: true,
    serve: (s) =>
      forEver(
        s,
        `${head("application/json", "200 OK", "Transfer-Encoding: chunked\r\nTrailer: X-A\r\n")}2\r\n{}\r\n0\r\n`,
        "X-A: b\r\n".repeat(5_000),
      ),
    verdicts: unfinished,
  },
  {
    name: "chunks of one byte without an end",
    isFast: true,
    serve: (s) =>
      forEver(s, head("application/json", "200 OK", "Transfer-Encoding: chunked\r\n"), "1\r\n[\r\n".repeat(5_000)),
    verdicts: unfinished,
  },
  {
    name: "a chunk that claims to be endless",
    serve: (s) => s.write(`${head("application/json", "200 OK", "Transfer-Encoding: chunked\r\n")}fffffffffffff\r\n{`),
    verdicts: unfinished,
  },
];
