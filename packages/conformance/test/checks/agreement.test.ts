/**
 * Parts of answers that have to agree: those that contradict each other are found by the sentence about it, and those that differ for
 * a sensible reason are not even warned about.
 */
import { describe, expect, test } from "vitest";
import { tryService } from "../kills/trial.ts";
import { isObject, type Fields, type Json } from "../targets/messages.ts";
import { functionId, recording, structured, threadId } from "../targets/content.ts";
import { correctService, type Service } from "../targets/service.ts";
import { run } from "../targets/parts.ts";

const checks = [
  "scrape/structured-*",
  "recording/addresses-*-a*",
  "event/done-function_id-uploaded",
  "event/done-total_cost_usd-*",
  "event/done-thread_id-same",
  "replay/same-recording",
];

/** Extracts data where a structure is given, and gives what it says then. */
const extracting = (value: Json): Partial<Service> => ({
  scrapes: (options, request) => {
    const answer = correctService.scrapes(options, request);
    return isObject(answer) && isObject(options.get("response_format")) ? { ...answer, structured: value } : answer;
  },
});

/** Gives structured data with every scrape for which something is true. */
const giving = (value: Json, when: (options: ReadonlyMap<string, Json>) => boolean): Partial<Service> => ({
  scrapes: (options) => ({ markdown: "# Harbour ferries", ...(when(options) ? { structured: value } : {}) }),
});

const done = (fields: Fields): Partial<Service> =>
  run((events) => events.map((event) => (event["type"] === "done" ? { ...event, ...fields } : event)));

const everywhere = (fields: Fields): Partial<Service> =>
  run((events) => events.map((event) => (event["type"] === "done" ? event : { ...event, ...fields })));

const playlist = (...addresses: readonly string[]): string =>
  `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n${addresses.map((address) => `#EXTINF:3.35,\n${address}\n`).join("")}#EXT-X-ENDLIST\n`;

const film = (mp4: string, addresses: readonly string[], more: Fields = {}): Partial<Service> => ({
  recording: () => ({ ...recording, mp4_url: mp4, playlist_content: playlist(...addresses), ...more }),
});

const segments = (of: (name: string, at: number) => string): string[] => ["0.ts", "1.ts", "2.ts"].map(of);
const store = "https://store.example/7c1d";
const token = "q7Jd0dE2kPz5Vw9aLx3bRtYu";
const amazon = (name: string, date: string, seconds: number): string =>
  `${store}/${name}?X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-Signature=b6f0`;
const signed = (name: string): string => `${store}/${name}?signature=b6f0`;
const bare = (name: string): string => `${store}/${name}`;

const otherId = "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f";

/** Answers by what they hold, each with the sentence that they break; undefined for sensible ones. */
const rows: readonly (readonly [what: string, broken: string | undefined, parts: Partial<Service>])[] = [
  ["data and no word on success", undefined, extracting({ data: { title: "Harbour ferries" } })],
  ["success and an empty error", undefined, extracting({ ...structured, error: "" })],
  ["success, and no data", undefined, extracting({ success: true, error: null, data: null })],
  ["a failure with its message", undefined, extracting({ success: false, error: "no title", data: null })],
  [
    "a failure with its message, and half of the data",
    undefined,
    extracting({ success: false, error: "half", data: {} }),
  ],
  ["an error message beside success", "structured.error.only-on-failure", extracting({ ...structured, error: "no" })],
  ["an error message, and no word on success", "structured.error.only-on-failure", extracting({ error: "no title" })],
  ["a failure without a message", "structured.error.on-failure", extracting({ success: false })],
  [
    "a failure with its message, and data",
    "structured.data.only-on-success",
    extracting({ success: false, error: "half", data: { title: "Harbour ferries" } }),
  ],
  ["null for what nobody asked for", undefined, giving(null, () => true)],
  ["an empty structure that nobody asked for", undefined, giving({ success: true, data: null }, () => true)],
  [
    "data that only instructions ask for",
    undefined,
    giving(structured, (options) => {
      const text = options.get("instructions");
      return typeof text === "string" && text !== "";
    }),
  ],
  ["data that nobody asked for", "scrape.response.structured.as-asked", giving(structured, () => true)],
  ["the function that it told of, in capitals", undefined, done({ function_id: functionId.toUpperCase() })],
  ["no function", undefined, done({ function_id: null })],
  [
    "the first of two functions",
    undefined,
    run((events) => [{ ...events.find(({ type }) => type === "function_uploaded"), function_id: otherId }, ...events]),
  ],
  [
    "a function that it has not told of, since it told of none",
    undefined,
    run((events) => events.filter(({ type }) => type !== "function_uploaded")),
  ],
  ["a function that it has not told of", "event.done.function_id-uploaded", done({ function_id: otherId })],
  ["no cost", undefined, done({ total_cost_usd: 0 })],
  ["a negative cost", "event.done.total_cost_usd-not-negative", done({ total_cost_usd: -0.01 })],
  ["the cost again in its metadata", undefined, done({ metadata: { thread_id: threadId, total_cost_usd: 0.0431 } })],
  [
    "another cost in its metadata",
    "event.done.total_cost_usd-same",
    done({ metadata: { thread_id: threadId, total_cost_usd: 0.5 } }),
  ],
  ["its thread in each event, in capitals", undefined, everywhere({ thread_id: threadId.toUpperCase() })],
  ["another thread in its events", "event.done.thread_id-same", everywhere({ thread_id: otherId })],
  [
    "new addresses with each read",
    undefined,
    { recording: () => ({ ...recording, mp4_url: `https://recordings.example/${Math.random()}.mp4?signature=b6f0` }) },
  ],
  [
    "another start with each read",
    "replay.same-recording",
    { recording: () => ({ ...recording, video_start_ms: Math.floor(Math.random() * 1e9) }) },
  ],
  ["signed addresses", undefined, film(signed("a.mp4"), segments(signed))],
  ["addresses without a query", undefined, film(bare("a.mp4"), segments(bare))],
  [
    "a signature of its own for each address",
    undefined,
    film(
      signed("a.mp4"),
      segments((name, at) => `${signed(name)}${at}`),
    ),
  ],
  [
    "a parameter more at one segment",
    undefined,
    film(
      signed("a.mp4"),
      segments((name, at) => (at === 1 ? `${signed(name)}&part=2` : signed(name))),
    ),
  ],
  [
    "an MP4 that is signed in another way than the segments",
    undefined,
    film(amazon("a.mp4", "20361121T083000Z", 3600), segments(signed)),
  ],
  [
    "segments that are signed by their paths",
    undefined,
    film(
      signed("a.mp4"),
      segments((name) => `${store}/${token}/${name}`),
    ),
  ],
  [
    "segments at another host than the MP4",
    undefined,
    film(
      signed("a.mp4"),
      segments((name) => `https://cdn.example/7c1d/${name}`),
    ),
  ],
  [
    "an unsigned segment among signed ones",
    "replay.addresses-signed-alike",
    film(
      signed("a.mp4"),
      segments((name, at) => (at === 1 ? bare(name) : signed(name))),
    ),
  ],
  ["an unsigned MP4 beside signed segments", "replay.addresses-signed-alike", film(bare("a.mp4"), segments(signed))],
  ["a signed MP4 beside unsigned segments", "replay.addresses-signed-alike", film(signed("a.mp4"), segments(bare))],
  [
    "addresses that expire as it says, within a minute",
    undefined,
    film(
      amazon("a.mp4", "20361121T083020Z", 3600),
      segments((name) => amazon(name, "20361121T082930Z", 3600)),
    ),
  ],
  [
    "addresses that expire some time after the day that it names",
    undefined,
    film(amazon("a.mp4", "20361121T083000Z", 3600), segments(bare).slice(0, 0), { expires_at: "2036-11-21" }),
  ],
  [
    "a segment that expires half an hour before",
    "replay.expires_at.of-addresses",
    film(
      amazon("a.mp4", "20361121T083000Z", 3600),
      segments((name, at) => amazon(name, "20361121T083000Z", at === 2 ? 1800 : 3600)),
    ),
  ],
  [
    "addresses that expire a day later",
    "replay.expires_at.of-addresses",
    film(
      amazon("a.mp4", "20361121T093000Z", 86_400),
      segments((name) => amazon(name, "20361121T093000Z", 86_400)),
    ),
  ],
];

describe("an answer that holds", () => {
  test.for(rows)("%s breaks %s", async ([, broken, parts]) => {
    const report = await tryService({ ...correctService, ...parts }, { options: { only: checks } });
    const requirements = report.checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement));
    expect([...new Set(requirements)]).toEqual(broken === undefined ? [] : [broken]);
    expect(report.checks.filter(({ status }) => status === "error")).toEqual([]);
  });
});
