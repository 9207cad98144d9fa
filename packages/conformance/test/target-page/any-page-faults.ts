/** Servers that break a relation which holds on any page. */
import { breakPages, byDefault, deaf, inMarkdown } from "../pages/faulty-servers/faulty-server.ts";
import { defaultOptions } from "../pages/scrape.ts";
import {
  alternating,
  answers,
  asks,
  forgets,
  isAbsent,
  isTagged,
  never,
  takes,
  withoutImages,
  writes,
} from "./twists.ts";

const booleans = [
  "scrape_links",
  "scrape_images",
  "only_main_content",
  "only_images",
  "use_link_placeholders",
] as const;

/** Servers with one fault each. */
export const anyPageFaults = breakPages({
  "page/scrape_links-false scrape.request.scrape_links.meaning": {
    "keeps links when it is told not to": never("scrape_links"),
    "writes addresses of links in brackets when it is told not to bring links": {
      options: deaf("scrape_links", { scrape_links: true }),
      scrape: inMarkdown(
        (text) => text.replaceAll(/\[([^\]]*)\]\((http[^)]*)\)/g, "$1 ($2)"),
        asks("scrape_links", false),
      ),
    },
  },
  "page/scrape_links-true scrape.request.scrape_links.meaning": {
    "drops links where they are asked for by name": takes({ scrape_links: false }, asks("scrape_links")),
  },
  "page/scrape_links-default scrape.request.scrape_links.default": {
    "drops links unless they are asked for": takes({ scrape_links: false }, isAbsent("scrape_links")),
  },
  "page/use_link_placeholders-replaces scrape.request.use_link_placeholders.meaning": {
    "knows no placeholders": never("use_link_placeholders"),
  },
  "page/scrape_images-true scrape.optional-images": {
    "lists no images when they are asked for": answers(
      (request) => asks("scrape_images")(request) && Object.keys(request).length === 1,
      withoutImages,
    ),
  },
  "page/scrape_images-false scrape.request.scrape_images.meaning": {
    "lists images when it is told not to": { options: deaf("scrape_images", { scrape_images: true }) },
  },
  "page/scrape_images-default scrape.request.scrape_images.default": {
    "lists images unless it is told not to": { options: byDefault({ scrape_images: true }) },
  },
  "page/only_images-leaves-out-content scrape.request.only_images.meaning": {
    "brings the content along with only the images": takes({ only_images: false }, asks("only_images")),
  },
  "page/only_images-brings-images scrape.request.only_images.meaning": {
    "brings no images where only they are asked for": answers(asks("only_images"), (answer) => ({
      ...answer,
      images: null,
    })),
  },
  "page/selector-limits-content scrape.request.selector.meaning": {
    "has no selectors": never("selector"),
    "scrapes nothing of a body": answers(
      (request) => asks("selector", "body")(request) && Object.keys(request).length === 1,
      writes(""),
    ),
  },
  "page/ignored_tags-are-ignored scrape.request.ignored_tags.meaning": {
    "ignores no tags": never("ignored_tags"),
    "ignores all but tables": forgets("ignored_tags", (options) => isTagged(options, "table")),
    "drops everything when headings are ignored": answers(
      ({ ignored_tags: tags }) => tags?.[0] === "h1",
      writes("Bicycles travel free"),
    ),
  },
  "page/ignored_tags-are-left-out scrape.request.ignored_tags.with-content": {
    "keeps the text of forms that are ignored": forgets("ignored_tags", (options) => isTagged(options, "form")),
  },
  "page/only_main_content-leaves-out-surroundings scrape.request.only_main_content.meaning": {
    "keeps navigation bar and footer with the main content": never("only_main_content"),
  },
  "page/only_main_content-default scrape.request.only_main_content.default": {
    "leaves out the surroundings unless it is told otherwise": { options: byDefault({ only_main_content: true }) },
  },
  "page/ignored_tags-default scrape.request.ignored_tags.default": {
    "leaves out tables unless it is told otherwise": { options: byDefault({ ignored_tags: ["table"] }) },
  },
  "page/markdown-is-no-html-document scrape.markdown-of-current-page": {
    "writes HTML": answers(
      () => true,
      (answer) => ({ ...answer, markdown: `<!doctype html><html><body>${answer.markdown}</body></html>` }),
    ),
  },
  "page/structured-follows-schema scrape.request.response_format.meaning": {
    "succeeds with data that does not fit": answers(
      ({ response_format: format }) => Boolean(format),
      (answer) => ({ ...answer, structured: { success: true, data: { heading: 7 } } }),
    ),
  },
  "page/structured-has-data structured.success.has-data": {
    "succeeds without data": answers(
      ({ response_format: format }) => Boolean(format),
      (answer) => ({ ...answer, structured: { success: true, data: null } }),
    ),
  },
  "page/scrape-status-200 scrape.status-200": {
    "refuses one option": { scrapeStatus: (request) => (asks("only_main_content")(request) ? 500 : 200) },
  },
  "relations/status-200 scrape.request.schema": {
    "refuses two options together": {
      scrapeStatus: (request) => (asks("only_main_content")(request) && asks("scrape_images")(request) ? 500 : 200),
    },
  },
  "relations/selector-excludes scrape.request.selector.meaning": {
    "forgets the selector where images are asked for": forgets("selector", (options) => options.scrape_images),
    "forgets the selector in the main content": forgets("selector", (options) => options.only_main_content),
  },
  "relations/same-request-same-answer scrape.same-request-same-answer": {
    "gives every other scrape of the body without its first line": alternating(),
  },
  "relations/scrape_links-excludes scrape.request.scrape_links.meaning": {
    "brings links back with images": forgets("scrape_links", (options) => options.scrape_images),
    "brings links back in the body": forgets("scrape_links", (options) => options.selector === "body"),
  },
  "relations/scrape_images-excludes scrape.request.scrape_images.meaning": {
    "brings images with placeholders": takes(
      { scrape_images: true },
      (_, options) => options.use_link_placeholders && !options.only_images,
    ),
  },
  "relations/ignored_tags-exclude scrape.request.ignored_tags.with-content": {
    "brings tables back without links": forgets(
      "ignored_tags",
      (options) => isTagged(options, "table") && !options.scrape_links,
    ),
  },
  "relations/only_main_content-excludes scrape.request.only_main_content.meaning": {
    "brings the surroundings back where images are asked for": forgets(
      "only_main_content",
      (options) => options.scrape_images,
    ),
  },
  "relations/only_images-excludes scrape.request.only_images.meaning": {
    "brings the content back where placeholders are asked for": forgets(
      "only_images",
      (options) => options.use_link_placeholders,
    ),
  },
  "relations/use_link_placeholders-replaces scrape.request.use_link_placeholders.meaning": {
    "has no placeholders in the main content": forgets("use_link_placeholders", (options) => options.only_main_content),
  },
  "relations/content-remains scrape.response.markdown.meaning": {
    "drops a paragraph without links": answers(asks("scrape_links", false), (answer) => ({
      ...answer,
      markdown: answer.markdown.replace(/Take the slow boat.*/, ""),
    })),
  },
  "relations/links-remain scrape.request.scrape_links.meaning": {
    "drops links of the main content": takes({ scrape_links: false }, (_, options) => options.only_main_content),
    "drops links where images are asked for": takes({ scrape_links: false }, (_, options) => options.scrape_images),
  },
  "relations/images-remain scrape.request.scrape_images.meaning": {
    "lists no images without links": answers(
      (request) => asks("scrape_images")(request) && asks("scrape_links", false)(request),
      withoutImages,
    ),
  },
  ...Object.fromEntries(
    booleans.map((name) => [
      `relations/${name}-default scrape.request.${name}.default`,
      {
        [`takes a written default of ${name} for the other value beside a selector`]: takes(
          { [name]: !defaultOptions[name] },
          (request) => request[name] === defaultOptions[name] && request.selector === "body",
        ),
      },
    ]),
  ),
  "relations/null-says-nothing scrape.request.null-says-nothing": {
    "takes null for a list of paragraphs": takes({ ignored_tags: ["p"] }, ({ ignored_tags: tags }) => tags === null),
  },
});
