import { mediaType, send, set } from "../targets/changes.ts";
import type { FaultRow } from "./fault-row.ts";

const failed = "scrape/example-extraction-failed";

/** Faults of the answer to a page scrape. */
export const scrapeAnswerFaults: readonly FaultRow[] = [
  ["scrape/content-type", "scrape/with-scrape_links-true", mediaType("text/plain")],
  ["scrape/json", "scrape/with-scrape_links-false", send("<p>not JSON</p>")],
  ["scrape/body-type", "scrape/example-markdown", send("[]")],
  ["scrape/markdown-present", "scrape/example-images", set("markdown")],
  ["scrape/markdown-type", "scrape/example-images", set("markdown", null)],
  ["scrape/images-type", "scrape/example-images", set("images", {})],
  ["scrape/image-type", "scrape/example-images", set("images/3", "https://ferries.example/waves.png")],
  ["scrape/image-url-type", "scrape/example-images", set("images/3/url", 7)],
  ["scrape/image-category-type", "scrape/example-images", set("images/3/category", 7)],
  ["scrape/image-category-valid", "scrape/example-images", set("images/3/category", "banner")],
  ["scrape/image-description-type", "scrape/example-images", set("images/3/description", ["waves"])],
  ["scrape/structured-type", "scrape/example-structured", set("structured", "none")],
  ["scrape/structured-success-type", "scrape/example-structured", set("structured/success", "true")],
  ["scrape/structured-error-type", failed, set("structured/error", { message: "none" })],
  ["scrape/structured-as-asked", "scrape/defaults", set("structured", { data: { title: "Harbour ferries" } })],
  ["scrape/structured-error-on-failure", failed, set("structured/error", " ")],
  ["scrape/structured-data-only-on-success", failed, set("structured/data", { title: "Harbour ferries" })],
  ["scrape/structured-error-only-on-failure", "scrape/example-structured", set("structured/error", "no price")],
];

const rejected = "scrape/wrong-selector-object";
/** Faults of the body of a 422. */
export const validationErrorFaults: readonly FaultRow[] = [
  ["validation-error/json", rejected, send("")],
  ["cookies/422-body", "cookies/example-422", send("two problems")],
  ["validation-error/body-type", rejected, send('"wrong selector"')],
  ["validation-error/detail-present", rejected, set("detail")],
  ["validation-error/detail-type", rejected, set("detail", "wrong selector")],
  ["validation-error/problem-type", rejected, set("detail/0", "wrong selector")],
  ["validation-error/loc-present", rejected, set("detail/0/loc")],
  ["validation-error/loc-type", rejected, set("detail/0/loc", "body.selector")],
  ["validation-error/loc-items-type", rejected, set("detail/0/loc/1", null)],
  ["validation-error/msg-present", rejected, set("detail/0/msg")],
  ["validation-error/msg-type", rejected, set("detail/0/msg", ["wrong"])],
  ["validation-error/type-present", rejected, set("detail/0/type")],
  ["validation-error/type-type", rejected, set("detail/0/type", 422)],
  ["validation-error/ctx-type", rejected, set("detail/0/ctx", "none")],
];
