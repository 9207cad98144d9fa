import { defaultOptions } from "../scrape/scrape-probe.ts";
import type { SentOptions } from "../scrape/sent-options.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { Probe } from "../../http/probe.ts";
import { planScrape } from "../../http/request-plan.ts";
import type { Target } from "../../target/target.ts";
import { Random } from "../generation/random.ts";

/** A scrape of the page that the open session of the target is on. */
interface Row {
  readonly name: string;
  readonly body: SentOptions;
  /** True when, as far as the suite knows, it may be refused: a selector may match nothing. Default: false. */
  readonly isOpen?: true;
  /** True when it is sent after all others. Default: false. */
  readonly last?: true;
}

const prefix = "given/";

/** Returns the id of a scrape of the page of the target. */
export const makeScrapeId = (name: string): string => `${prefix}${name}`;

/** Returns whether an exchange is a scrape of the page of the target. */
export const isOfTargetPage = ({ id }: { readonly id: string }): boolean => id.startsWith(prefix);

/** JSON Schema for data that every page with a heading has. */
export const headingSchema = {
  type: "object",
  properties: { heading: { type: "string" } },
  required: ["heading"],
} as const;

/** Parts of a page that a selector names: whether a page has them is shown by its Markdown, or by the answer itself. */
export const parts = {
  body: "body",
  html: "html",
  link: "a",
  table: "table",
  form: "form",
  navigation: "body > nav",
  footer: "body > footer",
  nothing: "#there-is-no-such-part",
} as const;

/** Lists of tags that are ignored. */
export const ignored = {
  links: ["a"],
  tables: ["table"],
  headings: ["h1", "h2", "h3", "h4", "h5", "h6"],
  lists: ["ul", "ol"],
  forms: ["form"],
} as const;

/** Single options that have an effect: pairs and triples are made of these. */
const effects: Readonly<Record<string, SentOptions>> = {
  "links-off": { scrape_links: false },
  "images-on": { scrape_images: true },
  "ignoring-links": { ignored_tags: ignored.links },
  "ignoring-tables": { ignored_tags: ignored.tables },
  "main-content": { only_main_content: true },
  "only-images": { only_images: true },
  placeholders: { use_link_placeholders: true },
  "of-body": { selector: parts.body },
};

const without: readonly Row[] = [
  { name: "plain", body: {} },
  ...scrapeFields.map(({ name }) => ({ name: `default-of-${name}`, body: { [name]: defaultOptions[name] } })),
  ...Object.entries(effects).map(([name, body]) => ({ name, body })),
  { name: "structured", body: { response_format: headingSchema } },
  ...Object.entries(parts).flatMap(([name, selector]) =>
    name === "body" ? [] : { name: `of-${name}`, body: { selector }, isOpen: true as const },
  ),
  ...Object.entries(ignored).flatMap(([name, tags]) =>
    `ignoring-${name}` in effects ? [] : { name: `ignoring-${name}`, body: { ignored_tags: tags } },
  ),
  ...["link", "table"].flatMap((part) =>
    ["links-off", "images-on", "main-content", "placeholders"].map((name) => ({
      name: `of-${part}-with-${name}`,
      body: { selector: part === "link" ? parts.link : parts.table, ...effects[name] },
      isOpen: true as const,
    })),
  ),
  { name: "images-on-with-placeholders-off", body: { scrape_images: true, use_link_placeholders: false } },
  { name: "ignoring-images", body: { ignored_tags: ["img"], scrape_images: true } },
];

/** Names of the effects that come with all other defaults written out. Without an effect each default is written out alone. */
const namesWithDefaults: readonly string[] = Object.keys(effects);
const makeBody = (name: string): SentOptions => effects[name] ?? {};

const rowsWithDefaults: readonly Row[] = namesWithDefaults.map((name) => ({
  name: `${name}-written-out`,
  body: { ...defaultOptions, ...makeBody(name) },
}));

/** Combinations of effects of different options. */
function listCombinations(size: number): Row[] {
  const names = Object.keys(effects);
  const grow = (choice: readonly string[], from: number): string[][] =>
    choice.length === size
      ? [[...choice]]
      : names.slice(from).flatMap((name, at) => grow([...choice, name], from + at + 1));
  return grow([], 0).flatMap((choice) => {
    const body: SentOptions = Object.fromEntries(choice.flatMap((name) => Object.entries(makeBody(name))));
    return Object.keys(body).length === size ? { name: choice.join("-with-"), body } : [];
  });
}

const pairs: readonly Row[] = listCombinations(2);

/** Number of triples, whatever the seed is. */
const tripleCount = 12;
const nameTriple = (at: number): string => `triple-${String(at + 1).padStart(2, "0")}`;

function listTriples(seed: number): Row[] {
  const sample = new Random(seed).shuffled(listCombinations(3)).slice(0, tripleCount);
  return sample.map(({ body }, at) => ({ name: nameTriple(at), body }));
}

/** Names of scrapes that are repeated right after the first time; the plain scrapes show that the page stayed as it was. */
export const repeatedNames: readonly string[] = ["images-on", "main-content", "of-body", "links-off-with-main-content"];

/** Returns the name of the repetition of a scrape. */
export const nameAgain = (name: string): string => `${name}-again`;

const repeatRows = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => (repeatedNames.includes(row.name) ? [row, { ...row, name: nameAgain(row.name) }] : row));

const last: Row = { name: "plain-at-the-end", body: {}, last: true };

function makeProbe({ name, body, isOpen, last: isLast }: Row): Probe {
  return {
    id: makeScrapeId(name),
    operation: "page_scrape",
    needs: ["open-session"],
    expects: isOpen === true ? "open" : "success",
    ...(isLast && { last: true }),
    request: ({ sessionId }) => planScrape(sessionId, body),
  };
}

/** Scrapes of the page that the open session of the target is on. The same seed gives the same ones. Source: interface § ScrapeRequest. */
export function listTargetPageProbes(seed: number): Probe[] {
  return [...repeatRows([...without, ...rowsWithDefaults, ...pairs, ...listTriples(seed)]), last].map(makeProbe);
}

/** Ids of the plain scrapes, which agree when the page stayed as it was. The last one follows the requests generated during the run. */
export const plainIds: readonly string[] = ["plain", "plain-at-the-end"].map(makeScrapeId);
const afterwards: Row = { name: "plain-afterwards", body: {} };

/** Id of the plain scrape after those that isolate defaults. */
export const plainAfterwardsId: string = makeScrapeId(afterwards.name);

/** Ids of the scrapes with two options and more. */
export const combinedIds: readonly string[] = [
  ...pairs.map(({ name }) => makeScrapeId(name)),
  ...Array.from({ length: tripleCount }, (_, at) => makeScrapeId(nameTriple(at))),
];

const acceptedRows: readonly Row[] = [...without, ...rowsWithDefaults, last].filter(({ isOpen }) => isOpen !== true);
const listIds = (rows: readonly Row[]): string[] => rows.map(({ name }) => makeScrapeId(name));

/** Ids of the scrapes that are valid on every page, with one option at most. */
export const singleIds: readonly string[] = listIds(acceptedRows.filter(({ body }) => Object.keys(body).length < 2));

/** Ids of the scrapes that are valid on every page, with several options. */
export const severalIds: readonly string[] = [
  ...listIds(acceptedRows.filter(({ body }) => Object.keys(body).length > 1)),
  ...combinedIds,
];

/** Id of the scrape with the default of one option. */
export const nameDefault = (option: string): string => makeScrapeId(`default-of-${option}`);

/** Ids of the scrapes that come again with all defaults written out, and of those. */
export const pairsWithDefaults: readonly (readonly [before: string, after: string])[] = namesWithDefaults.map(
  (name) => [makeScrapeId(name), makeScrapeId(`${name}-written-out`)],
);

const nameIsolated = (name: string, option: string): string => `${name}-with-default-of-${option}`;

/** Returns the id of the scrape to which another one adds the default of one option; undefined for any other one. */
export function findScrapeBefore(id: string, option: string): string | undefined {
  const name = namesWithDefaults.find((one) => id === makeScrapeId(nameIsolated(one, option)));
  return name === undefined ? undefined : makeScrapeId(name);
}

/** Maximum number of scrapes whose defaults are written out one by one. */
const maxIsolated = 3;

/** Makes scrapes with each default written out by itself, for those that changed when all of them were, and a plain one after them. */
export function makeDefaultProbes(changed: readonly string[]): Probe[] {
  const rows = namesWithDefaults
    .filter((name) => changed.includes(makeScrapeId(name)))
    .slice(0, maxIsolated)
    .flatMap((name) =>
      scrapeFields
        .filter((field) => !(field.name in makeBody(name)))
        .map((field) => ({
          name: nameIsolated(name, field.name),
          body: { ...makeBody(name), [field.name]: field.default },
        })),
    );
  return rows.length === 0 ? [] : [...rows, afterwards].map(makeProbe);
}

/** Returns the reason why the page of the target is not scraped; undefined where it is. */
export function notScraped({ kind, pages }: Target): string | undefined {
  if (kind === "mock") return "The answers of a mock do not depend on the page.";
  return pages ? "The pages of the suite's own sessions are scraped instead." : undefined;
}
