/** Servers that break a relation which holds on any page. */
import { breaking, byDefault, deaf, inMarkdown, type PageFault } from "../pages/faulty-servers/faulty-server.ts";
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

const meaning = (option: string): string => `scrape.request.${option}.meaning`;
const nameDefault = (option: string): string => `scrape.request.${option}.default`;

/** Servers with one fault each. */
export const givenFaults: readonly PageFault[] = [
  ...breaking("page/scrape_links-false", meaning("scrape_links"), {
    "keeps links when it is told not to": never("scrape_links"),
    "writes addresses of links in brackets when it is told not to bring links": {
      options: deaf("scrape_links", { scrape_links: true }),
      scrape: inMarkdown(
        (text) => text.replaceAll(/\[([^\]]*)\]\((http[^)]*)\)/g, "$1 ($2)"),
        asks("scrape_links", false),
      ),
    },
  }),
  ...breaking("page/scrape_links-true", meaning("scrape_links"), {
    "drops links where they are asked for by name": takes({ scrape_links: false }, asks("scrape_links")),
  }),
  ...breaking("page/scrape_links-default", nameDefault("scrape_links"), {
    "drops links unless they are asked for": takes({ scrape_links: false }, isAbsent("scrape_links")),
  }),
  ...breaking("page/use_link_placeholders-replaces", meaning("use_link_placeholders"), {
    "knows no placeholders": never("use_link_placeholders"),
  }),
  ...breaking("page/scrape_images-true", "scrape.optional-images", {
    "lists no images when they are asked for": answers(
      (request) => asks("scrape_images")(request) && Object.keys(request).length === 1,
      withoutImages,
    ),
  }),
  ...breaking("page/scrape_images-false", meaning("scrape_images"), {
    "lists images when it is told not to": { options: deaf("scrape_images", { scrape_images: true }) },
  }),
  ...breaking("page/scrape_images-default", nameDefault("scrape_images"), {
    "lists images unless it is told not to": { options: byDefault({ scrape_images: true }) },
  }),
  ...breaking("page/only_images-leaves-out-content", meaning("only_images"), {
    "brings the content along with only the images": takes({ only_images: false }, asks("only_images")),
  }),
  ...breaking("page/only_images-brings-images", meaning("only_images"), {
    "brings no images where only they are asked for": answers(asks("only_images"), (answer) => ({
      ...answer,
      images: null,
    })),
  }),
  ...breaking("page/selector-limits-content", meaning("selector"), {
    "has no selectors": never("selector"),
    "scrapes nothing of a body": answers(
      (request) => asks("selector", "body")(request) && Object.keys(request).length === 1,
      writes(""),
    ),
  }),
  ...breaking("page/ignored_tags-are-ignored", meaning("ignored_tags"), {
    "ignores no tags": never("ignored_tags"),
    "ignores all but tables": forgets("ignored_tags", (options) => isTagged(options, "table")),
    "drops everything when headings are ignored": answers(
      ({ ignored_tags: tags }) => tags?.[0] === "h1",
      writes("Bicycles travel free"),
    ),
  }),
  ...breaking("page/ignored_tags-are-left-out", "scrape.request.ignored_tags.with-content", {
    "keeps the text of forms that are ignored": forgets("ignored_tags", (options) => isTagged(options, "form")),
  }),
  ...breaking("page/only_main_content-leaves-out-surroundings", meaning("only_main_content"), {
    "keeps navigation bar and footer with the main content": never("only_main_content"),
  }),
  ...breaking("page/only_main_content-default", nameDefault("only_main_content"), {
    "leaves out the surroundings unless it is told otherwise": { options: byDefault({ only_main_content: true }) },
  }),
  ...breaking("page/ignored_tags-default", nameDefault("ignored_tags"), {
    "leaves out tables unless it is told otherwise": { options: byDefault({ ignored_tags: ["table"] }) },
  }),
  ...breaking("page/markdown-is-no-html-document", "scrape.markdown-of-current-page", {
    "writes HTML": answers(
      () => true,
      (answer) => ({ ...answer, markdown: `<!doctype html><html><body>${answer.markdown}</body></html>` }),
    ),
  }),
  ...breaking("page/structured-follows-schema", meaning("response_format"), {
    "succeeds with data that does not fit": answers(
      ({ response_format: format }) => Boolean(format),
      (answer) => ({ ...answer, structured: { success: true, data: { heading: 7 } } }),
    ),
  }),
  ...breaking("page/structured-has-data", "structured.success.has-data", {
    "succeeds without data": answers(
      ({ response_format: format }) => Boolean(format),
      (answer) => ({ ...answer, structured: { success: true, data: null } }),
    ),
  }),
  ...breaking("page/scrape-status-200", "scrape.status-200", {
    "refuses one option": { scrapeStatus: (request) => (asks("only_main_content")(request) ? 500 : 200) },
  }),
  ...breaking("relations/status-200", "scrape.request.schema", {
    "refuses two options together": {
      scrapeStatus: (request) => (asks("only_main_content")(request) && asks("scrape_images")(request) ? 500 : 200),
    },
  }),
  ...breaking("relations/selector-excludes", meaning("selector"), {
    "forgets the selector where images are asked for": forgets("selector", (options) => options.scrape_images),
    "forgets the selector in the main content": forgets("selector", (options) => options.only_main_content),
  }),
  ...breaking("relations/same-request-same-answer", "scrape.same-request-same-answer", {
    "gives every other scrape of the body without its first line": alternating(),
  }),
  ...breaking("relations/scrape_links-excludes", meaning("scrape_links"), {
    "brings links back with images": forgets("scrape_links", (options) => options.scrape_images),
    "brings links back in the body": forgets("scrape_links", (options) => options.selector === "body"),
  }),
  ...breaking("relations/scrape_images-excludes", meaning("scrape_images"), {
    "brings images with placeholders": takes(
      { scrape_images: true },
      (_, options) => options.use_link_placeholders && !options.only_images,
    ),
  }),
  ...breaking("relations/ignored_tags-exclude", "scrape.request.ignored_tags.with-content", {
    "brings tables back without links": forgets(
      "ignored_tags",
      (options) => isTagged(options, "table") && !options.scrape_links,
    ),
  }),
  ...breaking("relations/only_main_content-excludes", meaning("only_main_content"), {
    "brings the surroundings back where images are asked for": forgets(
      "only_main_content",
      (options) => options.scrape_images,
    ),
  }),
  ...breaking("relations/only_images-excludes", meaning("only_images"), {
    "brings the content back where placeholders are asked for": forgets(
      "only_images",
      (options) => options.use_link_placeholders,
    ),
  }),
  ...breaking("relations/use_link_placeholders-replaces", meaning("use_link_placeholders"), {
    "has no placeholders in the main content": forgets("use_link_placeholders", (options) => options.only_main_content),
  }),
  ...breaking("relations/content-remains", "scrape.response.markdown.meaning", {
    "drops a paragraph without links": answers(asks("scrape_links", false), (answer) => ({
      ...answer,
      markdown: answer.markdown.replace(/Take the slow boat.*/, ""),
    })),
  }),
  ...breaking("relations/links-remain", meaning("scrape_links"), {
    "drops links of the main content": takes({ scrape_links: false }, (_, options) => options.only_main_content),
    "drops links where images are asked for": takes({ scrape_links: false }, (_, options) => options.scrape_images),
  }),
  ...breaking("relations/images-remain", meaning("scrape_images"), {
    "lists no images without links": answers(
      (request) => asks("scrape_images")(request) && asks("scrape_links", false)(request),
      withoutImages,
    ),
  }),
  ...(["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"] as const).flatMap(
    (name) =>
      breaking(`relations/${name}-default`, nameDefault(name), {
        [`takes a written default of ${name} for the other value beside a selector`]: takes(
          { [name]: !defaultOptions[name] },
          (request) => request[name] === defaultOptions[name] && request.selector === "body",
        ),
      }),
  ),
  ...breaking("relations/null-says-nothing", "scrape.request.null-says-nothing", {
    "takes null for a list of paragraphs": takes({ ignored_tags: ["p"] }, ({ ignored_tags: tags }) => tags === null),
  }),
];
