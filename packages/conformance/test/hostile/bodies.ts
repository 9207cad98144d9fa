import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { head, sse, json, forEver, answerWith, byPath, unfinished, type HostileTarget } from "./hostile-server.ts";

const filled = (first: string, item: string, count: number, last: string): string =>
  `${first}${Array.from({ length: count }, () => item).join(",")}${last}`;
const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const million = 1_000_000;
const nasty =
  "<script>alert(1)</script>\" onload=x ' ]]> ``` | </details> \u001B[31m\u001B]8;;http://evil\u0007\u009B\u202Egnp\u2066\u200B\u2028 ::error::x";
const nastyJson = JSON.stringify(nasty);
const nastyEvents = ["status", "done"].map(
  (type) => `data: {"type":"${type}","status":${nastyJson},"metadata":${nastyJson}}\n`,
);
const zeros = Buffer.alloc(64 * 2 ** 20);
const gzip = gzipSync(zeros);
const brotli = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const longLine = Buffer.from(`${sse}data: "${"x".repeat(64 * 2 ** 20)}"\n`);

/** Bodies that want to hurt who reads them. */
export const hostileBodies: readonly HostileTarget[] = [
  {
    name: "a JSON body without an end",
    isFast: true,
    serve: (s) => forEver(s, `${json}{"markdown":"`, "x".repeat(65_536)),
    verdicts: unfinished,
  },
  {
    name: "a JSON body of numbers without an end",
    isFast: true,
    serve: (s) => forEver(s, `${json}[`, "0,".repeat(32_768)),
    verdicts: unfinished,
  },
  {
    name: "an event stream without an end",
    isFast: true,
    serve: (s) => forEver(s, sse, 'data: {"type":"text_delta","delta":"x"}\n\n'.repeat(1_000)),
  },
  { name: "ten million tiny events", isFast: true, serve: (s) => forEver(s, sse, "data:1\n".repeat(10_000)) },
  { name: "ten million empty lines", isFast: true, serve: (s) => forEver(s, sse, "\n".repeat(65_536)) },
  {
    name: "events without line ends for ever",
    isFast: true,
    serve: (s) => forEver(s, sse, 'data: {"type":"done"} '.repeat(1_000)),
  },
  { name: "a line of 64 MB", serve: (s) => s.end(longLine) },
  {
    name: "lines that all look like parts of an event",
    isFast: true,
    serve: (s) => forEver(s, sse, `data: {"a":"${"x".repeat(80)}"}}\n`.repeat(500)),
  },
  { name: "a gzip bomb", serve: answerWith(gzip, head("application/json", "200 OK", "Content-Encoding: gzip\r\n")) },
  { name: "a brotli bomb", serve: answerWith(brotli, head("application/json", "200 OK", "Content-Encoding: br\r\n")) },
  {
    name: "a body that claims to be packed and is not",
    serve: answerWith("{}", head("application/json", "200 OK", "Content-Encoding: gzip\r\n")),
  },
  {
    name: "HTML and control characters in every string",
    serve: byPath(
      {
        scrape: answerWith(
          `{"markdown":[${nastyJson}],"images":[{"url":7,"category":${nastyJson}}],${nastyJson}:${nastyJson}}`,
        ),
        cookies: answerWith(`{"cookies":[{"domain":[${nastyJson}],"sameSite":${nastyJson}}]}`),
        replay: answerWith(`{"expires_at":${nastyJson},"mp4_url":${nastyJson},"video_start_ms":${nastyJson}}`),
        automation: answerWith(nastyEvents.join(`${nasty}\n`), sse),
      },
      answerWith("{}"),
    ),
  },
  { name: "a megabyte of opening brackets", serve: answerWith("[".repeat(million)) },
  { name: "a megabyte of JSON depth", serve: answerWith(deep(million / 2)), verdicts: unfinished },
  {
    name: "a megabyte of depth where a string belongs",
    serve: byPath(
      {
        scrape: answerWith(`{"markdown":${deep(million / 2)}}`),
        cookies: answerWith(`{"cookies":[{"sameSite":${deep(million / 2)}}]}`),
        automation: answerWith(
          `data: {"type":${deep(million / 2)}}\ndata: {"type":"done","metadata":${deep(million / 2)}}\n`,
          sse,
        ),
      },
      answerWith("{}"),
    ),
  },
  {
    name: "depth that is still taken",
    serve: byPath(
      {
        scrape: answerWith(`{"markdown":${deep(990)}}`),
        cookies: answerWith(`{"cookies":[{"sameSite":${deep(990)}}]}`),
        automation: answerWith(`data: {"type":${deep(990)}}\ndata: {"type":"status","status":${deep(990)}}\n`, sse),
      },
      answerWith("{}"),
    ),
  },
  {
    name: "a megabyte of deep objects in what is wrong",
    serve: answerWith(
      `{"detail":[${filled("", `{"loc":${'{"a":'.repeat(400)}1${"}".repeat(400)},"msg":1}`, 400, "")}]}`,
      head("application/json", "422 No"),
    ),
  },
  {
    name: "a million problems in what is wrong",
    serve: answerWith(filled('{"detail":[', "{}", million, "]}"), head("application/json", "422 No")),
  },
  {
    name: "a million images and cookies",
    serve: byPath(
      {
        scrape: answerWith(filled('{"markdown":1,"images":[', '{"url":7,"category":"x"}', million, "]}")),
        cookies: answerWith(filled('{"cookies":[', '{"name":1,"value":"abcdef1"}', million, "]}")),
      },
      answerWith("{}"),
    ),
  },
  {
    name: "400,000 images and cookies of which all are wrong",
    serve: byPath(
      {
        scrape: answerWith(filled('{"markdown":1,"images":[', "7", 400_000, "]}")),
        cookies: answerWith(filled('{"cookies":[', '{"value":7}', 200_000, "]}")),
      },
      answerWith("{}"),
    ),
  },
  {
    name: "200,000 cookies that all are secrets",
    serve: byPath(
      {
        cookies: answerWith(
          `{"cookies":[${Array.from({ length: 200_000 }, (_, at) => `{"value":"s3cret-${at}"}`).join(",")}]}`,
        ),
      },
      answerWith("{}"),
    ),
  },
  {
    name: "a million members",
    serve: answerWith(`{${Array.from({ length: million }, (_, at) => `"k${at}":0`).join(",")}}`),
  },
];
