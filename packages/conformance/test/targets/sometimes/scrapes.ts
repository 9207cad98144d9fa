/** Page scrapes whose fault shows only sometimes. */
import { json, listMembers } from "../asked.ts";
import { images, markdown, structured } from "../content.ts";
import { blaming } from "../faulty-target.ts";
import {
  after,
  answers,
  every,
  header,
  isPlain,
  isUnknown,
  later,
  option,
  problem,
  revise,
  reviseAt,
  listTargets,
  type SometimesTarget,
} from "./circumstances.ts";
import { field, of } from "../parts.ts";

const good = of("scrape", 200);
const invalid = of("scrape", 422);
const taken = answers(json(200, { markdown }));
const unknown = "scrape.unknown-property-rejected";

const answered = listTargets([
  [
    "markdown-missing",
    "in every seventh answer",
    "scrape.response.markdown.required",
    reviseAt(every(7), field("markdown"), good),
  ],
  [
    "markdown-null",
    "after fifty answers",
    "scrape.response.markdown.type",
    reviseAt(after(50), field("markdown", null), good),
  ],
  [
    "scrape-is-html-at-times",
    "in every fifth answer",
    "scrape.content-type",
    reviseAt(every(5), (answer) => ({ ...answer, headers: { "content-type": "text/html" } }), good),
  ],
  [
    "image-null",
    "with images and placeholders together",
    "scrape.response.images.items",
    revise(
      field("images", [...images, null]),
      good,
      option("scrape_images", true),
      option("use_link_placeholders", true),
    ),
  ],
  [
    "category-unknown",
    "with images of the main content",
    "image.category.values",
    revise(
      field("images", [{ category: "logo" }]),
      good,
      option("scrape_images", true),
      option("only_main_content", true),
    ),
  ],
  [
    "success-is-a-string-at-times",
    "with a format that has definitions",
    "structured.success.type",
    revise(field("structured", { ...structured, success: "true" }), good, ({ body }) => body.includes("$defs")),
  ],
  [
    "images-is-a-string-at-times",
    "for requests that tell their origin",
    "scrape.response.images.type",
    revise(field("images", "none"), good, header("x-service-request-origin")),
  ],
  [
    "scrape-fails",
    "with both optional headers",
    "scrape.request.schema",
    revise(answers(json(500, {})), good, header("x-service-request-origin"), header("x-service-sdk-version")),
  ],
  [
    "scrape-fails-at-images",
    "with images of the main content",
    "scrape.request.schema",
    revise(answers(json(500, {})), good, option("scrape_images", true), option("only_main_content", true)),
  ],
  [
    "scrape-fails-at-a-format",
    "with a format and the version of the SDK",
    "scrape.request.schema",
    revise(answers(json(500, {})), good, header("x-service-sdk-version"), (asked) =>
      Boolean(listMembers(asked).get("response_format")),
    ),
  ],
  [
    "scrape-links-refused",
    "beside a selector that is null",
    "scrape.request.scrape_links.type",
    revise(answers(blaming("body", "scrape_links")), good, option("selector", null), option("scrape_links", false)),
  ],
  [
    "scrape-answers-201-and-200",
    "every second time",
    "scrape.status-200",
    reviseAt(every(2), (answer) => ({ ...answer, status: 201 }), good, isPlain),
  ],
]);

const validated = listTargets([
  ["unknown-taken-later", "on a connection that was used before", unknown, revise(taken, invalid, isUnknown, later)],
  [
    "unknown-taken-with-header",
    "for requests that tell the version of their SDK",
    unknown,
    revise(taken, invalid, isUnknown, header("x-service-sdk-version")),
  ],
  [
    "unknown-taken-when-large",
    "in bodies of more than 32 KiB",
    unknown,
    revise(taken, invalid, ({ body }) => body.length > 32_768),
  ],
  ["unknown-taken-in-turn", "every second time", unknown, reviseAt(every(2), taken, invalid, isUnknown)],
  [
    "unknown-taken-without-metadata",
    "when `update_metadata` is false",
    unknown,
    revise(taken, invalid, isUnknown, ({ query }) => query.get("update_metadata") === "false"),
  ],
  [
    "object-taken-with-charset",
    "when the media type has a charset",
    "scrape.request.selector.type",
    revise(
      taken,
      invalid,
      ({ headers, body }) => /charset/.test(headers["content-type"] ?? "") && body.includes('"selector"'),
    ),
  ],
  [
    "object-taken-beside-others",
    "beside other options",
    "scrape.request.scrape_links.type",
    revise(taken, invalid, (asked) => {
      const value = listMembers(asked).get("scrape_links");
      return listMembers(asked).size > 3 && value !== undefined && typeof value !== "boolean";
    }),
  ],
  [
    "invalid-answers-400",
    "every third time that the selector is wrong",
    "scrape.422",
    reviseAt(every(3), answers(json(400, {})), invalid, (asked) => listMembers(asked).has("selector")),
  ],
  [
    "problem-without-type-at-times",
    "when the body is missing",
    "validation-error.type.required",
    revise(problem("type"), invalid, ({ body }) => body === ""),
  ],
  [
    "loc-is-a-path-for-the-query",
    "when `update_metadata` is wrong",
    "validation-error.loc",
    revise(problem("loc", "query.update_metadata"), invalid, ({ query }) => query.get("update_metadata") === "neither"),
  ],
  [
    "problem-with-null-in-loc",
    "when an element of a list is wrong",
    "validation-error.loc",
    revise(problem("loc", ["body", "ignored_tags", null]), invalid, (asked) =>
      Array.isArray(listMembers(asked).get("ignored_tags")),
    ),
  ],
  [
    "problem-without-msg-at-times",
    "after forty invalid scrapes",
    "validation-error.msg.required",
    reviseAt(after(40), problem("msg"), invalid),
  ],
]);

export const sometimesScrapes: readonly SometimesTarget[] = [...answered, ...validated];
