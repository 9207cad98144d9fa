/** Parts of answers that have to agree: those that differ for a sensible reason are not even warned about. The kill table has those that contradict each other. */
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

const film = (mp4: string, formatSegment: (name: string, at: number) => string): Partial<Service> => ({
  recording: () => ({
    ...recording,
    mp4_url: mp4,
    playlist_content: playlist(...["0.ts", "1.ts", "2.ts"].map(formatSegment)),
  }),
});

const store = "https://store.example/7c1d";
const token = "q7Jd0dE2kPz5Vw9aLx3bRtYu";
const amazon = (name: string, date: string, seconds: number): string =>
  `${store}/${name}?X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-Signature=b6f0`;
const signed = (name: string): string => `${store}/${name}?signature=b6f0`;
const bare = (name: string): string => `${store}/${name}`;
const mp4 = signed("a.mp4");

const otherId = "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f";

/** Sensible answers, by what they hold. */
const sensible: Readonly<Record<string, Partial<Service>>> = {
  "data and no word on success": extracting({ data: { title: "Harbour ferries" } }),
  "success and an empty error": extracting({ ...structured, error: "" }),
  "success, and no data": extracting({ success: true, error: null, data: null }),
  "a failure with its message": extracting({ success: false, error: "no title", data: null }),
  "a failure with its message, and half of the data": extracting({ success: false, error: "half", data: {} }),
  "null for what nobody asked for": giving(null, () => true),
  "an empty structure that nobody asked for": giving({ success: true, data: null }, () => true),
  "data that only instructions ask for": giving(structured, (options) => {
    const text = options.get("instructions");
    return typeof text === "string" && text !== "";
  }),
  "the function that it told of, in capitals": done({ function_id: functionId.toUpperCase() }),
  "no function": done({ function_id: null }),
  "the first of two functions": run((events) => [
    { ...events.find(({ type }) => type === "function_uploaded"), function_id: otherId },
    ...events,
  ]),
  "a function that it has not told of, since it told of none": run((events) =>
    events.filter(({ type }) => type !== "function_uploaded"),
  ),
  "no cost": done({ total_cost_usd: 0 }),
  "the cost again in its metadata": done({ metadata: { thread_id: threadId, total_cost_usd: 0.0431 } }),
  "its thread in each event, in capitals": everywhere({ thread_id: threadId.toUpperCase() }),
  "new addresses with each read": {
    recording: () => ({ ...recording, mp4_url: `https://recordings.example/${Math.random()}.mp4?signature=b6f0` }),
  },
  "signed addresses": film(mp4, signed),
  "addresses without a query": film(bare("a.mp4"), bare),
  "a signature of its own for each address": film(mp4, (name, at) => `${signed(name)}${at}`),
  "a parameter more at one segment": film(mp4, (name, at) => (at === 1 ? `${signed(name)}&part=2` : signed(name))),
  "an MP4 that is signed in another way than the segments": film(amazon("a.mp4", "20361121T083000Z", 3600), signed),
  "segments that are signed by their paths": film(mp4, (name) => `${store}/${token}/${name}`),
  "segments at another host than the MP4": film(mp4, (name) => `https://cdn.example/7c1d/${name}`),
  "addresses that expire as it says, within a minute": film(amazon("a.mp4", "20361121T083020Z", 3600), (name) =>
    amazon(name, "20361121T082930Z", 3600),
  ),
  "addresses that expire some time after the day that it names": {
    recording: () => ({
      ...recording,
      mp4_url: amazon("a.mp4", "20361121T083000Z", 3600),
      playlist_content: playlist(),
      expires_at: "2036-11-21",
    }),
  },
};

async function listBlamed(parts: Partial<Service>): Promise<string[]> {
  const report = await tryService({ ...correctService, ...parts }, { options: { only: checks } });
  expect(report.checks.filter(({ status }) => status === "error")).toEqual([]);
  return [...new Set(report.checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)))];
}

describe("an answer that holds", () => {
  test.for(Object.entries(sensible))("%s breaks nothing", async ([, parts]) => {
    expect(await listBlamed(parts)).toEqual([]);
  });
});
