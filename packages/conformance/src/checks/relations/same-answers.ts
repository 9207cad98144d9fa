import type { Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { Target } from "../../target/target.ts";
import { nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { failingSingleOption, probesOfChecks } from "./single-option-checks.ts";
import { findDifference, findFacts, type Facts } from "./facts.ts";
import {
  againId,
  beforeDefault,
  defaultId,
  defaultIds,
  idleInstructions,
  isolatingDefaults,
  optionsIn,
  repeatedIds,
} from "./option-rows.ts";

/** Ids of the scrapes that are compared with others. */
const comparedIds: readonly string[] = [...repeatedIds, ...repeatedIds.map(againId), ...defaultIds];
const sameAnswer = "scrape.same-request-same-answer";
const nullIsNone = "scrape.request.null-says-nothing";

/** Checks of one option alone that explain a difference of each kind. */
const explanations: Readonly<Record<keyof Facts, readonly string[]>> = {
  words: [
    "page/markdown-has-content",
    "page/markdown-of-rendered-page",
    "page/selector-limits-content",
    "page/ignored_tags-are-ignored",
    "page/ignored_tags-are-left-out",
    "page/ignored_tags-default",
    "page/only_main_content-leaves-out-surroundings",
    "page/only_main_content-default",
    "page/only_images-leaves-out-content",
  ],
  links: [
    "page/scrape_links-true",
    "page/scrape_links-false",
    "page/scrape_links-default",
    "page/use_link_placeholders-replaces",
  ],
  images: [
    "page/scrape_images-true",
    "page/scrape_images-false",
    "page/scrape_images-default",
    "page/only_images-brings-images",
    "page/only_images-leaves-out-content",
    "page/image-urls",
  ],
};

/** Scrapes that show whether answers change with time, what most have in common, and whether one option explains a difference. */
const consults: readonly string[] = [...comparedIds, ...probesOfChecks(Object.values(explanations).flat())];

/** Judges that two responses have the same content, unless the check of a single option explains the difference. */
function judgeSame(
  [one, other]: readonly [Facts | undefined, Facts | undefined],
  { requirement, expected }: { readonly requirement: string; readonly expected: string },
  target: Target,
  run: ReadonlyMap<string, Exchange> | undefined,
): Judgement {
  if (!one || !other) return nothingSeen("One of the two did not succeed.");
  const difference = findDifference(one, other);
  if (!difference) return { seen: 1, findings: [] };
  const { kind, missing, added } = difference;
  const failing = failingSingleOption(explanations[kind], target, run);
  if (failing !== undefined) return nothingSeen(`A check of an option alone fails: ${failing}.`);
  const received = [
    ...(missing.length > 0 ? [`without ${missing.join(", ")}`] : []),
    ...(added.length > 0 ? [`with ${added.join(", ")}`] : []),
  ];
  const where = kind === "images" ? "body /images" : "body /markdown";
  return verdict(false, { requirement, where, expected, received: received.join(", and ") });
}

/** Returns whether a scrape has instructions: their effect may differ from time to time. */
const hasInstructions = (exchange: Exchange): boolean => optionsIn(exchange)["instructions"] === idleInstructions;

function factsBy(run: ReadonlyMap<string, Exchange> | undefined, id: string): Facts | undefined {
  return findFacts(run?.get(id));
}

/** Returns whether two responses have the same content; true when one of them can't be compared. */
function isSame(run: ReadonlyMap<string, Exchange> | undefined, first: string, second: string): boolean {
  const exchange = run?.get(second);
  if (!exchange || hasInstructions(exchange)) return true;
  const [one, other] = [factsBy(run, first), findFacts(exchange)];
  return !one || !other || findDifference(one, other) === undefined;
}

function isSteady(run: ReadonlyMap<string, Exchange> | undefined): boolean {
  return repeatedIds.every((id) => isSame(run, id, againId(id)));
}

/** Makes the scrapes that show which default changes a response; none when no default does. */
export function isolatingDefaultProbes(run: ReadonlyMap<string, Exchange>): Probe[] {
  return isSteady(run) ? isolatingDefaults((first, second) => isSame(run, first, second)) : [];
}

/** Returns the facts that most of the answers share in which one other option each has its default. */
function commonFacts(run: ReadonlyMap<string, Exchange> | undefined, except: string): Facts | undefined {
  const all = defaultIds.flatMap((id) => (id === except ? [] : (factsBy(run, id) ?? [])));
  const alike = (facts: Facts): number => all.filter((other) => findDifference(facts, other) === undefined).length;
  return all.find((facts) => alike(facts) * 2 > all.length);
}

function judgeDefault(
  exchange: Exchange,
  option: string,
  requirement: string,
  target: Target,
  run: ReadonlyMap<string, Exchange> | undefined,
): Judgement {
  const own = findFacts(exchange);
  const expected = `the same as without \`${option}\`, since its default is written out`;
  if (!isSteady(run)) return nothingSeen("The same request does not always give the same response.");
  if (exchange.id === defaultId(option)) {
    return judgeSame([commonFacts(run, exchange.id), own], { requirement, expected }, target, run);
  }
  const before = beforeDefault(exchange.id, option);
  if (before === undefined || hasInstructions(exchange))
    return nothingSeen("The responses may differ for another reason.");
  return judgeSame([factsBy(run, before), own], { requirement, expected }, target, run);
}

const stated = scrapeFields.filter((field) => field.default !== null);
const nullable = scrapeFields.filter((field) => field.default === null);

function defaultCheck(name: string): Check {
  const requirement = `scrape.request.${name}.default`;
  return {
    id: `relations/${name}-default`,
    title: `Writing out the default of \`${name}\` changes nothing.`,
    requirements: [requirement],
    probes: [defaultId(name)],
    consults,
    appliesTo: ({ id }) => beforeDefault(id, name) !== undefined,
    judge: (exchange, target, run) => judgeDefault(exchange, name, requirement, target, run),
  };
}

/** Checks that equivalent requests have the same answer. Source: interface § ScrapeRequest. */
export const sameAnswerChecks: readonly Check[] = [
  ...stated.map(({ name }) => defaultCheck(name)),
  {
    id: "relations/null-says-nothing",
    title: "An option that is null changes nothing.",
    requirements: [nullIsNone],
    probes: nullable.map(({ name }) => defaultId(name)),
    consults,
    appliesTo: ({ id }) => nullable.some(({ name }) => beforeDefault(id, name) !== undefined),
    judge: (exchange, target, run) => {
      const { id } = exchange;
      const field = nullable.find(({ name }) => id === defaultId(name) || beforeDefault(id, name) !== undefined);
      return field
        ? judgeDefault(exchange, field.name, nullIsNone, target, run)
        : nothingSeen("No option is null in it.");
    },
  },
  {
    id: "relations/same-request-same-answer",
    title: "The same scrape of a page that does not change gives the same result.",
    requirements: [sameAnswer],
    probes: repeatedIds.map(againId),
    consults,
    judge: (exchange, target, run) => {
      const first = repeatedIds.find((id) => againId(id) === exchange.id) ?? "";
      const about = { requirement: sameAnswer, expected: "the result of the same request before" };
      return judgeSame([factsBy(run, first), findFacts(exchange)], about, target, run);
    },
  },
];
