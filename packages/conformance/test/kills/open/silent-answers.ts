/** Correct servers that use what the interface is silent about: options and fields, headers, and what several answers make up together. */
import { gzipSync } from "node:zlib";
import {
  isObject,
  json,
  listMembers,
  findOperation,
  type Answer,
  type ReceivedRequest,
  type Fields,
  type Json,
} from "../../targets/messages.ts";
import { cookies, images, recording } from "../../targets/content.ts";
import { correctService, type Service } from "../../targets/service.ts";
import { each } from "../breaker.ts";
import { body, headers, leftOpen, refusal, scraping, type OpenServer } from "./open-server.ts";
import { changeAnswers, film, jar, of } from "../../targets/parts.ts";

const isTrue = (value: Json | undefined): boolean => value === true;
const findSchema = (request: ReceivedRequest): Json => listMembers(request).get("response_format") ?? null;
const problem: Fields = { loc: ["body"], msg: "wrong", type: "value_error" };
const problems = (more: Fields): Partial<Service> =>
  body("scrape", 422, (value) => ({
    detail: each(isObject(value) && Array.isArray(value["detail"]) ? value["detail"].filter(isObject) : [], () => more),
  }));

const scrapes: readonly OpenServer[] = [
  ...leftOpen("open.scrape.contradicting-options", {
    "has no images where they are asked for and not": scraping((options) =>
      isTrue(options.get("only_images")) && options.get("scrape_images") === false ? { images: [] } : {},
    ),
    "has no structured data beside images alone": scraping((options) =>
      isTrue(options.get("only_images")) ? { structured: null } : {},
    ),
  }),
  ...leftOpen("open.scrape.tag-notation", {
    "says which tags it does not know": changeAnswers(of("scrape", 200), (answer, request) => ({
      ...answer,
      headers: { ...answer.headers, "x-unknown-tags": /x-tag|x-banner/.test(request.body) ? "yes" : "no" },
    })),
    "has another page where no tag is ignored": scraping((options) => {
      const tags = options.get("ignored_tags");
      return Array.isArray(tags) && tags.length === 0
        ? { markdown: "# Harbour ferries, and all that is around\n" }
        : {};
    }),
  }),
  ...leftOpen("open.scrape.schema-dialect", {
    "understands no reference in a schema": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && JSON.stringify(findSchema(request)).includes("$ref"),
      () => json(422, { detail: [{ ...problem, loc: ["body", "response_format"] }] }),
    ),
    "extracts nothing by a schema with more than types": scraping((options) =>
      /\$ref|pattern/.test(JSON.stringify(options.get("response_format") ?? null))
        ? { structured: { success: false, error: "a keyword is not known", data: null } }
        : {},
    ),
  }),
  ...leftOpen("open.image.url-form", {
    "writes addresses of images relative to the page": scraping((options) =>
      isTrue(options.get("scrape_images")) || isTrue(options.get("only_images"))
        ? {
            images: each(images, ({ category }) => ({
              url: typeof category === "string" ? `/img/${category}.png` : null,
            })),
          }
        : {},
    ),
    "has images in their addresses": scraping((options) =>
      isTrue(options.get("scrape_images")) || isTrue(options.get("only_images"))
        ? { images: each(images, () => ({ url: "data:image/gif;base64,R0lGODlhAQABAAAAACw=" })) }
        : {},
    ),
  }),
  ...leftOpen("open.validation-error.input-and-ctx", {
    "repeats what was wrong": problems({ input: { selector: [1] }, ctx: { error: "wrong", at: 7 } }),
    "says nothing of what was wrong": body("scrape", 422, () => ({ detail: [problem] })),
  }),
  ...leftOpen("open.validation-error.media-type", {
    "tells what fails validation as a problem document": changeAnswers(of("scrape", 422), (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": "application/problem+json" },
    })),
    "tells the charset of what fails validation": changeAnswers(of("scrape", 422), (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": "application/json;charset=utf-8" },
    })),
  }),
  ...leftOpen("open.scrape.sdk-version-meaning", {
    "answers an old version with a warning": changeAnswers(
      ({ headers: names }) => names["x-service-sdk-version"] !== undefined,
      (answer) => ({ ...answer, headers: { ...answer.headers, warning: '299 - "update your SDK"' } }),
    ),
    "tells a version more of a page": {
      scrapes: (options, request) => {
        const space = correctService.scrapes(options, request);
        return isObject(space) && request.headers["x-service-sdk-version"] !== undefined
          ? { ...space, took: 7 }
          : space;
      },
    },
  }),
  ...leftOpen("open.scrape.update_metadata-notation", {
    "takes 1 and 0 for booleans in the query": { flag: (value) => value === null || /^(true|false|1|0)$/.test(value) },
    "takes booleans in the query in any case": { flag: (value) => value === null || /^(true|false)$/i.test(value) },
  }),
];

const playlist = (name: string, ...tags: string[]): string =>
  ["#EXTM3U", ...tags, "#EXT-X-TARGETDURATION:10", "#EXTINF:10.0,", name, "#EXT-X-ENDLIST", ""].join("\n");

const reads: readonly OpenServer[] = [
  ...leftOpen("open.cookies.scope", {
    "has cookies of ten sites": jar(
      ...Array.from({ length: 10 }, (_, at): Json => ({ name: "a", value: "b", domain: `s${at}.example`, path: "/" })),
    ),
    "has cookies of one part of a site": jar({ name: "a", value: "b", domain: "frame.ferries.example", path: "/" }),
  }),
  ...leftOpen("open.cookies.domain-form", {
    "writes domains with a dot, whoever they are for": jar(
      ...each(cookies, () => ({ domain: ".ferries.example", hostOnly: true })),
    ),
    "writes domains without a dot, whoever they are for": jar(
      ...each(cookies, () => ({ domain: "ferries.example", hostOnly: false })),
    ),
  }),
  ...leftOpen("open.cookies.store-and-partition", {
    "has empty texts for store and partition": jar(...each(cookies, () => ({ storeId: "", partitionKey: "" }))),
    "has names for store and partition": jar(
      ...each(cookies, () => ({ storeId: "firefox-default", partitionKey: "(https,ferries.example)" })),
    ),
  }),
  ...leftOpen("open.replay.playlist-form", {
    "has segments of fragmented MP4": film({
      playlist_content: playlist(
        "https://recordings.example/7c1d/0.m4s?signature=b6f0",
        "#EXT-X-VERSION:7",
        '#EXT-X-MAP:URI="https://recordings.example/7c1d/init.mp4?signature=b6f0"',
      ),
    }),
    "has a playlist without a version": film({
      playlist_content: playlist("https://recordings.example/7c1d/segments?number=0&signature=b6f0"),
    }),
  }),
  ...leftOpen("open.replay.repeated-reads", {
    "signs addresses anew for each read": { recording: signedAnew() },
    "tells a later expiry with each read": { recording: laterEachTime() },
  }),
];

/** Returns recordings whose addresses have a signature of their own each time. */
function signedAnew(): Service["recording"] {
  let time = 0;
  return () => {
    time += 1;
    const text = JSON.stringify(recording).replaceAll("signature=b6f0", `signature=b6f${time}`);
    const value: Json = JSON.parse(text);
    return value;
  };
}

/** Returns recordings that expire a second later each time. */
function laterEachTime(): Service["recording"] {
  let time = Date.parse("2036-11-21T09:30:00Z");
  return () => ({ ...recording, expires_at: new Date((time += 1000)).toISOString() });
}

const isTurnedAway = (_: ReceivedRequest, { status }: Answer): boolean => status === 401 || status === 403;
const isMoreThanOne = ({ underWay }: ReceivedRequest): boolean => underWay > 1;

const http: readonly OpenServer[] = [
  ...leftOpen("open.http.cross-origin", {
    "lets pages of any origin read": headers({ "access-control-allow-origin": "*" }),
    "lets pages of one origin read, with credentials": headers({
      "access-control-allow-origin": "https://console.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-request-id",
    }),
  }),
  ...leftOpen("open.http.content-coding", {
    "compresses what it refuses with": changeAnswers(
      (request, { status, pieces }) =>
        findOperation(request) !== "automation" && status >= 400 && status !== 422 && pieces.length > 0,
      (answer) => ({
        ...answer,
        headers: { ...answer.headers, "content-encoding": "gzip" },
        pieces: [gzipSync(answer.pieces.map(String).join(""))],
      }),
    ),
    "says that it compresses nothing": headers({ "content-encoding": "identity" }),
  }),
  ...leftOpen("open.auth.challenge", {
    "tells how to authorize": changeAnswers(isTurnedAway, (answer) => ({
      ...answer,
      headers: { ...answer.headers, "www-authenticate": 'Bearer realm="sessions", error="invalid_token"' },
    })),
    "tells two ways to authorize": changeAnswers(isTurnedAway, (answer) => ({
      ...answer,
      headers: { ...answer.headers, "www-authenticate": 'Basic realm="x", Bearer' },
    })),
  }),
  ...leftOpen("open.session.simultaneous-requests", {
    "answers one request of a session at a time, and others with 429": changeAnswers(
      (request, { status }) => status === 200 && isMoreThanOne(request),
      refusal(429),
    ),
    "answers one request of a session at a time, and others with 409": changeAnswers(
      (request, { status }) => status === 200 && isMoreThanOne(request),
      refusal(409),
    ),
  }),
];

/** The table. */
export const silentAnswers: readonly OpenServer[] = [...scrapes, ...reads, ...http];
