/** Faults that show when options come together, when a default is written out, or when a request comes again. */
import { breaking, type PageFault } from "../pages/faulty-servers/faulty-server.ts";
import type { DataSpace, ScrapeOptions } from "../pages/scrape.ts";
import type { Twist } from "../pages/site-server.ts";
import { answers, forgets, takes, withoutImages, writes, type RequestOptions } from "../target-page/twists.ts";
import { addressFaults, inText } from "./address-faults.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

/** Does something else for an option that is left out than for its default. */
const absentIs = (changed: RequestOptions): Twist => ({
  options: (options, request) => {
    const missing = Object.entries(changed).filter(([name]) => !(name in request));
    return { ...options, ...Object.fromEntries(missing) };
  },
});

/** Takes null for something else than nothing. */
const nullIs = (changed: RequestOptions): Twist => ({
  options: (options, request) => {
    const named = new Map<string, unknown>(Object.entries(request));
    const nulls = Object.entries(changed).filter(([name]) => named.get(name) === null);
    return { ...options, ...Object.fromEntries(nulls) };
  },
});

const has = (request: RequestOptions, name: keyof ScrapeOptions): boolean => Boolean(request[name]);

const excludes: readonly PageFault[] = [
  ...breaking("relations/selector-excludes", meaning("selector"), {
    "forgets the selector where images are asked for": forgets("selector", ({ scrape_images: images }) => images),
    "forgets the selector where tags are ignored": forgets("selector", ({ ignored_tags: tags }) => tags?.length === 2),
  }),
  ...breaking("relations/ignored_tags-exclude", "scrape.request.ignored_tags.with-content", {
    "forgets ignored tags beside a selector": forgets("ignored_tags", ({ selector }) => selector === "main"),
    "forgets ignored tags beside a format": forgets("ignored_tags", ({ response_format: format }) => Boolean(format)),
  }),
  ...breaking("relations/scrape_links-excludes", meaning("scrape_links"), {
    "brings links back with images": takes({ scrape_links: true }, (request) => has(request, "scrape_images")),
  }),
  ...breaking("relations/scrape_images-excludes", meaning("scrape_images"), {
    "brings images with placeholders": takes(
      { scrape_images: true },
      (_, options) => options.use_link_placeholders && !options.only_images,
    ),
  }),
  ...breaking("relations/only_main_content-excludes", meaning("only_main_content"), {
    "brings the surroundings back where tags are ignored": forgets(
      "only_main_content",
      ({ ignored_tags: tags }) => tags?.length === 2,
    ),
    "brings the surroundings back without links": forgets("only_main_content", ({ scrape_links: links }) => !links),
  }),
  ...breaking("relations/only_images-excludes", meaning("only_images"), {
    "brings the content along with only the images when there is a format": takes(
      { only_images: false },
      (_, options) => Boolean(options.only_images && options.response_format),
    ),
  }),
  ...breaking("relations/use_link_placeholders-replaces", meaning("use_link_placeholders"), {
    "has no placeholders in the main part": forgets("use_link_placeholders", ({ selector }) => selector === "main"),
  }),
];

const remains: readonly PageFault[] = [
  ...breaking("relations/content-remains", "scrape.response.markdown.meaning", {
    "has an empty main part where the main content is asked for": answers(
      (request) => request.selector === "main" && request.only_main_content === true,
      writes(""),
    ),
    "drops paragraphs where images are asked for without links": answers(
      (request) => request.scrape_links === false && request.scrape_images === true,
      inText(/.*tormarigold.*/, ""),
    ),
  }),
  ...breaking("relations/links-remain", meaning("scrape_links"), {
    "drops links of the main content": takes({ scrape_links: false }, (_, options) => options.only_main_content),
  }),
  ...breaking("relations/images-remain", meaning("scrape_images"), {
    "lists no images where tags are ignored": answers(
      (request) => request.scrape_images === true && request.ignored_tags?.length === 2,
      withoutImages,
    ),
  }),
];

const says: readonly PageFault[] = [
  ...breaking("relations/use_link_placeholders-default", "scrape.request.use_link_placeholders.default", {
    "takes an absent use_link_placeholders for true": absentIs({ use_link_placeholders: true }),
    "takes an absent use_link_placeholders for true beside images": takes(
      { use_link_placeholders: true },
      (request, options) => !("use_link_placeholders" in request) && options.scrape_images,
    ),
  }),
  ...breaking("relations/scrape_images-default", "scrape.request.scrape_images.default", {
    "scrapes images beside a selector unless it is told otherwise": takes(
      { scrape_images: true },
      (request, options) => !("scrape_images" in request) && options.selector === "main",
    ),
  }),
  ...breaking("relations/scrape_links-default", "scrape.request.scrape_links.default", {
    "drops links beside ignored tags unless it is told otherwise": takes(
      { scrape_links: false },
      (request, options) => !("scrape_links" in request) && Boolean(options.ignored_tags),
    ),
  }),
  ...breaking("relations/only_main_content-default", "scrape.request.only_main_content.default", {
    "takes the main content where images are asked for unless it is told otherwise": takes(
      { only_main_content: true },
      (request, options) => !("only_main_content" in request) && options.scrape_images,
    ),
  }),
  ...breaking("relations/only_images-default", "scrape.request.only_images.default", {
    "takes only the images where they are asked for unless it is told otherwise": takes(
      { only_images: true },
      (request) => !("only_images" in request) && has(request, "scrape_images"),
    ),
  }),
  ...breaking("relations/null-says-nothing", "scrape.request.null-says-nothing", {
    "takes a null of ignored_tags for tables": nullIs({ ignored_tags: ["table"] }),
    "takes a null of selector for the main part": nullIs({ selector: "main" }),
    "loses a row of a table where the format is null": answers(
      ({ response_format: format }) => format === null,
      inText(/.*mossofern.*/, ""),
    ),
  }),
];

/** Counts, and so is made anew for each use. */
function everyOtherTime(change: (answer: DataSpace) => DataSpace): Twist {
  const times = new Map<string, number>();
  return {
    scrape: (answer, request) => {
      const key = JSON.stringify(request);
      const time = (times.get(key) ?? 0) + 1;
      times.set(key, time);
      return time % 2 === 0 ? change(answer) : answer;
    },
  };
}

const others: readonly PageFault[] = [
  ...breaking("relations/status-200", "scrape.request.schema", {
    "fails on images and ignored tags together": {
      scrapeStatus: (request) => (has(request, "scrape_images") && has(request, "ignored_tags") ? 500 : 200),
    },
  }),
  ...breaking("relations/same-request-same-answer", "scrape.same-request-same-answer", {
    "loses a row of a table when a request comes again": everyOtherTime(inText(/.*mossofern.*/, "")),
  }),
];

/** Servers with one fault each, which no request with one option shows. */
export const relationFaults: readonly PageFault[] = [...excludes, ...remains, ...says, ...others, ...addressFaults];
