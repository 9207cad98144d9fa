import { defaultOptions } from "../scrape/scrape-probe.ts";
import { type SentOptions, readSentOptions } from "../scrape/sent-options.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { planScrape } from "../../http/request-plan.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { pairwise } from "../generation/pairs.ts";
import { Random } from "../generation/random.ts";

/** Stands for an option that is left out. */
const absent = undefined;

/** The part of the article that has neither links nor images, and the part that has everything but the surroundings. */
export const smallPart = "#chosen";
export const mainPart = "main";

/** Tags of the article that are ignored: each is outside of the small part. */
export const ignoredTags: readonly string[] = ["aside", "table"];

/** JSON Schema for the heading of the article. */
const headingSchema = { type: "object", properties: { heading: { type: "string" } } } as const;

/** Instructions that ask for no change. */
export const idleInstructions = "Keep the wording of the page.";

/** Values of each option under which the effect of the others stays visible. */
const wideValues: Readonly<Record<string, readonly unknown[]>> = {
  scrape_links: [absent, true, false],
  scrape_images: [absent, true, false],
  ignored_tags: [absent, ignoredTags, [], null],
};

/** SentOptions that remove or change so much that others have little effect. */
const narrow: readonly SentOptions[] = [
  { only_main_content: true },
  { use_link_placeholders: true },
  { selector: mainPart },
  { selector: smallPart },
  { only_images: true },
  { response_format: headingSchema },
  { instructions: idleInstructions },
];

const names: readonly string[] = scrapeFields.map(({ name }) => name);
const listValues = (name: string): readonly unknown[] => wideValues[name] ?? [absent, defaultOptions[name]];

/** Collects options in the order of the contract, without those that are left out. */
function collectOptions(choose: (name: string) => unknown): SentOptions {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = choose(name);
      return value === absent ? [] : [[name, value]];
    }),
  );
}

/** Pairwise combinations of the options on the whole page. */
const wideRows = pairwise(
  names.map((name) => listValues(name).length),
  new Random(29),
).map((row) => collectOptions((name) => listValues(name)[row[names.indexOf(name)] ?? 0]));

const most = Math.max(...names.map((name) => listValues(name).length));

/** Every value of every option, combined with each of the narrow ones. */
const narrowRows = narrow.flatMap((options) =>
  Array.from({ length: most }, (_, at) =>
    collectOptions((name) => {
      const own = listValues(name);
      return name in options ? options[name] : own[(at + names.indexOf(name)) % own.length];
    }),
  ),
);

/** Pairs of the narrow options, unless both are the same option. */
const narrowPairs = narrow.flatMap((one, at) =>
  narrow.slice(at + 1).flatMap((other): SentOptions[] => {
    const both = { ...other, ...one };
    return Object.keys(both).length === 2 ? [{ only_images: false, ...both }] : [];
  }),
);

const makeId = (name: string): string => `relations/${name}`;

/** Returns whether a scrape is sent for relations, planned or not. */
export const isRelation = (id: string): boolean => id.startsWith(makeId(""));

const rowsById: ReadonlyMap<string, SentOptions> = new Map(
  [...wideRows, ...narrowRows, ...narrowPairs].map((row, at) => [
    makeId(`options-${String(at + 1).padStart(2, "0")}`),
    row,
  ]),
);
const ids = [...rowsById.keys()];
const wideIds = ids.slice(0, wideRows.length);

/** Makes one scrape of the article. */
function makeProbe(id: string, options: SentOptions): Probe {
  return {
    id,
    operation: "page_scrape",
    needs: ["opens-pages"],
    expects: "success",
    request: ({ pages }) => planScrape(pages?.findSession("article") ?? "", options),
  };
}

/** Returns the id of the scrape that has only the default of one option. */
export const makeDefaultId = (option: string): string => makeId(`default-of-${option}`);

/** Ids of the scrapes with one default each. */
export const defaultIds: readonly string[] = names.map(makeDefaultId);

/** Returns the id of the repetition of a scrape. */
export const makeAgainId = (id: string): string => `${id}-again`;

/** Ids of scrapes that come again. */
export const repeatedIds: readonly string[] = wideIds;

const makeFullId = (id: string): string => `${id}-written-out`;
const makeIsolatedId = (id: string, option: string): string => `${id}-default-of-${option}`;

/** Ids of scrapes that come again with all defaults written out. */
const fullIds: readonly string[] = ids.slice(0, wideRows.length + narrowRows.length);

/** Scrapes of a page that does not change, with options of every kind. */
export const relationProbes: readonly Probe[] = [
  ...[...rowsById].map(([id, row]) => makeProbe(id, row)),
  ...names.map((name) => makeProbe(makeDefaultId(name), { [name]: defaultOptions[name] })),
  ...repeatedIds.map((id) => makeProbe(makeAgainId(id), rowsById.get(id) ?? {})),
  ...fullIds.map((id) => makeProbe(makeFullId(id), { ...defaultOptions, ...rowsById.get(id) })),
];

/** Ids of all of them. */
export const relationIds: readonly string[] = relationProbes.map(({ id }) => id);

/** Maximum number of scrapes whose defaults are written out one by one. */
const maxIsolated = 4;

/**
 * Makes scrapes with each default written out by itself, for those that changed when all defaults were written out: they show which default
 * causes it.
 *
 * @param isSame - Returns whether the answers to two scrapes agree.
 */
export function isolatingDefaults(isSame: (first: string, second: string) => boolean): Probe[] {
  const changed = fullIds.filter((id) => !isSame(id, makeFullId(id)));
  return changed.slice(0, maxIsolated).flatMap((id) => {
    const row = rowsById.get(id) ?? {};
    const leftOut = names.filter((name) => !(name in row));
    return leftOut.map((name) => makeProbe(makeIsolatedId(id, name), { ...row, [name]: defaultOptions[name] }));
  });
}

/** Returns the id of the scrape to which another one adds the default of one option; undefined for any other one. */
export function findBefore(id: string, option: string): string | undefined {
  const suffix = `-default-of-${option}`;
  return id.endsWith(suffix) ? ids.find((one) => one === id.slice(0, -suffix.length)) : undefined;
}

/** Returns the options that a scrape was sent with. */
export const listOptions = (exchange: Exchange): SentOptions => readSentOptions(exchange) ?? {};
