/** Page scrapes whose fault shows only sometimes. */
import { listMembers } from "../messages.ts";
import { images, markdown, structured } from "../content.ts";
import { blame } from "../faulty-target.ts";
import { field, mediaType, of, status } from "../parts.ts";
import {
  after,
  answers,
  every,
  isPlain,
  isUnknown,
  later,
  on,
  origin,
  problem,
  listRevised,
  version,
  when,
  type SometimesTarget,
} from "./circumstances.ts";

const schema = "scrape.request.schema";
const unknown = "scrape.unknown-property-rejected";
const take = answers(200, { markdown });
const isNull = when("beside a selector that is null", (request) => listMembers(request).get("selector") === null);
const isFalse = when("when it is false", (request) => listMembers(request).get("scrape_links") === false);

const answered = listRevised(of("scrape", 200), [
  ["markdown-missing", "scrape.response.markdown.required", field("markdown"), every(7)],
  ["markdown-null", "scrape.response.markdown.type", field("markdown", null), after(50)],
  ["scrape-is-html-at-times", "scrape.content-type", mediaType("text/html"), every(5)],
  [
    "image-null",
    "scrape.response.images.items",
    field("images", [...images, null]),
    on("scrape_images", "use_link_placeholders"),
  ],
  [
    "category-unknown",
    "image.category.values",
    field("images", [{ category: "logo" }]),
    on("scrape_images", "only_main_content"),
  ],
  [
    "success-is-a-string-at-times",
    "structured.success.type",
    field("structured", { ...structured, success: "true" }),
    when("with a format that has definitions", ({ body }) => body.includes("$defs")),
  ],
  ["images-is-a-string-at-times", "scrape.response.images.type", field("images", "none"), origin],
  ["scrape-fails", schema, answers(500), origin, version],
  ["scrape-fails-at-images", schema, answers(500), on("scrape_images", "only_main_content")],
  [
    "scrape-fails-at-a-format",
    schema,
    answers(500),
    version,
    when("with a format", (request) => Boolean(listMembers(request).get("response_format"))),
  ],
  ["scrape-links-refused", "scrape.request.scrape_links.type", () => blame("body", "scrape_links"), isNull, isFalse],
  ["scrape-answers-201-and-200", "scrape.status-200", status(201), isPlain, every(2)],
]);

const validated = listRevised(of("scrape", 422), [
  ["unknown-taken-later", unknown, take, isUnknown, later],
  ["unknown-taken-with-header", unknown, take, isUnknown, version],
  [
    "unknown-taken-when-large",
    unknown,
    take,
    when("in bodies of more than 32 KiB", ({ body }) => body.length > 32_768),
  ],
  ["unknown-taken-in-turn", unknown, take, isUnknown, every(2)],
  [
    "unknown-taken-without-metadata",
    unknown,
    take,
    isUnknown,
    when("when `update_metadata` is false", ({ query }) => query.get("update_metadata") === "false"),
  ],
  [
    "object-taken-with-charset",
    "scrape.request.selector.type",
    take,
    when("when the media type has a charset", ({ headers }) => /charset/.test(headers["content-type"] ?? "")),
    ({ body }) => body.includes('"selector"'),
  ],
  [
    "object-taken-beside-others",
    "scrape.request.scrape_links.type",
    take,
    when("beside other options", (request) => listMembers(request).size > 3),
    (request) => !["undefined", "boolean"].includes(typeof listMembers(request).get("scrape_links")),
  ],
  ["invalid-answers-400", "scrape.422", answers(400), (request) => listMembers(request).has("selector"), every(3)],
  [
    "problem-without-type-at-times",
    "validation-error.type.required",
    problem("type"),
    when("when the body is missing", ({ body }) => body === ""),
  ],
  [
    "loc-is-a-path-for-the-query",
    "validation-error.loc",
    problem("loc", "query.update_metadata"),
    when("when `update_metadata` is wrong", ({ query }) => query.get("update_metadata") === "neither"),
  ],
  [
    "problem-with-null-in-loc",
    "validation-error.loc",
    problem("loc", ["body", "ignored_tags", null]),
    when("for lists of tags", (request) => Array.isArray(listMembers(request).get("ignored_tags"))),
  ],
  ["problem-without-msg-at-times", "validation-error.msg.required", problem("msg"), after(40)],
]);

export const sometimesScrapes: readonly SometimesTarget[] = [...answered, ...validated];
