/** Servers that treat the request of a page scrape, its fields aside, otherwise than the interface says. */
import { blame, listStatuses, refuse } from "../changes.ts";
import { inBody, inHeader, type Condition } from "../conditions.ts";
import { breakAnswers, breakService, type Fault } from "../fault.ts";
import { isObject, json, type Json } from "../messages.ts";
import { correctService, type Parts } from "../service.ts";

/** Reads bodies with a pattern in them as an empty object. */
const parses = (lenient: RegExp): Parts => ({
  parses: (body) => (lenient.test(body) ? {} : correctService.parses(body)),
});

/** Does not read some bodies that are JSON. */
const fails = (strict: RegExp): Parts => ({
  parses: (body) => {
    if (strict.test(body)) throw new SyntaxError("not JSON");
    return correctService.parses(body);
  },
});

/** Answers some invalid page scrapes with another status. */
const rejects = (to: number, when: (message: string, body: string) => boolean = () => true): Parts => ({
  rejects: (problems, request) =>
    problems.some(({ msg }) => when(msg, request.body))
      ? json(to, { detail: "invalid" })
      : correctService.rejects(problems, request),
});
const rejectsFor = (to: number, problem: string): Parts => rejects(to, (message) => message === problem);

/** Takes for an empty object what is no object. */
const takesForObject = (right: (value: Json) => boolean): Parts => ({
  problems: (found, { body }) =>
    found.some(({ msg }) => msg === "no object") && right(correctService.parses(body)) ? [] : found,
});

const flag = (isRight: (value: string) => boolean): Parts => ({ flag: (value) => value === null || isRight(value) });

const origin = "x-service-request-origin";
const version = "x-service-sdk-version";
const lacksHeader =
  (name: string): Condition =>
  ({ headers }) =>
    headers[name] === undefined;

const answerFaults = breakAnswers("scrape", {
  "scrape.request.media-type-notation": {
    "takes-no-parameters-of-the-media-type": [refuse(415, "media type"), inHeader("content-type", /;/)],
    "takes-no-charset-in-quotes": [refuse(400, "media type"), inHeader("content-type", /="/)],
    "takes-no-media-type-in-capitals": [refuse(400, "media type"), inHeader("content-type", /^A/)],
  },
  "scrape.status-200": listStatuses("scrape", [201, 202, 500, 206, 307]),
  [`scrape.header.${origin}.type`]: { "takes-no-request-origin": [blame("header", origin), inHeader(origin)] },
  [`scrape.header.${version}.type`]: { "takes-no-sdk-version": [blame("header", version), inHeader(version)] },
  "version.sdk-version-header": {
    "knows-other-versions-of-the-sdk": [refuse(426, "install a newer SDK"), inBody(/^\{\}$/), inHeader(version)],
  },
  [`scrape.header.${origin}.optional`]: {
    "request-origin-is-required": [blame("header", origin), lacksHeader(origin)],
  },
  [`scrape.header.${version}.optional`]: {
    "sdk-version-is-required": [blame("header", version), lacksHeader(version)],
  },
  "scrape.request.content-type": {
    "scrape-takes-forms-only": [refuse(415, "send a form"), inHeader("content-type", /^application\/json$/)],
  },
});

const requestFaults = breakService({
  "scrape.request.body-required": {
    "takes-a-missing-body": { problems: (found, { body }) => (body === "" ? [] : found) },
    "takes-an-empty-body-of-a-media-type": {
      problems: (found, { body, headers }) => (body === "" && headers["content-type"] !== undefined ? [] : found),
    },
  },
  "scrape.request.body-is-json": {
    "takes-a-body-that-is-cut-off": parses(/^\{[^}]*$/),
    "takes-a-body-of-words": parses(/^[a-z]{4,} /),
    "knows-no-escapes-in-names": fails(/\\u0073/),
    "takes-no-white-space-before-the-object": fails(/^\s/),
  },
  "scrape.request.body-is-strict-json": {
    "takes-a-trailing-comma": parses(/^\{[^}]*,\s*\}$/),
    "takes-single-quotes": parses(/\{'/),
    "takes-names-without-quotes": parses(/^\{[a-z]/),
    "takes-comments": parses(/\/\*/),
    "takes-what-is-behind-the-object": parses(/^\{[^{}]*\}\s*[^\s]/),
    "takes-line-breaks-in-texts": parses(/"[^"{}:,]*\n[^"{}:,]*"/),
  },
  "scrape.request.object": {
    "takes-an-array-for-an-object": takesForObject(Array.isArray),
    "takes-a-string-for-an-object": takesForObject((value) => typeof value === "string"),
    "takes-null-for-an-object": takesForObject((value) => value === null),
    "takes-whatever-is-no-object": takesForObject((value) => !isObject(value)),
  },
  "scrape.422": {
    "invalid-scrape-answers-400": rejects(400),
    "invalid-scrape-answers-500": rejects(500),
    "invalid-scrape-answers-404": rejects(404),
    "invalid-scrape-answers-409": rejects(409),
    "invalid-scrape-redirects": rejects(302),
    "missing-body-answers-400": rejects(400, (_, body) => body === ""),
    "wrong-type-answers-400": rejectsFor(400, "wrong type"),
    "wrong-type-answers-500": rejectsFor(500, "wrong type"),
    "unknown-property-answers-400": rejectsFor(400, "unknown"),
    "unknown-property-answers-403": rejectsFor(403, "unknown"),
    "wrong-query-answers-400": rejectsFor(400, "no boolean"),
    "proto-crashes-the-service": rejects(500, (message, body) => message === "unknown" && body.includes("__proto__")),
  },
  "scrape.update_metadata.type": {
    "update-metadata-takes-any-word": flag(() => true),
    "update-metadata-takes-what-begins-with-true": flag((value) => /^(true|false)/.test(value)),
    "update-metadata-takes-lists": flag((value) => value.split(",").every((one) => /^(true|false)$/.test(one))),
    "update-metadata-takes-no-false": flag((value) => value === "true"),
    "update-metadata-takes-one-and-zero-only": flag((value) => value === "1" || value === "0"),
  },
  "scrape.update_metadata.optional": {
    "update-metadata-is-required": { flag: (value) => value !== null && correctService.flag(value) },
  },
});

export const scrapeRequestFaults: readonly Fault[] = [...answerFaults, ...requestFaults];
