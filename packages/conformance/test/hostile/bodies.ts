/** Bodies that want to hurt who reads them. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { answerWith, byPath, invalid, json, listHostile, nasty, ok, repeat, sse } from "./hostile-server.ts";

const fill = (first: string, item: string, count: number, last: string): string =>
  `${first}${Array.from({ length: count }, () => item).join(",")}${last}`;
const deepen = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const million = 1_000_000;
const nastyJson = JSON.stringify(nasty);
const nastyEvents = ["status", "done"].map(
  (type) => `data: {"type":"${type}","status":${nastyJson},"metadata":${nastyJson}}\n`,
);
const zeros = Buffer.alloc(64 * 2 ** 20);
const gzip = gzipSync(zeros);
const brotli = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const secrets = Array.from({ length: 200_000 }, (_, at) => `{"value":"s3cret-${at}"}`).join(",");
const members = Array.from({ length: million }, (_, at) => `"k${at}":0`).join(",");
const deepObject = `{"loc":${'{"a":'.repeat(400)}1${"}".repeat(400)},"msg":1}`;
const [deep, half] = [deepen(990), deepen(million / 2)];

/** A stream of two events, each with a value in it. */
const sendEvents = (value: string, type: string, name: string): ReturnType<typeof answerWith> =>
  answerWith(`data: {"type":${value}}\ndata: {"type":"${type}","${name}":${value}}\n`, sse);

export const hostileBodies = [
  ...listHostile(
    {
      "a JSON body without an end": repeat(`${json}{"markdown":"`, "x".repeat(65_536)),
      "a JSON body of numbers without an end": repeat(`${json}[`, "0,".repeat(32_768)),
    },
    { isFast: true, isUnclear: true },
  ),
  ...listHostile(
    {
      "an event stream without an end": repeat(sse, 'data: {"type":"text_delta","delta":"x"}\n\n'.repeat(1_000)),
      "ten million tiny events": repeat(sse, "data:1\n".repeat(10_000)),
      "ten million empty lines": repeat(sse, "\n".repeat(65_536)),
      "events without line ends for ever": repeat(sse, 'data: {"type":"done"} '.repeat(1_000)),
      "lines that all look like parts of an event": repeat(sse, `data: {"a":"${"x".repeat(80)}"}}\n`.repeat(500)),
    },
    { isFast: true },
  ),
  ...listHostile({ "a megabyte of JSON depth": answerWith(half) }, { isUnclear: true }),
  ...listHostile({
    "a line of 64 MB": answerWith(`data: "${"x".repeat(64 * 2 ** 20)}"\n`, sse),
    "a gzip bomb": answerWith(gzip, ok("Content-Encoding: gzip\r\n")),
    "a brotli bomb": answerWith(brotli, ok("Content-Encoding: br\r\n")),
    "a body that claims to be packed and is not": answerWith("{}", ok("Content-Encoding: gzip\r\n")),
    "HTML and control characters in every string": byPath({
      scrape: answerWith(
        `{"markdown":[${nastyJson}],"images":[{"url":7,"category":${nastyJson}}],${nastyJson}:${nastyJson}}`,
      ),
      cookies: answerWith(`{"cookies":[{"domain":[${nastyJson}],"sameSite":${nastyJson}}]}`),
      replay: answerWith(`{"expires_at":${nastyJson},"mp4_url":${nastyJson},"video_start_ms":${nastyJson}}`),
      automation: answerWith(nastyEvents.join(`${nasty}\n`), sse),
    }),
    "a megabyte of opening brackets": answerWith("[".repeat(million)),
    "a megabyte of depth where a string belongs": byPath({
      scrape: answerWith(`{"markdown":${half}}`),
      cookies: answerWith(`{"cookies":[{"sameSite":${half}}]}`),
      automation: sendEvents(half, "done", "metadata"),
    }),
    "depth that is still taken": byPath({
      scrape: answerWith(`{"markdown":${deep}}`),
      cookies: answerWith(`{"cookies":[{"sameSite":${deep}}]}`),
      automation: sendEvents(deep, "status", "status"),
    }),
    "a megabyte of deep objects in what is wrong": answerWith(`{"detail":[${fill("", deepObject, 400, "")}]}`, invalid),
    "a million problems in what is wrong": answerWith(fill('{"detail":[', "{}", million, "]}"), invalid),
    "a million images and cookies": byPath({
      scrape: answerWith(fill('{"markdown":1,"images":[', '{"url":7,"category":"x"}', million, "]}")),
      cookies: answerWith(fill('{"cookies":[', '{"name":1,"value":"abcdef1"}', million, "]}")),
    }),
    "400,000 images and cookies of which all are wrong": byPath({
      scrape: answerWith(fill('{"markdown":1,"images":[', "7", 400_000, "]}")),
      cookies: answerWith(fill('{"cookies":[', '{"value":7}', 200_000, "]}")),
    }),
    "200,000 cookies that all are secrets": byPath({ cookies: answerWith(`{"cookies":[${secrets}]}`) }),
    "a million members": answerWith(`{${members}}`),
  }),
];
