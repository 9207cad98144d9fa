import { at, contentType, text, type FaultRow } from "./change.ts";

const failed = "scrape/example-extraction-failed";

/** Faults of the answer to a page scrape. */
export const scrapeAnswerFaults: readonly FaultRow[] = [
  ["scrape/content-type", "scrape/with-scrape_links-true", contentType("text/plain")],
  ["scrape/json", "scrape/with-scrape_links-false", text(() => "<p>not JSON</p>")],
  ["scrape/body-type", "scrape/example-markdown", text(() => "[]")],
  ["scrape/markdown-present", "scrape/example-images", at("markdown")],
  ["scrape/markdown-type", "scrape/example-images", at("markdown", null)],
  ["scrape/images-type", "scrape/example-images", at("images", {})],
  ["scrape/image-type", "scrape/example-images", at("images/3", "https://ferries.example/waves.png")],
  ["scrape/image-url-type", "scrape/example-images", at("images/3/url", 7)],
  ["scrape/image-category-type", "scrape/example-images", at("images/3/category", 7)],
  ["scrape/image-category-valid", "scrape/example-images", at("images/3/category", "banner")],
  ["scrape/image-description-type", "scrape/example-images", at("images/3/description", ["waves"])],
  ["scrape/structured-type", "scrape/example-structured", at("structured", "none")],
  ["scrape/structured-success-type", "scrape/example-structured", at("structured/success", "true")],
  ["scrape/structured-error-type", failed, at("structured/error", { message: "none" })],
  ["scrape/structured-as-asked", "scrape/defaults", at("structured", { data: { title: "Harbour ferries" } })],
  ["scrape/structured-error-on-failure", failed, at("structured/error", " ")],
  ["scrape/structured-data-only-on-success", failed, at("structured/data", { title: "Harbour ferries" })],
  ["scrape/structured-error-only-on-failure", "scrape/example-structured", at("structured/error", "no price")],
];

const rejected = "scrape/wrong-selector-object";
/** Faults of the body of a 422. */
export const validationErrorFaults: readonly FaultRow[] = [
  ["validation-error/json", rejected, text(() => "")],
  ["cookies/422-body", "cookies/example-422", text(() => "two problems")],
  ["validation-error/body-type", rejected, text(() => '"wrong selector"')],
  ["validation-error/detail-present", rejected, at("detail")],
  ["validation-error/detail-type", rejected, at("detail", "wrong selector")],
  ["validation-error/problem-type", rejected, at("detail/0", "wrong selector")],
  ["validation-error/loc-present", rejected, at("detail/0/loc")],
  ["validation-error/loc-type", rejected, at("detail/0/loc", "body.selector")],
  ["validation-error/loc-items-type", rejected, at("detail/0/loc/1", null)],
  ["validation-error/msg-present", rejected, at("detail/0/msg")],
  ["validation-error/msg-type", rejected, at("detail/0/msg", ["wrong"])],
  ["validation-error/type-present", rejected, at("detail/0/type")],
  ["validation-error/type-type", rejected, at("detail/0/type", 422)],
  ["validation-error/ctx-type", rejected, at("detail/0/ctx", "none")],
];
