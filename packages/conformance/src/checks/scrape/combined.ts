import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Judgement, type Exchanges } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Member } from "../generation/json-object.ts";
import { pairwise } from "../generation/pairs.ts";
import { Random } from "../generation/random.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { RequestPlan } from "../../http/request-plan.ts";
import { headerClasses, type NamedValue } from "../../contract/value-classes.ts";
import { judgeTaken, plainScrapeIds } from "./accepted.ts";
import { listWronglyRejected } from "./rejected-fields.ts";
import { optionalHeaders, makeScrapeProbe } from "./scrape-probe.ts";
import { makeCheck } from "../make-check.ts";

/** A value of a factor: its addition to a request, and the probe that tries it alone. */
interface Choice {
  readonly alone?: string;
  readonly members?: readonly Member[];
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part that a scrape may have or lack. Values of one kind take turns; values of different factors are combined in pairs. */
interface Factor {
  readonly turns: readonly Choice[];
  readonly others: readonly Choice[];
}

const lacking: Choice = {};

function isolateChoice(field: string, { word, value }: NamedValue): Choice {
  return { alone: `scrape/with-${field}-${word}`, members: [[field, value]] };
}

function makeMetadata(value: string): Choice {
  return { alone: `scrape/update-metadata-${value}`, query: `?update_metadata=${value}` };
}

/** All parts that a scrape may have or lack. */
const factors: readonly Factor[] = [
  ...scrapeFields.map(({ name, valid, kinds }): Factor => {
    const [first = lacking, second = lacking] = valid.map((value) => isolateChoice(name, value));
    return { turns: [first, ...kinds.map((kind) => isolateChoice(name, kind))], others: [second] };
  }),
  { turns: [makeMetadata("true")], others: [makeMetadata("false")] },
  ...optionalHeaders.map(({ word, headers }): Factor => ({
    turns: [
      { alone: `scrape/with-${word}-usual`, headers },
      ...headerClasses.map(({ word: kind, value }): Choice => ({
        alone: `scrape/with-${word}-${kind}`,
        headers: Object.fromEntries(Object.keys(headers).map((name) => [name, String(value)])),
      })),
    ],
    others: [],
  })),
];

/** Number of combinations, which does not depend on the seed: enough for all pairs and for each kind of value. */
const rowCount = 34;
const pairId = (at: number): string => `pair-${String(at + 1).padStart(2, "0")}`;

/** Ids of the combinations. */
export const combinedScrapeIds: readonly string[] = Array.from({ length: rowCount }, (_, at) => `scrape/${pairId(at)}`);

/** Yields the values of one kind, one after the other, in another order in each round. */
function* takeTurns(choices: readonly Choice[], random: Random): Generator<Choice, never> {
  for (;;) yield* random.shuffled(choices);
}

/**
 * Generates valid scrapes with every pair of options, and with each kind of value. The same seed gives the same ones, in the same order.
 */
export function combinedScrapeProbes(seed: number): Probe[] {
  const random = new Random(seed);
  const pairs = pairwise(
    factors.map(({ others }) => others.length + 2),
    random,
  );
  const rows = Array.from({ length: rowCount }, (_, at) => pairs[at] ?? factors.map(() => 1));
  const turns = factors.map((factor) => takeTurns(factor.turns, random));
  return rows.map((row, at) => {
    const picks = row.flatMap((value, factor) => {
      if (value === 1) return turns[factor]?.next().value ?? [];
      return (value === 0 ? lacking : factors[factor]?.others[value - 2]) ?? [];
    });
    const members = random.shuffled(picks.flatMap((choice) => choice.members ?? []));
    const query = picks.find((choice) => choice.query !== undefined)?.query;
    const headers = Object.fromEntries(picks.flatMap((choice) => Object.entries(choice.headers ?? {})));
    return makeScrapeProbe(pairId(at), { members, headers, ...(query === undefined ? {} : { query }) });
  });
}

/** Cache, since the choices of a request are asked for before and after judging it. */
const choices = new WeakMap<RequestPlan, readonly Choice[]>();

/** Returns the choices that a request consists of. */
function findChoices(plan: RequestPlan): readonly Choice[] {
  const result = choices.get(plan) ?? readChoices(plan);
  choices.set(plan, result);
  return result;
}

/** The choices that a probe tries alone, with the JSON of their members, which is compared for each request of a run. */
const lonely = factors
  .flatMap(({ turns, others }) => turns.concat(others))
  .filter(({ alone }) => alone !== undefined)
  .map((choice) => ({
    choice,
    members: (choice.members ?? []).map(([name, value]) => [name, JSON.stringify(value)] as const),
    headers: Object.entries(choice.headers ?? {}),
  }));

function readChoices({ body = "", path, headers = {} }: RequestPlan): Choice[] {
  const options: unknown = JSON.parse(body);
  const isRecord = typeof options === "object" && options !== null;
  const texts = new Map(isRecord ? Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)]) : []);
  return lonely
    .filter(
      ({ choice, ...own }) =>
        own.members.every(([name, text]) => texts.get(name) === text) &&
        (choice.query === undefined || path.endsWith(choice.query)) &&
        own.headers.every(([name, value]) => headers[name] === value),
    )
    .map(({ choice }) => choice);
}

/** Scrapes that have every option. */
const wholes = ["everything", "everything-backwards", "default-values", "default-values-of-an-sdk"];

/** Makes a scrape for each value of the refused combinations. None when there are none, or when the scrape without options failed. */
export function makeIsolatingProbes(run: ReadonlyMap<string, Exchange>): Probe[] {
  if ((run.get("scrape/defaults")?.response?.status ?? 200) !== 200) return [];
  const refusals = combinedScrapeIds.flatMap((id) => {
    const exchange = run.get(id);
    const isRefused = exchange?.response && ![200, 429, 503].includes(exchange.response.status);
    return isRefused ? findChoices(exchange.plan) : [];
  });
  const untried = refusals.filter(({ alone = "" }) => !run.has(alone));
  return [...new Set(untried)].map(({ alone = "", ...choice }) =>
    makeScrapeProbe(alone.replace("scrape/", ""), choice),
  );
}

const fieldRequirements = scrapeFields.map(({ name }) => `scrape.request.${name}.type`);

/**
 * Judges a combination. Another check reports a part that is refused alone. A 422 that names a field violates the requirement
 * about that field; one that names none, the requirement about the whole body.
 */
function judgeCombination(exchange: Exchange, run?: Exchanges): Judgement {
  const culprit = findChoices(exchange.plan).find(({ alone = "" }) => {
    const tried = run?.get(alone)?.response;
    return tried !== undefined && tried.status !== 200;
  });
  if (culprit) return nothingSeen(`A part of it did not succeed alone: ${culprit.alone}.`);
  const [field, ...others] = listWronglyRejected(exchange);
  if (field === undefined || others.length > 0) return judgeTaken(exchange, run);
  const requirement = `scrape.request.${field}.type`;
  const isSent = findChoices(exchange.plan).some(({ members = [] }) => members.some(([name]) => name === field));
  return isSent && fieldRequirements.includes(requirement)
    ? judgeTaken(exchange, run, requirement)
    : nothingSeen(`It was rejected for \`${field}\`.`);
}

/** Checks of combined options. Source: interface § Resources and their fields (ScrapeRequest). */
export const scrapeCombinedChecks: readonly Check[] = [
  makeCheck(
    "scrape/accepts-combinations",
    [...wholes.map((name) => `scrape/${name}`), ...combinedScrapeIds],
    (exchange, _, run) => judgeCombination(exchange, run),
    { requirements: ["scrape.request.schema", ...fieldRequirements], consults: plainScrapeIds },
  ),
];
