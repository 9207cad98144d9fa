/** Targets that treat the request of a page scrape, its fields aside, otherwise than the interface says. */
import { isObject, json, findOperation, type Json } from "../messages.ts";
import { blame, listBreaking, type FaultyTarget } from "../faulty-target.ts";
import { correctService, type Service } from "../service.ts";
import { revise, status } from "../parts.ts";

/** Reads bodies as JSON, and some that are none. */
const parsing = (lenient: (body: string) => Json | undefined): Partial<Service> => ({
  parses: (body) => lenient(body) ?? correctService.parses(body),
});

/** Does not read some bodies that are JSON. */
const unable = (when: (body: string) => boolean): Partial<Service> =>
  parsing((body) => {
    if (when(body)) throw new SyntaxError("not JSON");
    return undefined;
  });

/** Answers some invalid page scrapes with another status. */
const rejecting = (to: number, when: (message: string, body: string) => boolean): Partial<Service> => ({
  rejects: (problems, request) =>
    problems.some(({ msg }) => when(msg, request.body))
      ? json(to, { detail: "invalid" })
      : correctService.rejects(problems, request),
});

/** Takes for an empty object what is no object. */
const inPlaceOfObject = (right: (value: Json) => boolean): Partial<Service> => ({
  problems: (found, { body }) =>
    found.some(({ msg }) => msg === "no object") && right(correctService.parses(body)) ? [] : found,
});

const takesNoHeader = (name: string): Partial<Service> =>
  revise("scrape", 200, (answer, { headers }) => (headers[name] === undefined ? answer : blame("header", name)));

const needsHeader = (name: string): Partial<Service> =>
  revise("scrape", 200, (answer, { headers }) => (headers[name] === undefined ? blame("header", name) : answer));

/** Does not take the media type of JSON in some notations. */
const takesNoMediaType = (wrong: RegExp, to: number): Partial<Service> =>
  revise("scrape", 200, (answer, { headers }) =>
    wrong.test(headers["content-type"] ?? "") ? json(to, { detail: "media type" }) : answer,
  );

export const scrapeRequestFaults: readonly FaultyTarget[] = [
  ...listBreaking("scrape.request.media-type-notation", {
    "takes-no-parameters-of-the-media-type": takesNoMediaType(/;/, 415),
    "takes-no-charset-in-quotes": takesNoMediaType(/="/, 400),
    "takes-no-media-type-in-capitals": takesNoMediaType(/^A/, 400),
  }),
  ...listBreaking("scrape.status-200", {
    "scrape-answers-201": revise("scrape", 200, status(201)),
    "scrape-answers-202": revise("scrape", 200, status(202)),
    "scrape-answers-500": revise("scrape", 200, status(500)),
    "scrape-answers-206": revise("scrape", 200, status(206)),
    "scrape-answers-307": revise("scrape", 200, status(307)),
  }),
  ...listBreaking("scrape.request.body-required", {
    "takes-a-missing-body": { problems: (found, { body }) => (body === "" ? [] : found) },
    "takes-an-empty-body-of-a-media-type": {
      problems: (found, { body, headers }) => (body === "" && headers["content-type"] !== undefined ? [] : found),
    },
  }),
  ...listBreaking("scrape.request.body-is-json", {
    "takes-a-body-that-is-cut-off": parsing((body) => (/^\{[^}]*$/.test(body) ? {} : undefined)),
    "takes-a-body-of-words": parsing((body) => (/^[a-z]{4,} /.test(body) ? {} : undefined)),
  }),
  ...listBreaking("scrape.request.body-is-strict-json", {
    "takes-a-trailing-comma": parsing((body) => (/^\{[^}]*,\s*\}$/.test(body) ? {} : undefined)),
    "takes-single-quotes": parsing((body) => (body.includes("{'") ? {} : undefined)),
    "takes-names-without-quotes": parsing((body) => (/^\{[a-z]/.test(body) ? {} : undefined)),
    "takes-comments": parsing((body) => (body.includes("/*") ? {} : undefined)),
    "takes-what-is-behind-the-object": parsing((body) => (/^\{[^{}]*\}\s*[^\s]/.test(body) ? {} : undefined)),
    "takes-line-breaks-in-texts": parsing((body) => (/"[^"{}:,]*\n[^"{}:,]*"/.test(body) ? {} : undefined)),
  }),
  ...listBreaking("scrape.request.body-is-json", {
    "knows-no-escapes-in-names": unable((body) => body.includes("\\u0073")),
    "takes-no-white-space-before-the-object": unable((body) => /^\s/.test(body)),
  }),
  ...listBreaking("scrape.request.object", {
    "takes-an-array-for-an-object": inPlaceOfObject(Array.isArray),
    "takes-a-string-for-an-object": inPlaceOfObject((value) => typeof value === "string"),
    "takes-null-for-an-object": inPlaceOfObject((value) => value === null),
    "takes-whatever-is-no-object": inPlaceOfObject((value) => !isObject(value)),
  }),
  ...listBreaking("scrape.422", {
    "invalid-scrape-answers-400": rejecting(400, () => true),
    "invalid-scrape-answers-500": rejecting(500, () => true),
    "invalid-scrape-answers-404": rejecting(404, () => true),
    "invalid-scrape-answers-409": rejecting(409, () => true),
    "invalid-scrape-redirects": rejecting(302, () => true),
    "missing-body-answers-400": rejecting(400, (_, body) => body === ""),
    "wrong-type-answers-400": rejecting(400, (message) => message === "wrong type"),
    "wrong-type-answers-500": rejecting(500, (message) => message === "wrong type"),
    "unknown-property-answers-400": rejecting(400, (message) => message === "unknown"),
    "unknown-property-answers-403": rejecting(403, (message) => message === "unknown"),
    "wrong-query-answers-400": rejecting(400, (message) => message === "no boolean"),
    "proto-crashes-the-service": rejecting(500, (message, body) => message === "unknown" && body.includes("__proto__")),
  }),
  ...listBreaking("scrape.update_metadata.type", {
    "update-metadata-takes-any-word": { flag: () => true },
    "update-metadata-takes-what-begins-with-true": { flag: (value) => value === null || /^(true|false)/.test(value) },
    "update-metadata-takes-lists": {
      flag: (value) => value === null || value.split(",").every((one) => /^(true|false)$/.test(one)),
    },
    "update-metadata-takes-no-false": { flag: (value) => value !== "false" && correctService.flag(value) },
    "update-metadata-takes-one-and-zero-only": { flag: (value) => value === null || value === "1" || value === "0" },
  }),
  ...listBreaking("scrape.update_metadata.optional", {
    "update-metadata-is-required": { flag: (value) => value !== null && correctService.flag(value) },
  }),
  ...listBreaking("scrape.header.x-service-request-origin.type", {
    "takes-no-request-origin": takesNoHeader("x-service-request-origin"),
  }),
  ...listBreaking("scrape.header.x-service-sdk-version.type", {
    "takes-no-sdk-version": takesNoHeader("x-service-sdk-version"),
  }),
  ...listBreaking("version.sdk-version-header", {
    "knows-other-versions-of-the-sdk": {
      revises: (answer, request) =>
        request.body === "{}" && request.headers["x-service-sdk-version"] !== undefined && answer.status === 200
          ? json(426, { detail: "install a newer SDK" })
          : answer,
    },
  }),
  ...listBreaking("scrape.header.x-service-request-origin.optional", {
    "request-origin-is-required": needsHeader("x-service-request-origin"),
  }),
  ...listBreaking("scrape.header.x-service-sdk-version.optional", {
    "sdk-version-is-required": needsHeader("x-service-sdk-version"),
  }),
  ...listBreaking("scrape.request.content-type", {
    "scrape-takes-forms-only": {
      revises: (answer, request) =>
        findOperation(request) === "scrape" &&
        request.headers["content-type"] === "application/json" &&
        answer.status === 200
          ? json(415, { detail: "send a form" })
          : answer,
    },
  }),
];
