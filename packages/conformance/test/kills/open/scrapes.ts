/** Correct servers that use what the interface leaves open about page scrapes. */
import { addHeaders, extend, instead, other, refuse } from "../../targets/changes.ts";
import { at, has, inHeader, isLonger, isTags, type Condition } from "../../targets/conditions.ts";
import { images, structured } from "../../targets/content.ts";
import { asksImages } from "../../targets/markdown-left.ts";
import { empty, isJson, isObject, json, listMembers, type Fields, type Json } from "../../targets/messages.ts";
import { revise, reviseAll, scraping, turnAway } from "../../targets/parts.ts";
import { booleans, correctService, fieldReaders, texts, type Parts, type Reader } from "../../targets/service.ts";
import { each } from "../ways.ts";
import { leaveOpen, reviseJson, reviseProblems, type OpenServer } from "./open-server.ts";

/** Takes more values for some fields. */
const takesToo = (names: readonly string[], right: (value: Json) => boolean): Parts => ({
  fields: Object.fromEntries(
    names.map((name): [string, Reader] => [name, (value) => (right(value) ? undefined : fieldReaders[name]?.(value))]),
  ),
});

const isNoSchema = has(
  "response_format",
  (schema) => typeof schema === "string" || (isObject(schema) && Object.keys(schema).length === 0),
);
const isTwice: Condition = (request) =>
  [...listMembers(request).keys()].some((name) => request.body.split(`"${name}":`).length > 2);
const isBrokenJson: Condition = (request) => request.headers["content-type"] !== undefined && !isJson(request);
const isOtherType: Condition = ({ headers }) => headers["content-type"]?.startsWith("application/json") !== true;
const hasEmptyHeader: Condition = ({ headers }) =>
  Object.entries(headers).some(([name, value]) => name.startsWith("x-service-") && value === "");

const problem: Fields = { loc: ["body", "selector"], msg: "wrong", type: "value_error" };
const ofFormat: Fields = { ...problem, loc: ["body", "response_format"] };
const changeProblems = (fields: Fields): Parts =>
  reviseProblems((problems) => problems.map((one) => (isObject(one) ? { ...one, ...fields } : one)));
/** Changes the images where some are asked for. */
const showImages = (fields: Fields): Parts =>
  scraping((options) => (asksImages(options) ? { images: each(images, () => fields) } : {}));
const showNoImages = (value: Json): Parts => scraping((options) => (asksImages(options) ? {} : { images: value }));

export const openScrapes: readonly OpenServer[] = leaveOpen({
  "open.scrape.boolean-coercion": {
    "reads the words true and false as booleans": takesToo(booleans, (value) => value === "true" || value === "false"),
    "reads 1 and 0, yes and no, on and off as booleans": takesToo(booleans, (value) =>
      [1, 0, "1", "0", "yes", "no", "on", "off"].some((word) => word === value),
    ),
  },
  "open.scrape.string-coercion": {
    "reads numbers as texts": takesToo(texts, (value) => typeof value === "number"),
    "reads booleans as texts": takesToo(texts, (value) => typeof value === "boolean"),
  },
  "open.scrape.array-coercion": {
    "reads one text as a list of tags": takesToo(["ignored_tags"], (value) => typeof value === "string"),
    "reads numbers among the tags as texts": takesToo(
      ["ignored_tags"],
      (value) => Array.isArray(value) && isTags(value.filter((tag) => typeof tag !== "number")),
    ),
  },
  "open.scrape.duplicate-members": {
    "takes the first of two members of one name": revise("scrape", refuse(422, [problem]), isTwice),
    "tells of members that come twice by 400": revise("scrape", refuse(400), isTwice),
  },
  "open.scrape.response_format-not-a-schema": {
    "refuses a format that is no schema with 422": revise("scrape", refuse(422, [ofFormat]), isNoSchema),
    "refuses a format that is no schema with 400": revise("scrape", refuse(400), isNoSchema),
    "says that an extraction failed for a format that is no schema": revise(
      "scrape",
      instead(json(200, { markdown: "", structured: { success: false, error: "no schema" } })),
      isNoSchema,
    ),
  },
  "open.scrape.images-null-or-absent": {
    "sends null for images that nobody asked for": showNoImages(null),
    "sends no images that nobody asked for, in a list": showNoImages([]),
  },
  "open.scrape.structured-null-or-absent": {
    "sends null for a structure that nobody asked for": scraping((options) =>
      isObject(options.get("response_format")) ? {} : { structured: null },
    ),
    "sends structured data that nobody asked for": scraping(() => ({ structured })),
  },
  "open.response.extra-fields": {
    "adds a field to each answer": reviseJson("scrape", (value) => other(value, { "x-took": 7 })),
    "adds fields to every object, however deep": reviseJson("scrape", (value) =>
      extend(value, { extra: { deep: [null] } }),
    ),
    "adds fields whose names objects inherit": reviseJson("scrape", (value) =>
      isObject(value) ? { ...value, toString: "x", constructor: null } : value,
    ),
  },
  "open.image.identifier": {
    "gives each image an id": showImages({ id: "F1" }),
    "gives each image a number and a name": showImages({ identifier: 1, name: null }),
  },
  "open.structured.error-when-successful": {
    "sends an empty error on success": scraping(() => ({ structured: { ...structured, error: "" } })),
    "sends data on failure": scraping(() => ({ structured: { success: false, error: "half", data: [1, null] } })),
    "sends nothing but the data": scraping(() => ({ structured: { data: { heading: "Harbour ferries" } } })),
  },
  "open.validation-error.type-values": {
    "names the type of a problem by a word": changeProblems({ type: "missing", msg: "Field required" }),
    "names the type of a problem by an address, without a message": changeProblems({
      type: "https://errors.example/1",
      msg: "",
    }),
  },
  "open.validation-error.loc-root": {
    "names the part without what it is a part of": changeProblems({ loc: ["selector"] }),
    "names no part": changeProblems({ loc: [] }),
    "names a part by numbers": changeProblems({ loc: [0, 17] }),
  },
  "open.validation-error.order": {
    "tells the last problem first": reviseProblems((problems) => problems.toReversed()),
    "orders problems by their messages": reviseProblems((problems) =>
      problems.toSorted((one, another) => JSON.stringify(one).localeCompare(JSON.stringify(another))),
    ),
  },
  "open.validation-error.number": {
    "tells only the first problem": reviseProblems((problems) => problems.slice(0, 1)),
    "tells no problem": reviseProblems(() => []),
    "tells each problem three times": reviseProblems((problems) => [...problems, ...problems, ...problems]),
  },
  "open.scrape.request-origin-meaning": {
    "answers the origin of a request": reviseAll(
      (answer, request) =>
        addHeaders({ "access-control-allow-origin": String(request.headers["x-service-request-origin"] ?? "*") })(
          answer,
          request,
        ),
      at("scrape"),
    ),
    "gives images to one origin only": {
      scrapes: (options, request) =>
        correctService.scrapes(
          request.headers["x-service-request-origin"] === undefined
            ? options
            : new Map([...options, ["scrape_images", true]]),
          request,
        ),
    },
  },
  "open.scrape.null-header": {
    "refuses a header that is empty": revise("scrape", refuse(422, [{ ...problem, loc: ["header"] }]), hasEmptyHeader),
    "answers an empty header with one of its own": reviseAll(
      addHeaders({ "x-origin": "none" }),
      inHeader("x-service-request-origin", /^$/),
    ),
  },
  "open.scrape.validation-order": {
    "validates before it asks for the key": turnAway(
      json(422, { detail: [problem] }),
      (request) => request.path.endsWith("/scrape") && listMembers(request).has("conformance_unknown"),
    ),
    "looks for the session before it asks for the key": turnAway(json(404, { detail: "no such session" }), ({ path }) =>
      path.includes("/00000000-"),
    ),
  },
  "open.scrape.request-media-type": {
    "takes no other media type": revise("scrape", refuse(415), isOtherType),
    "tells of another media type by 422": revise("scrape", refuse(422, [problem]), isOtherType),
    "takes no charset": reviseAll(refuse(415), at("scrape"), inHeader("content-type", /charset/)),
  },
  "open.scrape.malformed-json": {
    "tells broken JSON by 400": revise("scrape-invalid", refuse(400), isBrokenJson),
    "tells broken JSON by 415, without a body": revise("scrape-invalid", instead(empty(415)), isBrokenJson),
  },
  "open.limits.payload-size": {
    "takes no body above 60 kB": reviseAll(refuse(413), at("scrape"), isLonger(60_000)),
    "tells of large bodies by 422": revise("scrape", refuse(422, [problem]), isLonger(60_000)),
    "answers with a page of a megabyte": { scrapes: () => ({ markdown: "# Ferries\n\n".repeat(90_000) }) },
  },
});
