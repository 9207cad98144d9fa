/** Targets that want to hurt who judges them: each takes over a bare socket once a request has come. */
import { createServer, type Socket } from "node:net";
import { constants, brotliCompressSync, gzipSync } from "node:zlib";
import { listen } from "./listen.ts";

/** What was asked, as far as a hostile target cares. */
export interface Hostage {
  readonly path: string;
  /** Counted from 1, over all connections. */
  readonly number: number;
}

/** Answers one request, or does not. */
export type Hostile = (socket: Socket, asked: Hostage) => void;

/** Starts a target of that kind. */
export async function startHostile(serve: Hostile): Promise<{ url: string; [Symbol.asyncDispose]: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  let number = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      const path = /^[A-Z]+ (\S+) HTTP/.exec(bytes.toString("latin1"))?.[1];
      if (path === undefined) return;
      number += 1;
      serve(socket, { path, number });
    });
  });
  const url = await listen(server);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, [Symbol.asyncDispose]: close };
}

const head = (type: string, status = "200 OK", more = ""): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nConnection: close\r\n${more}\r\n`;
const sse = head("text/event-stream");
const json = head("application/json");

/** Writes as fast as the other side reads, until it has enough. */
function forEver(socket: Socket, beginning: string, piece: string | Buffer): void {
  socket.write(beginning, "latin1");
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece)) {
      /* the buffer is not full yet */
    }
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

const answerWith = (text: string | Buffer, start = json): Hostile => {
  const bytes = Buffer.concat([Buffer.from(start, "latin1"), Buffer.from(text)]);
  return (socket) => socket.end(bytes);
};

/** By operation, since each has a body of its own. */
const byPath = (bodies: Readonly<Record<string, Hostile>>, other: Hostile): Hostile => (socket, asked) => {
  const name = Object.keys(bodies).find((part) => asked.path.includes(part)) ?? "";
  (bodies[name] ?? other)(socket, asked);
};

const filled = (first: string, item: string, count: number, last: string): string =>
  `${first}${Array.from({ length: count }, () => item).join(",")}${last}`;
const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const million = 1_000_000;
const nasty =
  '<script>alert(1)</script>" onload=x \' ]]> ``` | </details> \u001B[31m\u001B]8;;http://evil\u0007\u009B\u202Egnp\u2066\u200B\u2028 ::error::x';
const nastyJson = JSON.stringify(nasty);
const nastyEvents = ["status", "done"].map((type) => `data: {"type":"${type}","status":${nastyJson},"metadata":${nastyJson}}\n`);
const everyByte = Buffer.from(Array.from({ length: 256 * 256 }, (_, at) => (at % 2 === 0 ? at >> 8 : at & 255)));
const zeros = Buffer.alloc(64 * 2 ** 20);
const gzip = gzipSync(zeros);
const brotli = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const slowly = (beginning: string, piece: string): Hostile => (socket) => {
  socket.write(beginning);
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 100);
};

/** A target, and what it may come to beside the bounds that hold for all. */
export interface HostileTarget {
  readonly name: string;
  readonly serve: Hostile;
  /** The verdicts that are right. Default: `not-conforming`. */
  readonly verdicts?: readonly string[];
}

const unfinished = ["unfinished", "not-conforming"];

/** All of them. */
export const hostileTargets: readonly HostileTarget[] = [
  { name: "a JSON body without an end", serve: (s) => forEver(s, `${json}{"markdown":"`, "x".repeat(65_536)), verdicts: unfinished },
  { name: "a JSON body of numbers without an end", serve: (s) => forEver(s, `${json}[`, "0,".repeat(32_768)), verdicts: unfinished },
  { name: "an event stream without an end", serve: (s) => forEver(s, sse, 'data: {"type":"text_delta","delta":"x"}\n\n'.repeat(1_000)) },
  { name: "ten million tiny events", serve: (s) => forEver(s, sse, "data:1\n".repeat(10_000)) },
  { name: "ten million empty lines", serve: (s) => forEver(s, sse, "\n".repeat(65_536)) },
  { name: "events without line ends for ever", serve: (s) => forEver(s, sse, 'data: {"type":"done"} '.repeat(1_000)) },
  { name: "a line of 64 MB", serve: (s) => s.end(`${sse}data: "${"x".repeat(64 * 2 ** 20)}"\n`) },
  { name: "lines that all look like parts of an event", serve: (s) => forEver(s, sse, `data: {"a":"${"x".repeat(80)}"}}\n`.repeat(500)) },
  { name: "headers without an end", serve: (s) => forEver(s, "HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(5_000)), verdicts: unfinished },
  { name: "100,000 headers", serve: answerWith("{}", head("application/json", "200 OK", "a:b\r\n".repeat(100_000))), verdicts: unfinished },
  { name: "thousands of headers that are still taken", serve: answerWith("{}", head("application/json", "200 OK", `a:${nasty.replace(/[^\x20-\x7e]/g, "")}\r\n`.repeat(400))) },
  { name: "a header of 1 MB", serve: answerWith("{}", head("application/json", "200 OK", `X-A: ${"x".repeat(million)}\r\n`)), verdicts: unfinished },
  { name: "a gzip bomb", serve: answerWith(gzip, head("application/json", "200 OK", "Content-Encoding: gzip\r\n")) },
  { name: "a brotli bomb", serve: answerWith(brotli, head("application/json", "200 OK", "Content-Encoding: br\r\n")) },
  { name: "a body that claims to be packed and is not", serve: answerWith("{}", head("application/json", "200 OK", "Content-Encoding: gzip\r\n")) },
  { name: "a redirect to itself", serve: (s, { path }) => s.end(head("text/plain", "302 Found", `Location: ${path}\r\nContent-Length: 0\r\n`)) },
  { name: "HTML and control characters in every string", serve: byPath({
    scrape: answerWith(`{"markdown":[${nastyJson}],"images":[{"url":7,"category":${nastyJson}}],${nastyJson}:${nastyJson}}`),
    cookies: answerWith(`{"cookies":[{"domain":[${nastyJson}],"sameSite":${nastyJson}}]}`),
    replay: answerWith(`{"expires_at":${nastyJson},"mp4_url":${nastyJson},"video_start_ms":${nastyJson}}`),
    automation: answerWith(nastyEvents.join(`${nasty}\n`), sse),
  }, answerWith("{}")) },
  { name: "a status text that acts", serve: answerWith("{}", `HTTP/1.1 500 ${nasty.replace(/[^\t\x20-\x7e]/g, "")}\r\nConnection: close\r\n\r\n`) },
  { name: "a megabyte of opening brackets", serve: answerWith("[".repeat(million)) },
  { name: "a megabyte of JSON depth", serve: answerWith(deep(million / 2)), verdicts: unfinished },
  { name: "a megabyte of depth where a string belongs", serve: byPath({
    scrape: answerWith(`{"markdown":${deep(million / 2)}}`), cookies: answerWith(`{"cookies":[{"sameSite":${deep(million / 2)}}]}`),
    automation: answerWith(`data: {"type":${deep(million / 2)}}\ndata: {"type":"done","metadata":${deep(million / 2)}}\n`, sse),
  }, answerWith("{}")) },
  { name: "depth that is still taken", serve: byPath({
    scrape: answerWith(`{"markdown":${deep(990)}}`), cookies: answerWith(`{"cookies":[{"sameSite":${deep(990)}}]}`),
    automation: answerWith(`data: {"type":${deep(990)}}\ndata: {"type":"status","status":${deep(990)}}\n`, sse),
  }, answerWith("{}")) },
  { name: "a megabyte of deep objects in what is wrong", serve: answerWith(
    `{"detail":[${filled("", `{"loc":${'{"a":'.repeat(400)}1${"}".repeat(400)},"msg":1}`, 400, "")}]}`, head("application/json", "422 No")) },
  { name: "a million problems in what is wrong", serve: answerWith(filled('{"detail":[', "{}", million, "]}"), head("application/json", "422 No")) },
  { name: "a million images and cookies", serve: byPath({
    scrape: answerWith(filled('{"markdown":1,"images":[', '{"url":7,"category":"x"}', million, "]}")),
    cookies: answerWith(filled('{"cookies":[', '{"name":1,"value":"abcdef1"}', million, "]}")),
  }, answerWith("{}")) },
  { name: "400,000 images and cookies of which all are wrong", serve: byPath({
    scrape: answerWith(filled('{"markdown":1,"images":[', "7", 400_000, "]}")),
    cookies: answerWith(filled('{"cookies":[', '{"value":7}', 200_000, "]}")),
  }, answerWith("{}")) },
  { name: "200,000 cookies that all are secrets", serve: byPath({
    cookies: answerWith(`{"cookies":[${Array.from({ length: 200_000 }, (_, at) => `{"value":"s3cret-${at}"}`).join(",")}]}`),
  }, answerWith("{}")) },
  { name: "a million members", serve: answerWith(`{${Array.from({ length: million }, (_, at) => `"k${at}":0`).join(",")}}`) },
  { name: "one byte now and then", serve: slowly(`${json}{`, " "), verdicts: unfinished },
  { name: "one byte of a header now and then", serve: slowly("HTTP/1.1 200 OK\r\nX-A: ", "x"), verdicts: unfinished },
  { name: "one event now and then", serve: slowly(sse, 'data: {"type":"status","status":"x"}\n'), verdicts: unfinished },
  { name: "headers, and then silence", serve: (s) => s.write(json), verdicts: unfinished },
  { name: "no answer at all", serve: () => {}, verdicts: unfinished },
  { name: "bytes that are not UTF-8 everywhere", serve: byPath({
    automation: (s) => s.end(Buffer.concat([Buffer.from(sse), Buffer.from("data: "), everyByte])),
  }, (s) => s.end(Buffer.concat([Buffer.from(json), everyByte]))) },
  { name: "headers that come twice", serve: answerWith("{}", head("application/json", "200 OK", "Content-Type: text/html\r\nContent-Length: 2\r\nContent-Length: 2\r\nDate: x\r\nDate: y\r\n")), verdicts: unfinished },
  { name: "a Content-Length that is too long", serve: answerWith("{}", head("application/json", "200 OK", "Content-Length: 99\r\n")), verdicts: unfinished },
  { name: "a Content-Length that is too short", serve: answerWith('{"markdown":""}', head("application/json", "200 OK", "Content-Length: 2\r\n")) },
  { name: "a Content-Length that is no number", serve: answerWith("{}", head("application/json", "200 OK", "Content-Length: -1\r\n")), verdicts: unfinished },
  { name: "a length and chunks at once", serve: answerWith("2\r\n{}\r\n0\r\n\r\n", head("application/json", "200 OK", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")), verdicts: unfinished },
  { name: "no headers, as HTTP/0.9 would", serve: (s) => s.end('{"markdown":""}'), verdicts: unfinished },
  { name: "garbage", serve: (s) => s.end(everyByte), verdicts: unfinished },
  { name: "a connection that breaks at once", serve: (s) => s.resetAndDestroy(), verdicts: unfinished },
  { name: "a connection that breaks in the status line", serve: (s) => s.write("HTTP/1.1 2", () => s.resetAndDestroy()), verdicts: unfinished },
  { name: "a connection that breaks in the headers", serve: (s) => s.write("HTTP/1.1 200 OK\r\nContent-T", () => s.resetAndDestroy()), verdicts: unfinished },
  { name: "a connection that breaks in the body", serve: (s) => s.write(`${json}{"mark`, () => setTimeout(() => s.resetAndDestroy(), 2)), verdicts: unfinished },
  { name: "a stream that does not end after done", serve: slowly(`${sse}data: {"type":"done"}\n\n`, ": x\n") },
  { name: "interim answers without an end", serve: (s) => forEver(s, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(500)), verdicts: unfinished },
  { name: "a switch to another protocol", serve: (s) => s.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), verdicts: unfinished },
  { name: "trailers without an end", serve: (s) => forEver(s, `${head("application/json", "200 OK", "Transfer-Encoding: chunked\r\nTrailer: X-A\r\n")}2\r\n{}\r\n0\r\n`, "X-A: b\r\n".repeat(5_000)), verdicts: unfinished },
  { name: "chunks of one byte without an end", serve: (s) => forEver(s, head("application/json", "200 OK", "Transfer-Encoding: chunked\r\n"), "1\r\n[\r\n".repeat(5_000)), verdicts: unfinished },
  { name: "a chunk that claims to be endless", serve: (s) => s.write(`${head("application/json", "200 OK", "Transfer-Encoding: chunked\r\n")}fffffffffffff\r\n{`), verdicts: unfinished },
];
