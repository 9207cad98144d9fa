/** Targets whose answer to a page scrape is not of the form that it should have. */
import { isObject, type Fields, type Json } from "../messages.ts";
import { images, structured } from "../content.ts";
import { listBreaking, changeScrape, type FaultyTarget } from "../faulty-target.ts";
import type { Service } from "../service.ts";
import { other, revise, text } from "../parts.ts";

const field = (name: string, value?: Json): Partial<Service> =>
  changeScrape((space) => other(space, { [name]: value }));

/** Changes a field where it is sent. */
const sent = (name: string, change: (value: Json) => Json): Partial<Service> =>
  changeScrape((space) => {
    const value = isObject(space) ? space[name] : undefined;
    return value === undefined ? space : other(space, { [name]: change(value) });
  });

/** Changes the fourth image. */
const image = (fields: Fields): Partial<Service> => sent("images", () => images.with(3, { ...images[3], ...fields }));

const extraction = (fields: Fields): Partial<Service> => sent("structured", () => ({ ...structured, ...fields }));

export const scrapeAnswerFaults: readonly FaultyTarget[] = [
  ...listBreaking("scrape.response.body-is-json", {
    "scrape-gives-bare-markdown": revise(
      "scrape",
      200,
      text(() => "# Harbour ferries\n"),
    ),
    "scrape-is-not-utf-8": revise("scrape", 200, (answer) => ({
      ...answer,
      pieces: ['{"markdown":"', Uint8Array.of(0xfc), '"}'],
    })),
  }),
  ...listBreaking("scrape.response.markdown.required", {
    "markdown-is-called-content": changeScrape((space) => other(space, { markdown: undefined, content: "# Ferries" })),
    "markdown-is-missing-with-only-images": changeScrape((space, options) =>
      options.get("only_images") === true ? other(space, { markdown: undefined }) : space,
    ),
  }),
  ...listBreaking("scrape.response.markdown.type", {
    "markdown-is-a-list-of-lines": field("markdown", ["# Harbour ferries"]),
    "markdown-is-an-object": field("markdown", { text: "# Harbour ferries" }),
  }),
  ...listBreaking("scrape.response.images.type", {
    "images-is-an-object": sent("images", () => ({ favicon: "https://ferries.example/favicon.ico" })),
    "images-is-a-string": sent("images", () => "none"),
    "images-is-a-number": field("images", 0),
  }),
  ...listBreaking("scrape.response.images.items", {
    "image-is-an-address": sent("images", () => ["https://ferries.example/favicon.ico"]),
    "image-is-null": sent("images", () => [null]),
    "image-is-a-list": sent("images", () => [["https://ferries.example/favicon.ico", "favicon"]]),
  }),
  ...listBreaking("image.url.type", {
    "image-url-is-a-number": image({ url: 7 }),
    "image-url-is-an-object": image({ url: { href: "https://ferries.example/waves.png" } }),
    "image-url-is-false": image({ url: false }),
  }),
  ...listBreaking("image.category.type", {
    "image-category-is-a-number": image({ category: 3 }),
    "image-category-is-a-list": image({ category: ["decorative"] }),
  }),
  ...listBreaking("image.category.values", {
    "image-category-is-unknown": image({ category: "banner" }),
    "image-category-is-in-capitals": image({ category: "DECORATIVE" }),
    "image-category-has-a-dash": image({ category: "content-image" }),
    "image-category-is-empty": image({ category: "" }),
  }),
  ...listBreaking("image.description.type", {
    "image-description-is-a-number": image({ description: 0 }),
    "image-description-is-a-list": image({ description: ["Waves"] }),
  }),
  ...listBreaking("scrape.response.structured.type", {
    "structured-is-a-string": sent("structured", () => '{"success":true}'),
    "structured-is-a-list": sent("structured", (value) => [value]),
  }),
  ...listBreaking("structured.success.type", {
    "success-is-a-string": extraction({ success: "true" }),
    "success-is-null": extraction({ success: null }),
    "success-is-a-number": extraction({ success: 1 }),
  }),
  ...listBreaking("structured.error.type", {
    "extraction-error-is-an-object": extraction({ error: { message: "none" } }),
    "extraction-error-is-false": extraction({ error: false }),
    "extraction-error-is-a-list": extraction({ error: [] }),
  }),
];
