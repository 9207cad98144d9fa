/** Correct servers that use what the interface is silent about: options and fields, headers, and what several answers make up together. */
import { gzipSync } from "node:zlib";
import { addHeaders, mediaType, refuse, type Change } from "../../targets/changes.ts";
import { answers, has, inHeader, type Condition } from "../../targets/conditions.ts";
import { cookies, images, recording } from "../../targets/content.ts";
import { asksImages } from "../../targets/markdown-left.ts";
import { findOperation, isObject, joinBody, type Fields, type Json } from "../../targets/messages.ts";
import { film, headers, jar, revise, reviseAll, scraping } from "../../targets/parts.ts";
import type { Parts, Service } from "../../targets/service.ts";
import { each } from "../ways.ts";
import { leaveOpen, reviseProblems, type OpenServer } from "./open-server.ts";

type Options = ReadonlyMap<string, Json>;

/** Scrapes, and adds fields where the options are such. */
const addWhen = (isSuch: (options: Options) => boolean, fields: Fields): Parts =>
  scraping((options) => (isSuch(options) ? fields : {}));
const asksOnlyImages = (options: Options): boolean => options.get("only_images") === true;
const hasNoTag = (options: Options): boolean => JSON.stringify(options.get("ignored_tags")) === "[]";
const findSchema = (options: Options): string => JSON.stringify(options.get("response_format") ?? null);

const problem: Fields = { loc: ["body"], msg: "wrong", type: "value_error" };
const fill = (more: Fields): Parts => jar(...each(cookies, () => more));
const icons = each(images, ({ category }) => ({ url: typeof category === "string" ? `/img/${category}.png` : null }));
const dataUrls = each(images, () => ({ url: "data:image/gif;base64,R0lGODlhAQABAAAAACw=" }));

const scrapes = leaveOpen({
  "open.scrape.contradicting-options": {
    "has no images where they are asked for and not": addWhen(
      (options) => asksOnlyImages(options) && options.get("scrape_images") === false,
      { images: [] },
    ),
    "has no structured data beside images alone": addWhen(asksOnlyImages, { structured: null }),
  },
  "open.scrape.tag-notation": {
    "says which tags it does not know": revise("scrape", (answer, request) =>
      addHeaders({ "x-unknown-tags": /x-tag|x-banner/.test(request.body) ? "yes" : "no" })(answer, request),
    ),
    "has another page where no tag is ignored": addWhen(hasNoTag, {
      markdown: "# Harbour ferries, and all that is around\n",
    }),
  },
  "open.scrape.schema-dialect": {
    "understands no reference in a schema": revise(
      "scrape",
      refuse(422, [{ ...problem, loc: ["body", "response_format"] }]),
      has("response_format", (schema) => JSON.stringify(schema).includes("$ref")),
    ),
    "extracts nothing by a schema with more than types": addWhen(
      (options) => /\$ref|pattern/.test(findSchema(options)),
      { structured: { success: false, error: "a keyword is not known", data: null } },
    ),
  },
  "open.image.url-form": {
    "writes addresses of images relative to the page": addWhen(asksImages, { images: icons }),
    "has images in their addresses": addWhen(asksImages, { images: dataUrls }),
  },
  "open.validation-error.input-and-ctx": {
    "repeats what was wrong": reviseProblems((problems) =>
      each(problems.filter(isObject), () => ({ input: { selector: [1] }, ctx: { error: "wrong", at: 7 } })),
    ),
    "says nothing of what was wrong": reviseProblems(() => [problem]),
  },
  "open.validation-error.media-type": {
    "tells what fails validation as a problem document": revise(
      "scrape-invalid",
      mediaType("application/problem+json"),
    ),
    "tells the charset of what fails validation": revise("scrape-invalid", mediaType("application/json;charset=utf-8")),
  },
  "open.scrape.sdk-version-meaning": {
    "answers an old version with a warning": reviseAll(
      addHeaders({ warning: '299 - "update your SDK"' }),
      inHeader("x-service-sdk-version"),
    ),
    "tells a version more of a page": scraping((_, request): Fields =>
      request.headers["x-service-sdk-version"] === undefined ? {} : { took: 7 },
    ),
  },
  "open.scrape.update_metadata-notation": {
    "takes 1 and 0 for booleans in the query": { flag: (value) => value === null || /^(true|false|1|0)$/.test(value) },
    "takes booleans in the query in any case": { flag: (value) => value === null || /^(true|false)$/i.test(value) },
  },
});

const playlist = (name: string, ...tags: string[]): string =>
  ["#EXTM3U", ...tags, "#EXT-X-TARGETDURATION:10", "#EXTINF:10.0,", name, "#EXT-X-ENDLIST", ""].join("\n");

/** Returns recordings whose addresses have a signature of their own each time. */
function signAnew(): Service["recording"] {
  let time = 0;
  return () => {
    const text = JSON.stringify(recording).replaceAll("signature=b6f0", `signature=b6f${(time += 1)}`);
    const value: Json = JSON.parse(text);
    return value;
  };
}

/** Returns recordings that expire a second later each time. */
function expireLater(): Service["recording"] {
  let time = Date.parse("2036-11-21T09:30:00Z");
  return () => ({ ...recording, expires_at: new Date((time += 1000)).toISOString() });
}

const reads = leaveOpen({
  "open.cookies.scope": {
    "has cookies of ten sites": jar(
      ...Array.from({ length: 10 }, (_, at): Json => ({ name: "a", value: "b", domain: `s${at}.example`, path: "/" })),
    ),
    "has cookies of one part of a site": jar({ name: "a", value: "b", domain: "frame.ferries.example", path: "/" }),
  },
  "open.cookies.domain-form": {
    "writes domains with a dot, whoever they are for": fill({ domain: ".ferries.example", hostOnly: true }),
    "writes domains without a dot, whoever they are for": fill({ domain: "ferries.example", hostOnly: false }),
  },
  "open.cookies.store-and-partition": {
    "has empty texts for store and partition": fill({ storeId: "", partitionKey: "" }),
    "has names for store and partition": fill({
      storeId: "firefox-default",
      partitionKey: "(https,ferries.example)",
    }),
  },
  "open.replay.playlist-form": {
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
  },
  "open.replay.repeated-reads": {
    "signs addresses anew for each read": { recording: signAnew() },
    "tells a later expiry with each read": { recording: expireLater() },
  },
});

const isTurnedAway = answers((status) => status === 401 || status === 403);
const isMoreThanOne: Condition = ({ underWay }, { status }) => status === 200 && underWay > 1;
const compress: Change = (answer) => ({
  ...answer,
  headers: { ...answer.headers, "content-encoding": "gzip" },
  pieces: [gzipSync(joinBody(answer))],
});

const http = leaveOpen({
  "open.http.cross-origin": {
    "lets pages of any origin read": headers({ "access-control-allow-origin": "*" }),
    "lets pages of one origin read, with credentials": headers({
      "access-control-allow-origin": "https://console.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-request-id",
    }),
  },
  "open.http.content-coding": {
    "compresses what it refuses with": reviseAll(
      compress,
      (request, { status, pieces }) =>
        findOperation(request) !== "automation" && status >= 400 && status !== 422 && pieces.length > 0,
    ),
    "says that it compresses nothing": headers({ "content-encoding": "identity" }),
  },
  "open.auth.challenge": {
    "tells how to authorize": reviseAll(
      addHeaders({ "www-authenticate": 'Bearer realm="sessions", error="invalid_token"' }),
      isTurnedAway,
    ),
    "tells two ways to authorize": reviseAll(
      addHeaders({ "www-authenticate": 'Basic realm="x", Bearer' }),
      isTurnedAway,
    ),
  },
  "open.session.simultaneous-requests": {
    "answers one request of a session at a time, and others with 429": reviseAll(refuse(429), isMoreThanOne),
    "answers one request of a session at a time, and others with 409": reviseAll(refuse(409), isMoreThanOne),
  },
});

/** The table. */
export const silentAnswers: readonly OpenServer[] = [...scrapes, ...reads, ...http];
