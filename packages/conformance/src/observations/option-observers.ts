import { readSentOptions, type SentOptions } from "../checks/scrape/sent-options.ts";
import { isAnswerTo, succeeded, type Exchange } from "../http/exchange.ts";
import { isObject } from "../http/json.ts";
import { listObjects, nameType } from "./json-fields.ts";
import { describeExtraction } from "../checks/circumstances/open-answers.ts";
import { observeEach, type ObservedValue, type Observer } from "../checks/observer.ts";

/** Observes the answers to page scrapes that are valid. */
function observeValidScrapes(
  id: string,
  see: (options: SentOptions, exchange: Exchange) => readonly string[],
): Observer {
  return observeEach(id, (exchange) => {
    const options = readSentOptions(exchange);
    const isValid = exchange.expects === "success" && isAnswerTo("page_scrape", exchange);
    return options && isValid ? see(options, exchange) : [];
  });
}

/** Pairs of options that contradict each other. */
const contradictions: readonly (readonly [what: string, holds: (options: SentOptions) => boolean])[] = [
  ["only_images without scrape_images", ({ only_images: only, scrape_images: all }) => only === true && all === false],
  [
    "only_images with response_format",
    ({ only_images: only, response_format: format }) => only === true && isObject(format),
  ],
  [
    "use_link_placeholders without scrape_links",
    ({ use_link_placeholders: placeholders, scrape_links: links }) => placeholders === true && links === false,
  ],
];

/** Describes which parts of an answer came. */
function describeParts(exchange: Exchange): string {
  const { response } = exchange;
  if (!succeeded(exchange)) return String(response?.status);
  const [body = {}] = listObjects(exchange, 200, []);
  const { markdown, images, structured } = body;
  const text = typeof markdown === "string" && markdown.trim() !== "" ? "Markdown" : "no Markdown";
  const pictures = Array.isArray(images) ? (images.length > 0 ? "images" : "an empty list of images") : "no images";
  return `${String(response?.status)}, ${text}, ${pictures}, ${isObject(structured) ? "structured data" : "no structured data"}`;
}

function describeContradiction(options: SentOptions, exchange: Exchange): string[] {
  const pairs = contradictions.filter(([, holds]) => holds(options));
  const [only, ...others] = pairs;
  return only && others.length === 0 ? [`${only[0]}: ${describeParts(exchange)}`] : [];
}

const tagLists: ReadonlyMap<string, string> = new Map([
  ["scrape/with-ignored_tags-empty", "an empty list"],
  ["scrape/with-ignored_tags-custom", "an unknown tag, and one in capitals"],
  ["scrape/with-ignored_tags-many", "a hundred unknown tags"],
]);

/** Keywords whose members are schemas under names of their own. */
const holdsNamedSchemas: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "patternProperties"]);

/** Keywords whose members are values, not schemas. */
const holdsValues: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required"]);

/** Returns the names of the keywords of a JSON Schema, wherever they stand in it. */
function listKeywords(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listKeywords);
  if (!isObject(schema)) return [];
  const names: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    names.push(name);
    if (holdsNamedSchemas.has(name) && isObject(value)) names.push(...Object.values(value).flatMap(listKeywords));
    else if (!holdsValues.has(name)) names.push(...listKeywords(value));
  }
  return names;
}

function describeDialect({ response_format: schema }: SentOptions, exchange: Exchange): string[] {
  if (!isObject(schema) || exchange.response === undefined) return [];
  if (succeeded(exchange)) return [];
  return [`${exchange.response.status} for ${[...new Set(listKeywords(schema))].sort().join(", ")}`];
}

/** Number of keywords in one observed value: a report shortens long ones. */
const keywordsInLine = 10;

/** Returns the keywords of all accepted schemas, some in a line. */
function listTakenKeywords(exchanges: readonly Exchange[]): ObservedValue[] {
  const first = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const schema = readSentOptions(exchange)?.["response_format"];
    if (exchange.expects !== "success" || !isAnswerTo("page_scrape", exchange) || !succeeded(exchange)) continue;
    for (const name of listKeywords(schema)) if (!first.has(name)) first.set(name, exchange);
  }
  const names = [...first.keys()].sort();
  return names.flatMap((name, at) => {
    const exchange = first.get(name);
    if (!exchange || at % keywordsInLine !== 0) return [];
    return [{ exchange, value: `taken: ${names.slice(at, at + keywordsInLine).join(", ")}` }];
  });
}

const findMarkdown = (exchange: Exchange | undefined): unknown =>
  exchange && listObjects(exchange, 200, [])[0]?.["markdown"];

/** Returns the status of each list of tags, and whether the Markdown is that of a scrape without one. */
function describeTagNotation(exchanges: readonly Exchange[]): ObservedValue[] {
  const plain = findMarkdown(exchanges.find(({ id }) => id === "scrape/defaults"));
  return exchanges.flatMap((exchange) => {
    const what = tagLists.get(exchange.id);
    if (what === undefined || !exchange.response) return [];
    const markdown = findMarkdown(exchange);
    const comparison =
      markdown === undefined || plain === undefined
        ? ""
        : `, ${markdown === plain ? "the same Markdown as" : "other Markdown than"} without it`;
    return [{ exchange, value: `${what}: ${exchange.response.status}${comparison}` }];
  });
}

/** Returns the scheme of an address, or that it has none. */
export function describeScheme(address: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? [];
  return scheme === undefined ? "a relative address" : `scheme ${scheme.toLowerCase()}`;
}

function describeAddresses(exchange: Exchange): string[] {
  if (!isAnswerTo("page_scrape", exchange)) return [];
  const urls = listObjects(exchange, 200, ["images", "*"]).map((image) => image["url"]);
  return urls.map((url) => (typeof url === "string" ? describeScheme(url) : `url ${nameType(url)}`));
}

function describeInput(exchange: Exchange): string[] {
  return listObjects(exchange, 422, ["detail", "*"]).flatMap(({ input, ctx }) => [
    `input: ${nameType(input)}`,
    `ctx: ${isObject(ctx) ? Object.keys(ctx).sort().join(", ") || "empty" : nameType(ctx)}`,
  ]);
}

/** Observers of what the interface leaves open about options of the page scrape and their effects. */
export const optionObservers: readonly Observer[] = [
  observeValidScrapes("open.scrape.contradicting-options", describeContradiction),
  { id: "open.scrape.tag-notation", see: describeTagNotation },
  { id: "open.scrape.schema-dialect", see: listTakenKeywords },
  observeValidScrapes("open.structured.error-when-successful", ({ response_format: format }, exchange) => {
    const [body] = listObjects(exchange, 200, []);
    return body && isObject(format) ? [describeExtraction(body["structured"])] : [];
  }),
  observeValidScrapes("open.scrape.schema-dialect", describeDialect),
  observeEach("open.image.url-form", describeAddresses),
  observeEach("open.validation-error.input-and-ctx", (exchange) =>
    isAnswerTo("page_scrape", exchange) || isAnswerTo("session_cookies", exchange) ? describeInput(exchange) : [],
  ),
];
