import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { sse, json, invalid, ok, forEver, answerWith, byPath, type HostileTarget } from "./hostile-server.ts";

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
export const hostileBodies: Readonly<Record<string, HostileTarget>> = {
  "a JSON body without an end": [(s) => forEver(s, `${json}{"markdown":"`, "x".repeat(65_536)), "fast", "unfinished"],
  "a JSON body of numbers without an end": [(s) => forEver(s, `${json}[`, "0,".repeat(32_768)), "fast", "unfinished"],
  "an event stream without an end": [
    (s) => forEver(s, sse, 'data: {"type":"text_delta","delta":"x"}\n\n'.repeat(1_000)),
    "fast",
  ],
  "ten million tiny events": [(s) => forEver(s, sse, "data:1\n".repeat(10_000)), "fast"],
  "ten million empty lines": [(s) => forEver(s, sse, "\n".repeat(65_536)), "fast"],
  "events without line ends for ever": [(s) => forEver(s, sse, 'data: {"type":"done"} '.repeat(1_000)), "fast"],
  "a line of 64 MB": [(s) => s.end(longLine)],
  "lines that all look like parts of an event": [
    (s) => forEver(s, sse, `data: {"a":"${"x".repeat(80)}"}}\n`.repeat(500)),
    "fast",
  ],
  "a gzip bomb": [answerWith(gzip, ok("Content-Encoding: gzip\r\n"))],
  "a brotli bomb": [answerWith(brotli, ok("Content-Encoding: br\r\n"))],
  "a body that claims to be packed and is not": [answerWith("{}", ok("Content-Encoding: gzip\r\n"))],
  "HTML and control characters in every string": [
    byPath(
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
  ],
  "a megabyte of opening brackets": [answerWith("[".repeat(million))],
  "a megabyte of JSON depth": [answerWith(deep(million / 2)), "unfinished"],
  "a megabyte of depth where a string belongs": [
    byPath(
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
  ],
  "depth that is still taken": [
    byPath(
      {
        scrape: answerWith(`{"markdown":${deep(990)}}`),
        cookies: answerWith(`{"cookies":[{"sameSite":${deep(990)}}]}`),
        automation: answerWith(`data: {"type":${deep(990)}}\ndata: {"type":"status","status":${deep(990)}}\n`, sse),
      },
      answerWith("{}"),
    ),
  ],
  "a megabyte of deep objects in what is wrong": [
    answerWith(
      `{"detail":[${filled("", `{"loc":${'{"a":'.repeat(400)}1${"}".repeat(400)},"msg":1}`, 400, "")}]}`,
      invalid,
    ),
  ],
  "a million problems in what is wrong": [answerWith(filled('{"detail":[', "{}", million, "]}"), invalid)],
  "a million images and cookies": [
    byPath(
      {
        scrape: answerWith(filled('{"markdown":1,"images":[', '{"url":7,"category":"x"}', million, "]}")),
        cookies: answerWith(filled('{"cookies":[', '{"name":1,"value":"abcdef1"}', million, "]}")),
      },
      answerWith("{}"),
    ),
  ],
  "400,000 images and cookies of which all are wrong": [
    byPath(
      {
        scrape: answerWith(filled('{"markdown":1,"images":[', "7", 400_000, "]}")),
        cookies: answerWith(filled('{"cookies":[', '{"value":7}', 200_000, "]}")),
      },
      answerWith("{}"),
    ),
  ],
  "200,000 cookies that all are secrets": [
    byPath(
      {
        cookies: answerWith(
          `{"cookies":[${Array.from({ length: 200_000 }, (_, at) => `{"value":"s3cret-${at}"}`).join(",")}]}`,
        ),
      },
      answerWith("{}"),
    ),
  ],
  "a million members": [answerWith(`{${Array.from({ length: million }, (_, at) => `"k${at}":0`).join(",")}}`)],
};
