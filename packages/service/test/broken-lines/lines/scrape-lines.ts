import type { BrokenLine } from "../broken-line.ts";

const scrape = "page-content/src/scrape/scrape-page.ts";
const answer = "service/src/sessions/scrape-session.ts";
const option = (name: string, what: "meaning" | "default"): string => `scrape.request.${name}.${what}`;

/** What the options of a scrape choose, and what a scrape answers. */
export const scrapeLines: readonly BrokenLine[] = [
  {
    file: scrape,
    text: "links: request.scrape_links ?? true,",
    becomes: "links: true,",
    requirement: option("scrape_links", "meaning"),
    sample: true,
  },
  {
    file: scrape,
    text: "links: request.scrape_links ?? true,",
    becomes: "links: request.scrape_links ?? false,",
    requirement: option("scrape_links", "default"),
  },
  {
    file: scrape,
    text: "images: request.scrape_images ?? false,",
    becomes: "images: false,",
    requirement: "scrape.optional-images",
  },
  {
    file: scrape,
    text: "images: request.scrape_images ?? false,",
    becomes: "images: request.scrape_images ?? true,",
    requirement: option("scrape_images", "default"),
  },
  {
    file: scrape,
    text: "onlyImages: request.only_images ?? false,",
    becomes: "onlyImages: false,",
    requirement: option("only_images", "meaning"),
  },
  {
    file: scrape,
    text: "onlyImages: request.only_images ?? false,",
    becomes: "onlyImages: request.only_images ?? true,",
    requirement: "scrape.response.markdown.meaning",
  },
  {
    file: scrape,
    text: "mainContent: request.only_main_content ?? false,",
    becomes: "mainContent: false,",
    requirement: option("only_main_content", "meaning"),
  },
  {
    file: scrape,
    text: "mainContent: request.only_main_content ?? false,",
    becomes: "mainContent: request.only_main_content ?? true,",
    requirement: option("only_main_content", "default"),
  },
  {
    file: scrape,
    text: "placeholders: request.use_link_placeholders ?? false,",
    becomes: "placeholders: false,",
    requirement: option("use_link_placeholders", "meaning"),
  },
  {
    file: scrape,
    text: "ignoredTags: request.ignored_tags ?? [],",
    becomes: "ignoredTags: [],",
    requirement: option("ignored_tags", "meaning"),
  },
  {
    file: scrape,
    text: "ignoredTags: request.ignored_tags ?? [],",
    becomes: 'ignoredTags: request.ignored_tags ?? ["aside"],',
    requirement: option("ignored_tags", "default"),
  },
  {
    file: scrape,
    text: 'selection: typeof request.selector === "string",',
    becomes: "selection: false,",
    requirement: option("selector", "meaning"),
  },
  {
    file: "page-content/src/in-page/markdown/addresses.ts",
    text: "? `[${this.#placeholder(kind, address, destination)}]`",
    becomes: "? `(${destination}${title})`",
    requirement: option("use_link_placeholders", "meaning"),
    sample: true,
  },
  {
    file: "page-content/src/in-page/page-reader.ts",
    text: "const images = listed && plainDocument !== undefined ? listImages(main ?? plainDocument.body) : null;",
    becomes: "const images = listed ? [] : null;",
    requirement: "scrape.optional-images",
  },
  {
    file: "page-content/src/in-page/image-list.ts",
    text: '? "icon" : "content_image";',
    becomes: '? "icon" : "content";',
    requirement: "image.category.values",
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: `const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    session.touch();
    const isVisibleOnly`,
    becomes: `const session = sessions.open.at(0) ?? (await sessions.get(""));
    session.touch();
    const isVisibleOnly`,
    requirement: "scrape.markdown-of-current-page",
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: "return c.json(data, 200,",
    becomes: "return c.json(data, 201,",
    requirement: "scrape.status-200",
  },
  {
    file: answer,
    text: "return { markdown, images, structured: null };",
    becomes: "return { images, structured: null };",
    requirement: "scrape.response.markdown.required",
  },
  {
    file: answer,
    text: "return { markdown, images, structured: null };",
    becomes: "return { markdown: [markdown], images, structured: null };",
    requirement: "scrape.response.markdown.type",
  },
  {
    file: answer,
    text: "const images = scraped.images === null ? null : [...scraped.images];",
    becomes: "const images = scraped.images === null ? null : { ...scraped.images };",
    requirement: "scrape.response.images.type",
  },
  {
    file: answer,
    text: "return { markdown, images, structured };",
    becomes: "return { markdown, images, structured: null };",
    requirement: "scrape.optional-structure",
  },
  {
    file: "page-content/src/structure/structured-data.ts",
    text: "return { success: true, error: null, data };",
    becomes: "return { success: true, error: null, data: { name: 7 } };",
    requirement: option("response_format", "meaning"),
  },
  {
    file: "page-content/src/structure/structured-data.ts",
    text: "return { success: false, error, data: null };",
    becomes: 'return { success: "no", error, data: null };',
    requirement: "structured.success.type",
  },
  {
    file: "page-content/src/structure/structured-data.ts",
    text: "return { success: false, error, data: null };",
    becomes: "return { success: false, error: [error], data: null };",
    requirement: "structured.error.type",
  },
];
