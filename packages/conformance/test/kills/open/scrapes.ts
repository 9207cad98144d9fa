/** Correct servers that use what the interface leaves open about page scrapes. */
import {
  isJson,
  isObject,
  json,
  listMembers,
  findOperation,
  type Asked,
  type Fields,
  type Json,
} from "../../targets/asked.ts";
import { images, structured } from "../../targets/content.ts";
import { asksImages } from "../../targets/markdown-left.ts";
import { correctService, fieldReaders, type Reader, type Service } from "../../targets/service.ts";
import { each } from "../breaker.ts";
import { body, leftOpen, refusal, scraping, type OpenServer } from "./open-server.ts";
import { answering, extended, of } from "../../targets/parts.ts";

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

const format = (asked: Asked): Json | undefined => listMembers(asked).get("response_format");
const isNoSchema = (asked: Asked): boolean => {
  const given = format(asked);
  return typeof given === "string" || (isObject(given) && Object.keys(given).length === 0);
};
const isTwice = (asked: Asked): boolean =>
  [...listMembers(asked).keys()].some((name) => asked.body.split(`"${name}":`).length > 2);

const problem: Fields = { loc: ["body", "selector"], msg: "wrong", type: "value_error" };
const invalid = (change: (problems: Json[]) => Json[]): Partial<Service> =>
  body("scrape", 422, (value) => ({
    detail: change(isObject(value) && Array.isArray(value["detail"]) ? value["detail"] : []),
  }));
const eachProblem = (fields: Fields): Partial<Service> =>
  invalid((problems) => problems.map((one) => (isObject(one) ? { ...one, ...fields } : one)));

const isScrape = (asked: Asked): boolean => findOperation(asked) === "scrape";
const media = ({ headers }: Asked): string => headers["content-type"] ?? "";

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
    "takes the first of two members of one name": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && isTwice(asked),
      () => json(422, { detail: [problem] }),
    ),
    "tells of members that come twice by 400": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && isTwice(asked),
      refusal(400),
    ),
  }),
  ...leftOpen("open.scrape.response_format-not-a-schema", {
    "refuses a format that is no schema with 422": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && isNoSchema(asked),
      () => json(422, { detail: [{ ...problem, loc: ["body", "response_format"] }] }),
    ),
    "refuses a format that is no schema with 400": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && isNoSchema(asked),
      refusal(400),
    ),
    "says that an extraction failed for a format that is no schema": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && isNoSchema(asked),
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
      extended(value, { extra: { deep: [null] } }),
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
    "answers the origin of a request": answering(isScrape, (answer, asked) => ({
      ...answer,
      headers: {
        ...answer.headers,
        "access-control-allow-origin": String(asked.headers["x-service-request-origin"] ?? "*"),
      },
    })),
    "gives images to one origin only": {
      scrapes: (options, asked) =>
        correctService.scrapes(
          asked.headers["x-service-request-origin"] === undefined
            ? options
            : new Map([...options, ["scrape_images", true]]),
          asked,
        ),
    },
  }),
  ...leftOpen("open.scrape.null-header", {
    "refuses a header that is empty": answering(
      (asked, answer) =>
        of("scrape", 200)(asked, answer) &&
        Object.entries(asked.headers).some(([name, value]) => name.startsWith("x-service-") && value === ""),
      () => json(422, { detail: [{ ...problem, loc: ["header"] }] }),
    ),
    "answers an empty header with one of its own": answering(
      ({ headers }) => headers["x-service-request-origin"] === "",
      (answer) => ({ ...answer, headers: { ...answer.headers, "x-origin": "none" } }),
    ),
  }),
  ...leftOpen("open.scrape.validation-order", {
    "validates before it asks for the key": {
      turnsAway: (asked) =>
        isScrape(asked) && listMembers(asked).has("conformance_unknown")
          ? json(422, { detail: [problem] })
          : correctService.turnsAway(asked),
    },
    "looks for the session before it asks for the key": {
      turnsAway: (asked) =>
        asked.path.includes("/00000000-") ? json(404, { detail: "no such session" }) : correctService.turnsAway(asked),
    },
  }),
  ...leftOpen("open.scrape.request-media-type", {
    "takes no other media type": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && !media(asked).startsWith("application/json"),
      refusal(415),
    ),
    "tells of another media type by 422": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && !media(asked).startsWith("application/json"),
      () => json(422, { detail: [problem] }),
    ),
    "takes no charset": answering((asked) => isScrape(asked) && /charset/.test(media(asked)), refusal(415)),
  }),
  ...leftOpen("open.scrape.malformed-json", {
    "tells broken JSON by 400": answering(
      (asked, answer) =>
        of("scrape", 422)(asked, answer) && asked.headers["content-type"] !== undefined && !isJson(asked),
      refusal(400),
    ),
    "tells broken JSON by 415, without a body": answering(
      (asked, answer) =>
        of("scrape", 422)(asked, answer) && asked.headers["content-type"] !== undefined && !isJson(asked),
      () => ({ status: 415, headers: {}, pieces: [] }),
    ),
  }),
  ...leftOpen("open.limits.payload-size", {
    "takes no body above 60 kB": answering((asked) => isScrape(asked) && asked.body.length > 60_000, refusal(413)),
    "tells of large bodies by 422": answering(
      (asked, answer) => of("scrape", 200)(asked, answer) && asked.body.length > 60_000,
      () => json(422, { detail: [problem] }),
    ),
    "answers with a page of a megabyte": { scrapes: () => ({ markdown: "# Ferries\n\n".repeat(90_000) }) },
  }),
];
