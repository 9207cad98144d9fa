import { blamedFields } from "../answers.ts";
import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Member } from "../generation/json-object.ts";
import { pairwise } from "../generation/pairs.ts";
import { Random } from "../generation/random.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { RequestPlan } from "../../http/request-plan.ts";
import { judgeTaken } from "./accepted.ts";
import { optionalHeaders, scrapeProbe } from "./scrape-probe.ts";

/** One value of one factor: what it adds to a request, and the probe that tries it alone. */
interface Choice {
  readonly alone?: string;
  readonly members?: readonly Member[];
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How many values of a field take part: more make more requests, and add nothing to the pairs of its types. */
const valuesPerField = 2;

/** Everything that a scrape may have or lack; the first choice of each lacks it. */
const factors: readonly (readonly Choice[])[] = [
  ...scrapeFields.map(({ name, valid }): Choice[] => [
    {},
    ...valid
      .slice(0, valuesPerField)
      .map(({ word, value }): Choice => ({ alone: `scrape/with-${name}-${word}`, members: [[name, value]] })),
  ]),
  [
    {},
    ...["true", "false"].map((value): Choice => ({
      alone: `scrape/update-metadata-${value}`,
      query: `?update_metadata=${value}`,
    })),
  ],
  ...optionalHeaders.map(({ word, headers }): Choice[] => [{}, { alone: `scrape/with-${word}`, headers }]),
];

/** Ids that a check can name before the seed is known; each seed uses most of them. */
const mostPairs = 24;
const pairId = (at: number): string => `pair-${String(at + 1).padStart(2, "0")}`;

/** Ids of the combinations, of which a seed may leave the last ones unused. Source: ours. */
export const combinedScrapeIds: readonly string[] = Array.from(
  { length: mostPairs },
  (_, at) => `scrape/${pairId(at)}`,
);

/**
 * Valid scrapes in which every two options meet. The same seed gives the same ones, in the same order.
 *
 * Source: ours.
 */
export function combinedScrapeProbes(seed: number): Probe[] {
  const random = new Random(seed);
  const rows = pairwise(
    factors.map((choices) => choices.length),
    random,
  ).slice(0, mostPairs);
  return rows.map((row, at) => {
    const chosen = row.flatMap((value, factor) => factors[factor]?.[value] ?? []);
    const members = random.shuffled(chosen.flatMap((choice) => choice.members ?? []));
    const query = chosen.find((choice) => choice.query !== undefined)?.query;
    const headers = Object.fromEntries(chosen.flatMap((choice) => Object.entries(choice.headers ?? {})));
    return scrapeProbe(pairId(at), { members, headers, ...(query === undefined ? {} : { query }) });
  });
}

/** The choices that a request was made of, read off the request itself. */
function choicesIn({ body = "", path, headers = {} }: RequestPlan): Choice[] {
  const given: unknown = JSON.parse(body);
  const has = ([name, value]: Member): boolean =>
    typeof given === "object" && given !== null && same(Reflect.get(given, name), value);
  return factors
    .flat()
    .filter(
      (choice) =>
        choice.alone !== undefined &&
        (choice.members ?? []).every(has) &&
        (choice.query === undefined || path.endsWith(choice.query)) &&
        Object.keys(choice.headers ?? {}).every((name) => headers[name] !== undefined),
    );
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const schemaRequirement = "scrape.request.schema";
const fieldRequirements = scrapeFields.map(({ name }) => `scrape.request.${name}.type`);

/**
 * A part that is turned down alone is the matter of another check. A field that is blamed by name breaks the sentence
 * about that field; a refusal that blames nothing breaks the one about the whole body.
 */
function judgeCombination(exchange: Exchange, run?: ReadonlyMap<string, Exchange>): Judgement {
  const refused = choicesIn(exchange.plan).find(({ alone = "" }) => {
    const tried = run?.get(alone)?.response;
    return tried !== undefined && tried.status !== 200;
  });
  if (refused) return nothingSeen(`A part of it did not succeed alone: ${refused.alone}.`);
  const [blamed, ...others] = blamedFields(exchange).map((name) => `scrape.request.${name}.type`);
  const known = blamed !== undefined && others.length === 0 && fieldRequirements.includes(blamed);
  return judgeTaken(exchange, known ? blamed : schemaRequirement, run);
}

/** Checks of options that come together. Source: interface § Resources and their fields (ScrapeRequest). */
export const scrapeCombinedChecks: readonly Check[] = [
  {
    id: "scrape/accepts-combinations",
    title: "Options that are valid alone are accepted together.",
    requirements: [schemaRequirement, ...fieldRequirements],
    level: "stated",
    operation: "page_scrape",
    probes: ["scrape/everything", "scrape/everything-backwards", ...combinedScrapeIds],
    needs: [],
    judge: (exchange, _, run) => judgeCombination(exchange, run),
  },
];
