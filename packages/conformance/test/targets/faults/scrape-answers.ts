/** Servers whose answer to a page scrape is not of the form that it should have. */
import { inTurn, send, set, type Change } from "../changes.ts";
import { has, isTrue } from "../conditions.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import type { Json } from "../messages.ts";

/** Sets a field of the fourth image. */
const setInImage = (field: string, to: Json): Change => set(`images/3/${field}`, to);
/** Sets a field where it is sent. */
const replace = (field: string, to: Json): Change => set(field, () => to);

export const scrapeAnswerFaults: readonly Fault[] = breakAnswers("scrape", {
  "scrape.response.body-is-json": {
    "scrape-gives-bare-markdown": send("# Harbour ferries\n"),
    "scrape-is-not-utf-8": send('{"markdown":"', Uint8Array.of(0xfc), '"}'),
  },
  "scrape.response.markdown.required": {
    "markdown-is-called-content": inTurn(set("markdown"), set("content", "# Ferries")),
    "markdown-is-missing-with-only-images": [set("markdown"), has("only_images", isTrue)],
  },
  "scrape.response.markdown.type": {
    "markdown-is-a-list-of-lines": set("markdown", ["# Harbour ferries"]),
    "markdown-is-an-object": set("markdown", { text: "# Harbour ferries" }),
  },
  "scrape.response.images.type": {
    "images-is-an-object": replace("images", { favicon: "https://ferries.example/favicon.ico" }),
    "images-is-a-string": replace("images", "none"),
    "images-is-a-number": set("images", 0),
  },
  "scrape.response.images.items": {
    "image-is-an-address": replace("images", ["https://ferries.example/favicon.ico"]),
    "image-is-null": replace("images", [null]),
    "image-is-a-list": replace("images", [["https://ferries.example/favicon.ico", "favicon"]]),
  },
  "image.url.type": {
    "image-url-is-a-number": setInImage("url", 7),
    "image-url-is-an-object": setInImage("url", { href: "https://ferries.example/waves.png" }),
    "image-url-is-false": setInImage("url", false),
  },
  "image.category.type": {
    "image-category-is-a-number": setInImage("category", 3),
    "image-category-is-a-list": setInImage("category", ["decorative"]),
  },
  "image.category.values": {
    "image-category-is-unknown": setInImage("category", "banner"),
    "image-category-is-in-capitals": setInImage("category", "DECORATIVE"),
    "image-category-has-a-dash": setInImage("category", "content-image"),
    "image-category-is-empty": setInImage("category", ""),
  },
  "image.description.type": {
    "image-description-is-a-number": setInImage("description", 0),
    "image-description-is-a-list": setInImage("description", ["Waves"]),
  },
  "scrape.response.structured.type": {
    "structured-is-a-string": replace("structured", '{"success":true}'),
    "structured-is-a-list": set("structured", (value) => [value]),
  },
  "structured.success.type": {
    "success-is-a-string": set("structured/success", "true"),
    "success-is-null": set("structured/success", null),
    "success-is-a-number": set("structured/success", 1),
  },
  "structured.error.type": {
    "extraction-error-is-an-object": set("structured/error", { message: "none" }),
    "extraction-error-is-false": set("structured/error", false),
    "extraction-error-is-a-list": set("structured/error", []),
  },
});
