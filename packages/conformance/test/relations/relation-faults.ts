/** Faults that show when options come together, when a default is written out, or when a request comes again. */
import { without, type PageFault } from "../pages/faults/page-fault.ts";
import { defaultOptions, type DataSpace, type ScrapeOptions } from "../pages/scrape.ts";
import type { Twist } from "../pages/site-server.ts";
import { addressFaults, inText, onScrape } from "./address-faults.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

type Asked = Partial<ScrapeOptions>;

/** Forgets one option as soon as another one is there. */
function forgets(name: keyof ScrapeOptions, when: (options: ScrapeOptions) => boolean): Twist {
  const { [name]: usual = null } = { selector: null, ignored_tags: null, ...defaultOptions };
  return { options: (options) => (when(options) ? { ...options, [name]: usual } : options) };
}

/** Does something else for an option that is left out than for its default. */
const absentIs = (changed: Asked): Twist => ({
  options: (options, asked) => {
    const missing = Object.entries(changed).filter(([name]) => !(name in asked));
    return { ...options, ...Object.fromEntries(missing) };
  },
});

/** Takes null for something else than nothing. */
const nullIs = (changed: Asked): Twist => ({
  options: (options, asked) => {
    const named = new Map<string, unknown>(Object.entries(asked));
    const nulls = Object.entries(changed).filter(([name]) => named.get(name) === null);
    return { ...options, ...Object.fromEntries(nulls) };
  },
});

const has = (asked: Asked, name: keyof ScrapeOptions): boolean => Boolean(asked[name]);

const excludes: readonly PageFault[] = [
  {
    name: "forgets the selector where images are asked for",
    twist: forgets("selector", ({ scrape_images: images }) => images),
    check: "relations/selector-excludes",
    requirement: meaning("selector"),
  },
  {
    name: "forgets the selector where tags are ignored",
    twist: forgets("selector", ({ ignored_tags: tags }) => tags?.length === 2),
    check: "relations/selector-excludes",
    requirement: meaning("selector"),
  },
  {
    name: "forgets ignored tags beside a selector",
    twist: forgets("ignored_tags", ({ selector }) => selector === "main"),
    check: "relations/ignored_tags-exclude",
    requirement: "scrape.request.ignored_tags.with-content",
  },
  {
    name: "forgets ignored tags beside a format",
    twist: forgets("ignored_tags", ({ response_format: format }) => Boolean(format)),
    check: "relations/ignored_tags-exclude",
    requirement: "scrape.request.ignored_tags.with-content",
  },
  {
    name: "brings links back with images",
    twist: {
      options: (options, asked) => (has(asked, "scrape_images") ? without(options, { scrape_links: true }) : options),
    },
    check: "relations/scrape_links-excludes",
    requirement: meaning("scrape_links"),
  },
  {
    name: "brings images with placeholders",
    twist: {
      options: (options) =>
        options.use_link_placeholders && !options.only_images ? without(options, { scrape_images: true }) : options,
    },
    check: "relations/scrape_images-excludes",
    requirement: meaning("scrape_images"),
  },
  {
    name: "brings the surroundings back where tags are ignored",
    twist: forgets("only_main_content", ({ ignored_tags: tags }) => tags?.length === 2),
    check: "relations/only_main_content-excludes",
    requirement: meaning("only_main_content"),
  },
  {
    name: "brings the surroundings back without links",
    twist: forgets("only_main_content", ({ scrape_links: links }) => !links),
    check: "relations/only_main_content-excludes",
    requirement: meaning("only_main_content"),
  },
  {
    name: "brings the content along with only the images when there is a format",
    twist: {
      options: (options) =>
        options.only_images && options.response_format ? without(options, { only_images: false }) : options,
    },
    check: "relations/only_images-excludes",
    requirement: meaning("only_images"),
  },
  {
    name: "has no placeholders in the main part",
    twist: forgets("use_link_placeholders", ({ selector }) => selector === "main"),
    check: "relations/use_link_placeholders-replaces",
    requirement: meaning("use_link_placeholders"),
  },
];

const remains: readonly PageFault[] = [
  {
    name: "has an empty main part where the main content is asked for",
    twist: onScrape(
      (asked) => asked.selector === "main" && asked.only_main_content === true,
      (answer) => ({ ...answer, markdown: "" }),
    ),
    check: "relations/content-remains",
    requirement: "scrape.response.markdown.meaning",
  },
  {
    name: "drops paragraphs where images are asked for without links",
    twist: onScrape(
      (asked) => asked.scrape_links === false && asked.scrape_images === true,
      inText(/.*tormarigold.*/, ""),
    ),
    check: "relations/content-remains",
    requirement: "scrape.response.markdown.meaning",
  },
  {
    name: "drops links of the main content",
    twist: {
      options: (options) => (options.only_main_content ? without(options, { scrape_links: false }) : options),
    },
    check: "relations/links-remain",
    requirement: meaning("scrape_links"),
  },
  {
    name: "lists no images where tags are ignored",
    twist: onScrape(
      (asked) => asked.scrape_images === true && asked.ignored_tags?.length === 2,
      (answer) => ({ ...answer, images: [] }),
    ),
    check: "relations/images-remain",
    requirement: meaning("scrape_images"),
  },
];

const byDefault = (name: keyof ScrapeOptions, value: boolean): PageFault => ({
  name: `takes an absent ${name} for ${value}`,
  twist: absentIs({ [name]: value }),
  check: `relations/${name}-default`,
  requirement: `scrape.request.${name}.default`,
});

const says: readonly PageFault[] = [
  byDefault("use_link_placeholders", true),
  {
    name: "takes an absent use_link_placeholders for true beside images",
    twist: {
      options: (options, asked) =>
        "use_link_placeholders" in asked || !options.scrape_images
          ? options
          : without(options, { use_link_placeholders: true }),
    },
    check: "relations/use_link_placeholders-default",
    requirement: "scrape.request.use_link_placeholders.default",
  },
  {
    name: "scrapes images beside a selector unless it is told otherwise",
    twist: {
      options: (options, asked) =>
        "scrape_images" in asked || options.selector !== "main" ? options : without(options, { scrape_images: true }),
    },
    check: "relations/scrape_images-default",
    requirement: "scrape.request.scrape_images.default",
  },
  {
    name: "drops links beside ignored tags unless it is told otherwise",
    twist: {
      options: (options, asked) =>
        "scrape_links" in asked || !options.ignored_tags ? options : without(options, { scrape_links: false }),
    },
    check: "relations/scrape_links-default",
    requirement: "scrape.request.scrape_links.default",
  },
  {
    name: "takes the main content where images are asked for unless it is told otherwise",
    twist: {
      options: (options, asked) =>
        "only_main_content" in asked || !options.scrape_images
          ? options
          : without(options, { only_main_content: true }),
    },
    check: "relations/only_main_content-default",
    requirement: "scrape.request.only_main_content.default",
  },
  {
    name: "takes only the images where they are asked for unless it is told otherwise",
    twist: {
      options: (options, asked) =>
        "only_images" in asked || !has(asked, "scrape_images") ? options : without(options, { only_images: true }),
    },
    check: "relations/only_images-default",
    requirement: "scrape.request.only_images.default",
  },
  {
    name: "takes a null of ignored_tags for tables",
    twist: nullIs({ ignored_tags: ["table"] }),
    check: "relations/null-says-nothing",
    requirement: "scrape.request.null-says-nothing",
  },
  {
    name: "takes a null of selector for the main part",
    twist: nullIs({ selector: "main" }),
    check: "relations/null-says-nothing",
    requirement: "scrape.request.null-says-nothing",
  },
  {
    name: "loses a row of a table where the format is null",
    twist: onScrape(({ response_format: format }) => format === null, inText(/.*mossofern.*/, "")),
    check: "relations/null-says-nothing",
    requirement: "scrape.request.null-says-nothing",
  },
];

/** Counts, and so is made anew for each use. */
function everyOtherTime(change: (answer: DataSpace) => DataSpace): Twist {
  const times = new Map<string, number>();
  return {
    scrape: (answer, asked) => {
      const key = JSON.stringify(asked);
      const time = (times.get(key) ?? 0) + 1;
      times.set(key, time);
      return time % 2 === 0 ? change(answer) : answer;
    },
  };
}

const others: readonly PageFault[] = [
  {
    name: "fails on images and ignored tags together",
    twist: { scrapeStatus: (asked) => (has(asked, "scrape_images") && has(asked, "ignored_tags") ? 500 : 200) },
    check: "relations/status-200",
    requirement: "scrape.request.schema",
  },
  {
    name: "loses a row of a table when a request comes again",
    twist: everyOtherTime(inText(/.*mossofern.*/, "")),
    check: "relations/same-request-same-answer",
    requirement: "scrape.same-request-same-answer",
  },
];

/** Servers with one fault each, which no request with one option shows. */
export const relationFaults: readonly PageFault[] = [...excludes, ...remains, ...says, ...others, ...addressFaults];
