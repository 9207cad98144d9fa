/** Servers that conform when a sentence is understood in one way, and do not when it is understood in a stricter one. */
import { isObject, json, type Answer, type ReceivedRequest, type Fields, type Json } from "../../targets/messages.ts";
import type { CorrectTarget } from "../../targets/correct/correct-target.ts";
import { cookies } from "../../targets/content.ts";
import type { Service } from "../../targets/service.ts";
import { each } from "../breaker.ts";
import { refusal, scraping } from "./open-server.ts";
import { changeAnswers, events, film, jar, of, run, type Operation } from "../../targets/parts.ts";

/** One server. */
export interface ReadingServer extends CorrectTarget {
  /** The reading that it turns on. */
  readonly reading: string;
  /** The most tolerant value with which it does not conform. */
  readonly not: string;
  /** True when a run can't be finished with the values before: what it would show never comes. Default: false. */
  readonly neverComes?: true;
}

type Ways = Readonly<Record<string, Partial<Service>>>;

const turning = (reading: string, not: string, ways: Ways): ReadingServer[] =>
  Object.entries(ways).map(([does, parts]) => ({ reading, not, does, parts }));

/** The same for servers that never give what a run would judge. */
const neverComing = (reading: string, not: string, ways: Ways): ReadingServer[] =>
  each(turning(reading, not, ways), () => ({ neverComes: true }) as const);

const redirecting = (operation: Operation, status: number): Partial<Service> =>
  changeAnswers(of(operation, 200), () => ({
    status,
    headers: { Location: "https://elsewhere.example/" },
    pieces: [],
  }));

const instead = (operation: Operation, to: (answer: Answer, request: ReceivedRequest) => Answer): Partial<Service> =>
  changeAnswers(of(operation, 200), to);

const marking = (operation: Operation): Partial<Service> =>
  instead(operation, (answer) => ({ ...answer, pieces: ["\u{FEFF}", ...answer.pieces] }));

const invalid = (...loc: readonly (string | number)[]): Json => ({
  detail: [{ loc: [...loc], msg: "no", type: "value_error" }],
});

const field = (name: string, isTaken: (value: Json) => boolean): Partial<Service> => ({
  fields: { [name]: (value) => (isTaken(value) ? undefined : []) },
});
/** An event with a letter outside of ASCII, in Latin-1. */
const latin1 = Buffer.from('data: {"type":"text_delta","delta":"caf\u00E9"}\n\n', "latin1");

const isList = (value: Json): value is Json[] => Array.isArray(value) && value.every((tag) => typeof tag === "string");

/** Refuses other values of a header. */
const takingHeader = (name: string, right: RegExp, status = 400): Partial<Service> =>
  instead("scrape", (answer, { headers }) => {
    const value = String(headers[name] ?? "");
    return value === "" || right.test(value) ? answer : refusal(status)();
  });
const formatText = (value: Json): string => (typeof value === "string" ? value : "");
const isText = (value: Json): boolean => value === null || typeof value === "string";

const inserted = (more: Fields): Partial<Service> => run((all) => [...all.slice(0, 2), more, ...all.slice(2)]);

const master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nhttps://recordings.example/7c1d/low.m3u8?signature=b6f0\n";

/** Refuses schemas that refer to a part of themselves. */
const refusingReferences = (status: 400 | 422): Partial<Service> =>
  instead("scrape", (answer, { body }) =>
    body.includes('"$ref":"#') ? json(status, invalid("body", "response_format")) : answer,
  );

/** The table. Servers of pages and recordings are in `test/contract/readings.test.ts`. */
export const readingServers: readonly ReadingServer[] = [
  ...turning("answers.further-fields", "whole", {
    "tells the title of a page, too": scraping(() => ({ title: "Harbour ferries" })),
    "tells the priority of cookies, too": jar(...each(cookies, () => ({ priority: "Medium" }))),
    "tells the size of recordings, too": film({ size: 7 }),
  }),
  ...turning("scrape.conversion", "none", {
    "converts words and numbers to booleans": field("scrape_links", (value) =>
      /^("?(true|false)"?|\d+)$/i.test(JSON.stringify(value)),
    ),
    "converts whole numbers to one boolean": field(
      "use_link_placeholders",
      (value) => typeof value === "boolean" || Number.isInteger(value),
    ),
    "takes a list of one for one boolean": field(
      "only_main_content",
      (value) =>
        typeof value === "boolean" || (Array.isArray(value) && value.length === 1 && typeof value[0] === "boolean"),
    ),
    "converts numbers to texts": field("instructions", (value) => isText(value) || typeof value === "number"),
    "converts one text to a list of tags": field(
      "ignored_tags",
      (value) => isText(value) || (Array.isArray(value) && value.every((tag) => typeof tag === "string")),
    ),
  }),
  ...turning("scrape.null-boolean", "rejected", {
    "reads null for a boolean as its default": {
      fields: Object.fromEntries(
        ["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"].map((name) => [
          name,
          (value: Json) => (value === null || typeof value === "boolean" ? undefined : []),
        ]),
      ),
    },
    "reads null for one boolean as its default": field(
      "only_images",
      (value) => value === null || typeof value === "boolean",
    ),
  }),
  ...turning("scrape.selector-notation", "accepted", {
    "knows no relational selectors": field(
      "selector",
      (value) => isText(value) && !formatText(value).includes(":has("),
    ),
    "takes selectors of CSS in a hundred characters": field(
      "selector",
      (value) => isText(value) && formatText(value).length <= 100,
    ),
    "takes no selectors of elements, and tells by 400": instead("scrape", (answer, { body }) =>
      /"selector":"[a-z]/.test(body) ? refusal(400)() : answer,
    ),
  }),
  ...turning("scrape.instructions-bounds", "accepted", {
    "takes a thousand characters of instructions": field(
      "instructions",
      (value) => isText(value) && formatText(value).length <= 1_000,
    ),
    "takes a thousand characters of instructions, and tells by 413": instead("scrape", (answer, { body }) =>
      body.length > 1_000 && body.includes("as it is written. Keep") ? refusal(413)() : answer,
    ),
    "takes no blank instructions": field("instructions", (value) => isText(value) && value !== " "),
  }),
  ...turning("scrape.tags-bounds", "accepted", {
    "takes fifty tags": field("ignored_tags", (value) => value === null || (isList(value) && value.length <= 50)),
    "takes tags of HTML": field(
      "ignored_tags",
      (value) => value === null || (isList(value) && !JSON.stringify(value).includes("x-")),
    ),
    "takes one tag at least": field("ignored_tags", (value) => value === null || (isList(value) && value.length > 0)),
  }),
  ...turning("scrape.schema-keywords", "accepted", {
    "takes schemas without conditions, and tells by 400": instead("scrape", (answer, { body }) =>
      /"(if|not|oneOf)":/.test(body) ? refusal(400)() : answer,
    ),
    "takes schemas of a few properties": field("response_format", (value) => JSON.stringify(value).length < 1_500),
  }),
  ...turning("scrape.header-notation", "accepted", {
    "takes an address as the origin of a request": takingHeader("x-service-request-origin", /^https?:/),
    "takes a semantic version of an SDK": takingHeader("x-service-sdk-version", /^\d+\.\d+\.\d+/),
    "takes values of 256 bytes in headers": takingHeader("x-service-sdk-version", /^.{0,256}$/, 431),
  }),
  ...turning("scrape.schema-reference", "accepted", {
    "refuses schemas with references with 400": refusingReferences(400),
    "refuses schemas with references with 422": refusingReferences(422),
  }),
  ...turning("replay.duration", "frames", { "rounds to half a second": film({ video_duration_ms: 10_500 }) }),
  ...turning("replay.duration", "second", { "leaves out what stands still": film({ video_duration_ms: 11_400 }) }),
  ...turning("automation.empty-key", "missing", {
    "answers 400 to requests whose key is empty": changeAnswers(
      (request) => request.path.startsWith("/api") && /^bearer\s*$/i.test(request.headers.authorization ?? ""),
      refusal(400),
    ),
  }),
  ...turning("automation.statuses", "listed", {
    "answers 413 to large requests of runs": changeAnswers(
      (request, { status }) => status === 400 && request.path.startsWith("/api") && request.body.length > 32_768,
      refusal(413),
    ),
  }),
  ...turning("stream.states", "silent", {
    "says goodbye in a comment": instead("automation", (answer) => ({
      ...answer,
      pieces: [...answer.pieces, ": bye\n\n"],
    })),
  }),
  ...turning("answers.redirect", "none", {
    "redirects reads of cookies": redirecting("cookies", 307),
    "redirects scrapes": redirecting("scrape", 308),
    "redirects runs": redirecting("automation", 307),
  }),
  ...neverComing("answers.redirect", "none", { "redirects reads of recordings": redirecting("replay", 302) }),
  ...turning("answers.byte-order-mark", "none", {
    "marks the byte order of cookies": marking("cookies"),
    "marks the byte order of recordings": marking("replay"),
    "marks the byte order of scrapes": marking("scrape"),
  }),
  ...turning("scrape.empty-instructions", "accepted", {
    "refuses empty instructions": field("instructions", (value) => isText(value) && value !== ""),
    "refuses empty instructions with 400, and blames nothing": instead("scrape", (answer, { body }) =>
      body.includes('"instructions":""') ? refusal(400)() : answer,
    ),
  }),
  ...turning("scrape.no-data", "answered", {
    "refuses to look for data that the page does not have": field("response_format", (value) => !isObject(value)),
    "refuses to look for data that the page does not have, and blames nothing": instead("scrape", (answer, { body }) =>
      /"response_format":\{/.test(body) ? json(422, { detail: [] }) : answer,
    ),
    "refuses to look for titles where there is none": field(
      "response_format",
      (value) => !JSON.stringify(value).includes("title"),
    ),
  }),
  ...turning("cookies.null-fields", "absent", {
    "sends null for the expiry of a cookie": jar(...each(cookies, () => ({ expires: null }))),
    "sends null for the name of a cookie": jar({ name: null, value: "1" }),
  }),
  ...neverComing("replay.not-ready", "ready", {
    "answers 202 while a recording is not ready": instead("replay", () => json(202, { status: "processing" })),
    "answers 204 while a recording is not ready": instead("replay", () => ({ status: 204, headers: {}, pieces: [] })),
    "answers 400 while a recording is not ready": instead("replay", refusal(400)),
    "answers 412 while a recording is not ready": instead("replay", refusal(412)),
    "answers 500 while a recording is not ready": instead("replay", refusal(500)),
    "answers 422 while a recording is not ready": instead("replay", () => json(422, invalid("path"))),
  }),
  ...turning("replay.playlist", "media", { "gives a list of playlists": film({ playlist_content: master }) }),
  ...turning("replay.expires_at-form", "time", {
    "tells the day of expiry": film({ expires_at: "2036-11-21" }),
    "tells the day of expiry without dashes": film({ expires_at: "20361121" }),
  }),
  ...turning("replay.expires_at-form", "letters", {
    "tells the expiry with a space": film({ expires_at: "2036-11-21 09:30:00+00:00" }),
    "tells the expiry in small letters": film({ expires_at: "2036-11-21t09:30:00z" }),
  }),
  ...turning("stream.reset", "none", {
    "resets the connection after the end of a run": changeAnswers(of("automation", 200), (answer) => ({
      ...answer,
      afterwards: "reset",
    })),
  }),
  ...neverComing("stream.cut", "whole", {
    "breaks off in the middle of a run": instead("automation", (answer) => ({
      ...answer,
      pieces: answer.pieces.slice(0, 4),
      afterwards: "reset",
    })),
  }),
  ...turning("stream.encoding", "utf-8", {
    "sends a stream in Latin-1, and says so": instead("automation", (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": 'text/event-stream; charset="ISO-8859-1"' },
      pieces: [...answer.pieces.slice(0, 3), latin1, ...answer.pieces.slice(3)],
    })),
  }),
  ...turning("events.unknown-type", "closed", {
    "tells of its progress in events of its own": inserted({ type: "progress", percent: 7 }),
    "tells of a session twice, once in an event of its own": inserted({
      type: "session_data",
      viewer_url: "https://viewer.example/s/7c1d",
    }),
    "sends events as heartbeats": inserted({ type: "ping" }),
  }),
  ...turning("events.null-key-fields", "valued", {
    "tells of a tool that gave nothing by null": events("tool_result", { content: null }),
    "uploads a function without a name": events("function_uploaded", { function_name: null }),
  }),
  ...turning("events.null-function_id", "absent", {
    "ends a run without a function by null": events("done", { function_id: null }),
    "uploads a function of no identifier": events("function_uploaded", { function_id: null }),
  }),
];
