/** Page scrapes whose fault shows only sometimes. */
import { blame, give, instead, mediaType, other, set, status, type Change } from "../changes.ts";
import { after, every, later, on, origin, version, when } from "../circumstances.ts";
import { has, inBody, isBoolean, type Condition } from "../conditions.ts";
import { images, markdown, structured } from "../content.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import { json, listMembers, type Json } from "../messages.ts";

const take = instead(json(200, { markdown }));
const fail = instead(json(500, {}));
const isUnknown = has("conformance_unknown");
const isPlain: Condition = ({ body, headers, query }) =>
  body === "{}" && query.size === 0 && !Object.keys(headers).some((name) => name.startsWith("x-service-"));

/** Tells of one problem, one field of which is missing or has another value. */
const tell = (name: string, to?: Json): Change =>
  give({ detail: [other({ loc: ["body"], msg: "no", type: "value_error" }, { [name]: to })] });

const answerFaults = breakAnswers("scrape", {
  "scrape.response.markdown.required markdown-missing": [set("markdown"), every(7)],
  "scrape.response.markdown.type markdown-null": [set("markdown", null), after(50)],
  "scrape.content-type scrape-is-html-at-times": [mediaType("text/html"), every(5)],
  "scrape.response.images.items": {
    "image-null": [set("images", [...images, null]), on("scrape_images", "use_link_placeholders")],
  },
  "image.category.values": {
    "category-unknown": [set("images", [{ category: "logo" }]), on("scrape_images", "only_main_content")],
  },
  "structured.success.type success-is-a-string-at-times": [
    set("structured", { ...structured, success: "true" }),
    when("with a format that has definitions", ({ body }) => body.includes("$defs")),
  ],
  "scrape.response.images.type images-is-a-string-at-times": [set("images", "none"), origin],
  "scrape.request.schema": {
    "scrape-fails": [fail, origin, version],
    "scrape-fails-at-images": [fail, on("scrape_images", "only_main_content")],
    "scrape-fails-at-a-format": [
      fail,
      version,
      when("with a format", (request) => Boolean(listMembers(request).get("response_format"))),
    ],
  },
  "scrape.request.scrape_links.type scrape-links-refused": [
    blame("body", "scrape_links"),
    when("beside a selector that is null", (request) => listMembers(request).get("selector") === null),
    when("when it is false", (request) => listMembers(request).get("scrape_links") === false),
  ],
  "scrape.status-200 scrape-answers-201-and-200": [status(201), isPlain, every(2)],
});

const validationFaults = breakAnswers("scrape-invalid", {
  "scrape.unknown-property-rejected": {
    "unknown-taken-later": [take, isUnknown, later],
    "unknown-taken-with-header": [take, isUnknown, version],
    "unknown-taken-when-large": [take, when("in bodies of more than 32 KiB", ({ body }) => body.length > 32_768)],
    "unknown-taken-in-turn": [take, isUnknown, every(2)],
    "unknown-taken-without-metadata": [
      take,
      isUnknown,
      when("when `update_metadata` is false", ({ query }) => query.get("update_metadata") === "false"),
    ],
  },
  "scrape.request.selector.type object-taken-with-charset": [
    take,
    when("when the media type has a charset", ({ headers }) => /charset/.test(headers["content-type"] ?? "")),
    inBody(/"selector"/),
  ],
  "scrape.request.scrape_links.type object-taken-beside-others": [
    take,
    when("beside other options", (request) => listMembers(request).size > 3),
    has("scrape_links", (value) => !isBoolean(value)),
  ],
  "scrape.422 invalid-answers-400": [instead(json(400, {})), has("selector"), every(3)],
  "validation-error.type.required": {
    "problem-without-type-at-times": [tell("type"), when("when the body is missing", ({ body }) => body === "")],
  },
  "validation-error.loc": {
    "loc-is-a-path-for-the-query": [
      tell("loc", "query.update_metadata"),
      when("when `update_metadata` is wrong", ({ query }) => query.get("update_metadata") === "neither"),
    ],
    "problem-with-null-in-loc": [
      tell("loc", ["body", "ignored_tags", null]),
      when("for lists of tags", (request) => Array.isArray(listMembers(request).get("ignored_tags"))),
    ],
  },
  "validation-error.msg.required problem-without-msg-at-times": [tell("msg"), after(40)],
});

export const sometimesScrapes: readonly Fault[] = [...answerFaults, ...validationFaults];
