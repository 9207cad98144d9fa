/** Correct servers that use what the interface leaves open about page scrapes. */
import {
  isJson,
  isObject,
  json,
  listMembers,
  findOperation,
  type ReceivedRequest,
  type Fields,
  type Json,
} from "../../targets/messages.ts";
import { images, structured } from "../../targets/content.ts";
import { asksImages } from "../../targets/markdown-left.ts";
import { correctService, fieldReaders, type Reader, type Service } from "../../targets/service.ts";
import { each } from "../breaker.ts";
import { body, leftOpen, refusal, scraping, type OpenServer } from "./open-server.ts";
import { changeAnswers, extend, of } from "../../targets/parts.ts";

const texts = ["selector", "instructions"];
const booleans = ["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"];

const reading = (names: readonly string[], right: (value: Json) => boolean): Partial<Service> => ({
  fields: Object.fromEntries(
    names.map((name): [string, Reader] => [
      name,
      (value) => (right(value) ? undefined : (fieldReaders[name]?.(value) ?? undefined)),
    ]),
  ),
});

const format = (request: ReceivedRequest): Json | undefined => listMembers(request).get("response_format");
const isNoSchema = (request: ReceivedRequest): boolean => {
  const schema = format(request);
  return typeof schema === "string" || (isObject(schema) && Object.keys(schema).length === 0);
};
const isTwice = (request: ReceivedRequest): boolean =>
  [...listMembers(request).keys()].some((name) => request.body.split(`"${name}":`).length > 2);

const problem: Fields = { loc: ["body", "selector"], msg: "wrong", type: "value_error" };
const invalid = (change: (problems: Json[]) => Json[]): Partial<Service> =>
  body("scrape", 422, (value) => ({
    detail: change(isObject(value) && Array.isArray(value["detail"]) ? value["detail"] : []),
  }));
const eachProblem = (fields: Fields): Partial<Service> =>
  invalid((problems) => problems.map((one) => (isObject(one) ? { ...one, ...fields } : one)));

const isScrape = (request: ReceivedRequest): boolean => findOperation(request) === "scrape";
const media = ({ headers }: ReceivedRequest): string => headers["content-type"] ?? "";

export const openScrapes: readonly OpenServer[] = [
  ...leftOpen("open.scrape.boolean-coercion", {
    "reads the words true and false as booleans": reading(booleans, (value) => value === "true" || value === "false"),
    "reads 1 and 0, yes and no, on and off as booleans": reading(booleans, (value) =>
      [1, 0, "1", "0", "yes", "no", "on", "off"].includes(JSON.parse(JSON.stringify(value))),
    ),
  }),
  ...leftOpen("open.scrape.string-coercion", {
    "reads numbers as texts": reading(texts, (value) => typeof value === "number"),
    "reads booleans as texts": reading(texts, (value) => typeof value === "boolean"),
  }),
  ...leftOpen("open.scrape.array-coercion", {
    "reads one text as a list of tags": reading(["ignored_tags"], (value) => typeof value === "string"),
    "reads numbers among the tags as texts": reading(
      ["ignored_tags"],
      (value) => Array.isArray(value) && value.every((tag) => typeof tag === "string" || typeof tag === "number"),
    ),
  }),
  ...leftOpen("open.scrape.duplicate-members", {
    "takes the first of two members of one name": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && isTwice(request),
      () => json(422, { detail: [problem] }),
    ),
    "tells of members that come twice by 400": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && isTwice(request),
      refusal(400),
    ),
  }),
  ...leftOpen("open.scrape.response_format-not-a-schema", {
    "refuses a format that is no schema with 422": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && isNoSchema(request),
      () => json(422, { detail: [{ ...problem, loc: ["body", "response_format"] }] }),
    ),
    "refuses a format that is no schema with 400": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && isNoSchema(request),
      refusal(400),
    ),
    "says that an extraction failed for a format that is no schema": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && isNoSchema(request),
      () => json(200, { markdown: "", structured: { success: false, error: "no schema" } }),
    ),
  }),
  ...leftOpen("open.scrape.images-null-or-absent", {
    "sends null for images that nobody asked for": scraping((options) =>
      options.get("scrape_images") === true || options.get("only_images") === true ? {} : { images: null },
    ),
    "sends no images that nobody asked for, in a list": scraping((options) =>
      options.get("scrape_images") === true || options.get("only_images") === true ? {} : { images: [] },
    ),
  }),
  ...leftOpen("open.scrape.structured-null-or-absent", {
    "sends null for a structure that nobody asked for": scraping((options) =>
      isObject(options.get("response_format")) ? {} : { structured: null },
    ),
    "sends structured data that nobody asked for": scraping(() => ({ structured })),
  }),
  ...leftOpen("open.response.extra-fields", {
    "adds a field to each answer": body("scrape", 200, (value) =>
      isObject(value) ? { ...value, "x-took": 7 } : value,
    ),
    "adds fields to every object, however deep": body("scrape", 200, (value) =>
      extend(value, { extra: { deep: [null] } }),
    ),
    "adds fields whose names objects inherit": body("scrape", 200, (value) =>
      isObject(value) ? { ...value, toString: "x", constructor: null } : value,
    ),
  }),
  ...leftOpen("open.image.identifier", {
    "gives each image an id": scraping((options) =>
      asksImages(options) ? { images: each(images, () => ({ id: "F1" })) } : {},
    ),
    "gives each image a number and a name": scraping((options) =>
      asksImages(options) ? { images: each(images, () => ({ identifier: 1, name: null })) } : {},
    ),
  }),
  ...leftOpen("open.structured.error-when-successful", {
    "sends an empty error on success": scraping(() => ({ structured: { ...structured, error: "" } })),
    "sends data on failure": scraping(() => ({ structured: { success: false, error: "half", data: [1, null] } })),
    "sends nothing but the data": scraping(() => ({ structured: { data: { heading: "Harbour ferries" } } })),
  }),
  ...leftOpen("open.validation-error.type-values", {
    "names the type of a problem by a word": eachProblem({ type: "missing", msg: "Field required" }),
    "names the type of a problem by an address, without a message": eachProblem({
      type: "https://errors.example/1",
      msg: "",
    }),
  }),
  ...leftOpen("open.validation-error.loc-root", {
    "names the part without what it is a part of": eachProblem({ loc: ["selector"] }),
    "names no part": eachProblem({ loc: [] }),
    "names a part by numbers": eachProblem({ loc: [0, 17] }),
  }),
  ...leftOpen("open.validation-error.order", {
    "tells the last problem first": invalid((problems) => problems.toReversed()),
    "orders problems by their messages": invalid((problems) =>
      problems.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    ),
  }),
  ...leftOpen("open.validation-error.number", {
    "tells only the first problem": invalid((problems) => problems.slice(0, 1)),
    "tells no problem": invalid(() => []),
    "tells each problem three times": invalid((problems) => [...problems, ...problems, ...problems]),
  }),
  ...leftOpen("open.scrape.request-origin-meaning", {
    "answers the origin of a request": changeAnswers(isScrape, (answer, request) => ({
      ...answer,
      headers: {
        ...answer.headers,
        "access-control-allow-origin": String(request.headers["x-service-request-origin"] ?? "*"),
      },
    })),
    "gives images to one origin only": {
      scrapes: (options, request) =>
        correctService.scrapes(
          request.headers["x-service-request-origin"] === undefined
            ? options
            : new Map([...options, ["scrape_images", true]]),
          request,
        ),
    },
  }),
  ...leftOpen("open.scrape.null-header", {
    "refuses a header that is empty": changeAnswers(
      (request, answer) =>
        of("scrape", 200)(request, answer) &&
        Object.entries(request.headers).some(([name, value]) => name.startsWith("x-service-") && value === ""),
      () => json(422, { detail: [{ ...problem, loc: ["header"] }] }),
    ),
    "answers an empty header with one of its own": changeAnswers(
      ({ headers }) => headers["x-service-request-origin"] === "",
      (answer) => ({ ...answer, headers: { ...answer.headers, "x-origin": "none" } }),
    ),
  }),
  ...leftOpen("open.scrape.validation-order", {
    "validates before it asks for the key": {
      turnsAway: (request) =>
        isScrape(request) && listMembers(request).has("conformance_unknown")
          ? json(422, { detail: [problem] })
          : correctService.turnsAway(request),
    },
    "looks for the session before it asks for the key": {
      turnsAway: (request) =>
        request.path.includes("/00000000-")
          ? json(404, { detail: "no such session" })
          : correctService.turnsAway(request),
    },
  }),
  ...leftOpen("open.scrape.request-media-type", {
    "takes no other media type": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && !media(request).startsWith("application/json"),
      refusal(415),
    ),
    "tells of another media type by 422": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && !media(request).startsWith("application/json"),
      () => json(422, { detail: [problem] }),
    ),
    "takes no charset": changeAnswers((request) => isScrape(request) && /charset/.test(media(request)), refusal(415)),
  }),
  ...leftOpen("open.scrape.malformed-json", {
    "tells broken JSON by 400": changeAnswers(
      (request, answer) =>
        of("scrape", 422)(request, answer) && request.headers["content-type"] !== undefined && !isJson(request),
      refusal(400),
    ),
    "tells broken JSON by 415, without a body": changeAnswers(
      (request, answer) =>
        of("scrape", 422)(request, answer) && request.headers["content-type"] !== undefined && !isJson(request),
      () => ({ status: 415, headers: {}, pieces: [] }),
    ),
  }),
  ...leftOpen("open.limits.payload-size", {
    "takes no body above 60 kB": changeAnswers(
      (request) => isScrape(request) && request.body.length > 60_000,
      refusal(413),
    ),
    "tells of large bodies by 422": changeAnswers(
      (request, answer) => of("scrape", 200)(request, answer) && request.body.length > 60_000,
      () => json(422, { detail: [problem] }),
    ),
    "answers with a page of a megabyte": { scrapes: () => ({ markdown: "# Ferries\n\n".repeat(90_000) }) },
  }),
];
