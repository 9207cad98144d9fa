/** Servers that break a relation which holds on any page. */
import { byDefault, deaf, inMarkdown, without, type PageFault } from "../pages/faults/page-fault.ts";
import { defaultOptions, type ScrapeOptions } from "../pages/scrape.ts";
import type { Twist } from "../pages/site-server.ts";
import { alternating, answers, asks, forgets, isAbsent, isTagged, never } from "./twists.ts";

type Asked = Partial<ScrapeOptions>;

const meaning = (option: string): string => `scrape.request.${option}.meaning`;
const defaultOf = (option: string): string => `scrape.request.${option}.default`;

/** One row: what the server does, the check that fails, the requirement, and the twist. */
const faults: readonly (readonly [name: string, check: string, requirement: string, twist: Twist])[] = [
  ["keeps links when it is told not to", "page/scrape_links-false", meaning("scrape_links"), never("scrape_links")],
  [
    "writes addresses of links in brackets when it is told not to bring links",
    "page/scrape_links-false",
    meaning("scrape_links"),
    {
      options: deaf("scrape_links", { scrape_links: true }),
      scrape: inMarkdown(
        (text) => text.replaceAll(/\[([^\]]*)\]\((http[^)]*)\)/g, "$1 ($2)"),
        asks("scrape_links", false),
      ),
    },
  ],
  [
    "drops links where they are asked for by name",
    "page/scrape_links-true",
    meaning("scrape_links"),
    { options: (options, asked) => without(options, asks("scrape_links")(asked) ? { scrape_links: false } : {}) },
  ],
  [
    "drops links unless they are asked for",
    "page/scrape_links-default",
    defaultOf("scrape_links"),
    { options: (options, asked) => without(options, isAbsent("scrape_links")(asked) ? { scrape_links: false } : {}) },
  ],
  [
    "knows no placeholders",
    "page/use_link_placeholders-replaces",
    meaning("use_link_placeholders"),
    never("use_link_placeholders"),
  ],
  [
    "lists no images when they are asked for",
    "page/scrape_images-true",
    "scrape.optional-images",
    answers(
      (asked) => asks("scrape_images")(asked) && Object.keys(asked).length === 1,
      (answer) => ({ ...answer, images: [] }),
    ),
  ],
  [
    "lists images when it is told not to",
    "page/scrape_images-false",
    meaning("scrape_images"),
    { options: deaf("scrape_images", { scrape_images: true }) },
  ],
  [
    "lists images unless it is told not to",
    "page/scrape_images-default",
    defaultOf("scrape_images"),
    { options: byDefault({ scrape_images: true }) },
  ],
  [
    "brings the content along with only the images",
    "page/only_images-leaves-out-content",
    meaning("only_images"),
    { options: (options, asked) => without(options, asks("only_images")(asked) ? { only_images: false } : {}) },
  ],
  [
    "brings no images where only they are asked for",
    "page/only_images-brings-images",
    meaning("only_images"),
    answers(asks("only_images"), (answer) => ({ ...answer, images: null })),
  ],
  ["has no selectors", "page/selector-limits-content", meaning("selector"), never("selector")],
  [
    "scrapes nothing of a body",
    "page/selector-limits-content",
    meaning("selector"),
    answers(
      (asked) => asks("selector", "body")(asked) && Object.keys(asked).length === 1,
      (answer) => ({ ...answer, markdown: "" }),
    ),
  ],
  ["ignores no tags", "page/ignored_tags-are-ignored", meaning("ignored_tags"), never("ignored_tags")],
  [
    "ignores all but tables",
    "page/ignored_tags-are-ignored",
    meaning("ignored_tags"),
    forgets("ignored_tags", (options) => isTagged(options, "table")),
  ],
  [
    "drops everything when headings are ignored",
    "page/ignored_tags-are-ignored",
    meaning("ignored_tags"),
    answers(
      ({ ignored_tags: tags }) => tags?.[0] === "h1",
      (answer) => ({ ...answer, markdown: "Bicycles travel free" }),
    ),
  ],
  [
    "keeps the text of forms that are ignored",
    "page/ignored_tags-are-left-out",
    "scrape.request.ignored_tags.with-content",
    forgets("ignored_tags", (options) => isTagged(options, "form")),
  ],
  [
    "keeps navigation bar and footer with the main content",
    "page/only_main_content-leaves-out-surroundings",
    meaning("only_main_content"),
    never("only_main_content"),
  ],
  [
    "leaves out the surroundings unless it is told otherwise",
    "page/only_main_content-default",
    defaultOf("only_main_content"),
    { options: byDefault({ only_main_content: true }) },
  ],
  [
    "leaves out tables unless it is told otherwise",
    "page/ignored_tags-default",
    defaultOf("ignored_tags"),
    { options: byDefault({ ignored_tags: ["table"] }) },
  ],
  [
    "writes HTML",
    "page/markdown-is-no-html-document",
    "scrape.markdown-of-current-page",
    answers(
      () => true,
      (answer) => ({ ...answer, markdown: `<!doctype html><html><body>${answer.markdown}</body></html>` }),
    ),
  ],
  [
    "succeeds with data that does not fit",
    "page/structured-follows-schema",
    meaning("response_format"),
    answers(
      ({ response_format: format }) => Boolean(format),
      (answer) => ({ ...answer, structured: { success: true, data: { heading: 7 } } }),
    ),
  ],
  [
    "succeeds without data",
    "page/structured-has-data",
    "structured.success.has-data",
    answers(
      ({ response_format: format }) => Boolean(format),
      (answer) => ({ ...answer, structured: { success: true, data: null } }),
    ),
  ],
  [
    "refuses one option",
    "page/scrape-status-200",
    "scrape.status-200",
    { scrapeStatus: (asked) => (asks("only_main_content")(asked) ? 500 : 200) },
  ],
  [
    "refuses two options together",
    "relations/status-200",
    "scrape.request.schema",
    { scrapeStatus: (asked) => (asks("only_main_content")(asked) && asks("scrape_images")(asked) ? 500 : 200) },
  ],
  [
    "forgets the selector where images are asked for",
    "relations/selector-excludes",
    meaning("selector"),
    forgets("selector", (options) => options.scrape_images),
  ],
  [
    "forgets the selector in the main content",
    "relations/selector-excludes",
    meaning("selector"),
    forgets("selector", (options) => options.only_main_content),
  ],
  [
    "gives every other scrape of the body without its first line",
    "relations/same-request-same-answer",
    "scrape.same-request-same-answer",
    alternating(),
  ],
  [
    "brings links back with images",
    "relations/scrape_links-excludes",
    meaning("scrape_links"),
    forgets("scrape_links", (options) => options.scrape_images),
  ],
  [
    "brings links back in the body",
    "relations/scrape_links-excludes",
    meaning("scrape_links"),
    forgets("scrape_links", (options) => options.selector === "body"),
  ],
  [
    "brings images with placeholders",
    "relations/scrape_images-excludes",
    meaning("scrape_images"),
    {
      options: (options) =>
        options.use_link_placeholders && !options.only_images ? without(options, { scrape_images: true }) : options,
    },
  ],
  [
    "brings tables back without links",
    "relations/ignored_tags-exclude",
    "scrape.request.ignored_tags.with-content",
    forgets("ignored_tags", (options) => isTagged(options, "table") && !options.scrape_links),
  ],
  [
    "brings the surroundings back where images are asked for",
    "relations/only_main_content-excludes",
    meaning("only_main_content"),
    forgets("only_main_content", (options) => options.scrape_images),
  ],
  [
    "brings the content back where placeholders are asked for",
    "relations/only_images-excludes",
    meaning("only_images"),
    forgets("only_images", (options) => options.use_link_placeholders),
  ],
  [
    "has no placeholders in the main content",
    "relations/use_link_placeholders-replaces",
    meaning("use_link_placeholders"),
    forgets("use_link_placeholders", (options) => options.only_main_content),
  ],
  [
    "drops a paragraph without links",
    "relations/content-remains",
    "scrape.response.markdown.meaning",
    answers(asks("scrape_links", false), (answer) => ({
      ...answer,
      markdown: answer.markdown.replace(/Take the slow boat.*/, ""),
    })),
  ],
  [
    "drops links of the main content",
    "relations/links-remain",
    meaning("scrape_links"),
    { options: (options) => (options.only_main_content ? without(options, { scrape_links: false }) : options) },
  ],
  [
    "drops links where images are asked for",
    "relations/links-remain",
    meaning("scrape_links"),
    { options: (options) => (options.scrape_images ? without(options, { scrape_links: false }) : options) },
  ],
  [
    "lists no images without links",
    "relations/images-remain",
    meaning("scrape_images"),
    answers(
      (asked) => asks("scrape_images")(asked) && asks("scrape_links", false)(asked),
      (answer) => ({ ...answer, images: [] }),
    ),
  ],
  ...(["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"] as const).map(
    (name): (typeof faults)[number] => [
      `takes a written default of ${name} for the other value beside a selector`,
      `relations/${name}-default`,
      defaultOf(name),
      {
        options: (options, asked: Asked) =>
          name in asked && asked[name] === defaultOptions[name] && asked.selector === "body"
            ? without(options, { [name]: !defaultOptions[name] })
            : options,
      },
    ],
  ),
  [
    "takes null for a list of paragraphs",
    "relations/null-says-nothing",
    "scrape.request.null-says-nothing",
    {
      options: (options, asked: Asked) =>
        asked.ignored_tags === null ? without(options, { ignored_tags: ["p"] }) : options,
    },
  ],
];

/** Servers with one fault each. */
export const givenFaults: readonly PageFault[] = faults.map(([name, check, requirement, twist]) => ({
  name,
  check,
  requirement,
  twist,
}));
