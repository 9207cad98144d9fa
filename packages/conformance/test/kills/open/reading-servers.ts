/** Servers that conform when a sentence is understood in one way, and do not when it is understood in a stricter one. */
import {
  addPieces,
  blame,
  cutOff,
  inPieces,
  instead,
  inTurn,
  markByteOrder,
  mediaType,
  refuse,
  reset,
  status,
  type Change,
} from "../../targets/changes.ts";
import {
  answers,
  inBody,
  inHeader,
  isBoolean,
  isEmptyKey,
  isLonger,
  isNullOrText,
  isTags,
  isText,
} from "../../targets/conditions.ts";
import { cookies } from "../../targets/content.ts";
import type { CorrectTarget } from "../../targets/correct/correct-target.ts";
import { listRows, type Table } from "../../targets/fault.ts";
import { empty, isObject, json, type Fields, type Json } from "../../targets/messages.ts";
import { events, film, jar, revise, reviseAll, run, scraping, takes } from "../../targets/parts.ts";
import { booleans, type Parts } from "../../targets/service.ts";
import { each } from "../ways.ts";

/** One server. */
export interface ReadingServer extends CorrectTarget {
  /** The reading that it turns on. */
  readonly reading: string;
  /** The most tolerant value with which it does not conform. */
  readonly not: string;
  /** True when a run can't be finished with the values before: what it would show never comes. Default: false. */
  readonly neverComes?: true;
}

/** Lists servers, by the reading and the value with which they do not conform, and by what they do. */
const turnOn = (table: Table<Parts>): ReadingServer[] =>
  listRows(table, (key, does, parts) => {
    const [reading = "", not = ""] = key.split("=");
    return { reading, not, does, parts };
  });

/** The same for servers that never give what a run would judge. */
const neverCome = (table: Table<Parts>): ReadingServer[] => each(turnOn(table), () => ({ neverComes: true }) as const);

const redirect = (to: number): Change => instead(empty(to, { Location: "https://elsewhere.example/" }));

/** An event with a letter outside of ASCII, in Latin-1. */
const latin1 = Buffer.from('data: {"type":"text_delta","delta":"caf\u00E9"}\n\n', "latin1");

/** Refuses other values of a header. */
const takesHeader = (name: string, right: RegExp, to = 400): Parts =>
  revise("scrape", refuse(to), inHeader(name, /./), ({ headers }) => !right.test(String(headers[name])));
/** True for texts that are null or such. */
const isTextThat =
  (isSuch: (text: string) => boolean) =>
  (value: Json): boolean =>
    value === null || (typeof value === "string" && isSuch(value));
/** True for lists of tags that are null or such. */
const isTagsThat =
  (isSuch: (tags: readonly Json[]) => boolean) =>
  (value: Json): boolean =>
    isTags(value) && (!Array.isArray(value) || isSuch(value));
const isReference = inBody(/"\$ref":"#/);

const insert = (more: Fields): Parts => run((all) => [...all.slice(0, 2), more, ...all.slice(2)]);

const master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nhttps://recordings.example/7c1d/low.m3u8?signature=b6f0\n";

/** The table. Servers of pages and recordings are in `test/contract/readings.test.ts`. */
export const readingServers: readonly ReadingServer[] = [
  ...turnOn({
    "answers.further-fields=whole": {
      "tells the title of a page, too": scraping(() => ({ title: "Harbour ferries" })),
      "tells the priority of cookies, too": jar(...each(cookies, () => ({ priority: "Medium" }))),
      "tells the size of recordings, too": film({ size: 7 }),
    },
    "scrape.conversion=none": {
      "converts words and numbers to booleans": takes("scrape_links", (value) =>
        /^("?(true|false)"?|\d+)$/i.test(JSON.stringify(value)),
      ),
      "converts whole numbers to one boolean": takes(
        "use_link_placeholders",
        (value) => isBoolean(value) || Number.isInteger(value),
      ),
      "takes a list of one for one boolean": takes(
        "only_main_content",
        (value) => isBoolean(value) || (Array.isArray(value) && value.length === 1 && value.every(isBoolean)),
      ),
      "converts numbers to texts": takes("instructions", (value) => isNullOrText(value) || typeof value === "number"),
      "converts one text to a list of tags": takes("ignored_tags", (value) => isNullOrText(value) || isTags(value)),
    },
    "scrape.null-boolean=rejected": {
      "reads null for a boolean as its default": takes(booleans, (value) => value === null || isBoolean(value)),
      "reads null for one boolean as its default": takes("only_images", (value) => value === null || isBoolean(value)),
    },
    "scrape.selector-notation=accepted": {
      "knows no relational selectors": takes(
        "selector",
        isTextThat((text) => !text.includes(":has(")),
      ),
      "takes selectors of CSS in a hundred characters": takes(
        "selector",
        isTextThat((text) => text.length <= 100),
      ),
      "takes no selectors of elements, and tells by 400": revise("scrape", refuse(400), inBody(/"selector":"[a-z]/)),
    },
    "scrape.instructions-bounds=accepted": {
      "takes a thousand characters of instructions": takes(
        "instructions",
        isTextThat((text) => text.length <= 1_000),
      ),
      "takes a thousand characters of instructions, and tells by 413": revise(
        "scrape",
        refuse(413),
        isLonger(1_000),
        inBody(/as it is written\. Keep/),
      ),
      "takes no blank instructions": takes(
        "instructions",
        isTextThat((text) => text !== " "),
      ),
    },
    "scrape.tags-bounds=accepted": {
      "takes fifty tags": takes(
        "ignored_tags",
        isTagsThat((tags) => tags.length <= 50),
      ),
      "takes tags of HTML": takes(
        "ignored_tags",
        isTagsThat((tags) => !tags.some(isText(/x-/))),
      ),
      "takes one tag at least": takes(
        "ignored_tags",
        isTagsThat((tags) => tags.length > 0),
      ),
    },
    "scrape.schema-keywords=accepted": {
      "takes schemas without conditions, and tells by 400": revise("scrape", refuse(400), inBody(/"(if|not|oneOf)":/)),
      "takes schemas of a few properties": takes("response_format", (value) => JSON.stringify(value).length < 1_500),
    },
    "scrape.header-notation=accepted": {
      "takes an address as the origin of a request": takesHeader("x-service-request-origin", /^https?:/),
      "takes a semantic version of an SDK": takesHeader("x-service-sdk-version", /^\d+\.\d+\.\d+/),
      "takes values of 256 bytes in headers": takesHeader("x-service-sdk-version", /^.{0,256}$/, 431),
    },
    "scrape.schema-reference=accepted": {
      "refuses schemas with references with 400": revise(
        "scrape",
        inTurn(blame("body", "response_format"), status(400)),
        isReference,
      ),
      "refuses schemas with references with 422": revise("scrape", blame("body", "response_format"), isReference),
    },
    "replay.duration=frames rounds to half a second": film({ video_duration_ms: 10_500 }),
    "replay.duration=second leaves out what stands still": film({ video_duration_ms: 11_400 }),
    "automation.empty-key=missing answers 400 to requests whose key is empty": reviseAll(
      refuse(400),
      ({ path }) => path.startsWith("/api"),
      isEmptyKey,
    ),
    "automation.statuses=listed answers 413 to large requests of runs": reviseAll(
      refuse(413),
      ({ path }) => path.startsWith("/api"),
      answers((code) => code === 400),
      isLonger(32_768),
    ),
    "stream.states=silent says goodbye in a comment": revise("run", addPieces(": bye\n\n")),
    "answers.redirect=none": {
      "redirects reads of cookies": revise("cookies", redirect(307)),
      "redirects scrapes": revise("scrape", redirect(308)),
      "redirects runs": revise("run", redirect(307)),
    },
  }),
  ...neverCome({ "answers.redirect=none": { "redirects reads of recordings": revise("replay", redirect(302)) } }),
  ...turnOn({
    "answers.byte-order-mark=none": {
      "marks the byte order of cookies": revise("cookies", markByteOrder),
      "marks the byte order of recordings": revise("replay", markByteOrder),
      "marks the byte order of scrapes": revise("scrape", markByteOrder),
    },
    "scrape.empty-instructions=accepted": {
      "refuses empty instructions": takes(
        "instructions",
        isTextThat((text) => text !== ""),
      ),
      "refuses empty instructions with 400, and blames nothing": revise(
        "scrape",
        refuse(400),
        inBody(/"instructions":""/),
      ),
    },
    "scrape.no-data=answered": {
      "refuses to look for data that the page does not have": takes("response_format", (value) => !isObject(value)),
      "refuses to look for data that the page does not have, and blames nothing": revise(
        "scrape",
        refuse(422, []),
        inBody(/"response_format":\{/),
      ),
      "refuses to look for titles where there is none": takes(
        "response_format",
        (value) => !JSON.stringify(value).includes("title"),
      ),
    },
    "cookies.null-fields=absent": {
      "sends null for the expiry of a cookie": jar(...each(cookies, () => ({ expires: null }))),
      "sends null for the name of a cookie": jar({ name: null, value: "1" }),
    },
  }),
  ...neverCome({
    "replay.not-ready=ready": {
      "answers 202 while a recording is not ready": revise("replay", instead(json(202, { status: "processing" }))),
      "answers 204 while a recording is not ready": revise("replay", instead(empty(204))),
      "answers 400 while a recording is not ready": revise("replay", refuse(400)),
      "answers 412 while a recording is not ready": revise("replay", refuse(412)),
      "answers 500 while a recording is not ready": revise("replay", refuse(500)),
      "answers 422 while a recording is not ready": revise("replay", blame("path")),
    },
  }),
  ...turnOn({
    "replay.playlist=media gives a list of playlists": film({ playlist_content: master }),
    "replay.expires_at-form=time": {
      "tells the day of expiry": film({ expires_at: "2036-11-21" }),
      "tells the day of expiry without dashes": film({ expires_at: "20361121" }),
    },
    "replay.expires_at-form=letters": {
      "tells the expiry with a space": film({ expires_at: "2036-11-21 09:30:00+00:00" }),
      "tells the expiry in small letters": film({ expires_at: "2036-11-21t09:30:00z" }),
    },
    "stream.reset=none resets the connection after the end of a run": revise("run", reset),
  }),
  ...neverCome({
    "stream.cut=whole breaks off in the middle of a run": revise("run", cutOff(4)),
  }),
  ...turnOn({
    "stream.encoding=utf-8 sends a stream in Latin-1, and says so": revise(
      "run",
      inTurn(
        mediaType('text/event-stream; charset="ISO-8859-1"'),
        inPieces((pieces) => [...pieces.slice(0, 3), latin1, ...pieces.slice(3)]),
      ),
    ),
    "events.unknown-type=closed": {
      "tells of its progress in events of its own": insert({ type: "progress", percent: 7 }),
      "tells of a session twice, once in an event of its own": insert({
        type: "session_data",
        viewer_url: "https://viewer.example/s/7c1d",
      }),
      "sends events as heartbeats": insert({ type: "ping" }),
    },
    "events.null-key-fields=valued": {
      "tells of a tool that gave nothing by null": events("tool_result", { content: null }),
      "uploads a function without a name": events("function_uploaded", { function_name: null }),
    },
    "events.null-function_id=absent": {
      "ends a run without a function by null": events("done", { function_id: null }),
      "uploads a function of no identifier": events("function_uploaded", { function_id: null }),
    },
  }),
];
