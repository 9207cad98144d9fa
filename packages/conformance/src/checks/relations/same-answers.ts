import type { Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { Target } from "../../target/target.ts";
import { nothingSeen, verdict, type Check, type Judgement, type Exchanges } from "../check.ts";
import { findFailingOption, listProbesOfChecks } from "./single-option-checks.ts";
import {
  makeAgainId,
  findBefore,
  makeDefaultId,
  defaultIds,
  idleInstructions,
  isolatingDefaults,
  listOptions,
  repeatedIds,
} from "./option-rows.ts";
import { makeCheck, type MoreOfCheck } from "../make-check.ts";
import { imageMarkers, linkMarkers, markers } from "../../site/pages/markers.ts";
import { findScrape } from "../pages/scrape.ts";

/** Content of an answer about the article, in a form that neither Markdown dialects nor ways to list images change. */
export interface Facts {
  /** Words of its text. */
  readonly words: readonly string[];
  /** Words of the addresses of its links. */
  readonly links: readonly string[];
  /** Words of the addresses of its images in the Markdown and in the list, and whether images are listed. */
  readonly images: readonly string[];
}

/** The kinds of facts: an option may change some of them and not others. */
const kindsOfFacts = ["words", "links", "images"] as const;

const articleWords = [
  markers.content,
  markers.rendered,
  markers.chosen,
  markers.table,
  markers.aside,
  markers.navigation,
  markers.footer,
].flatMap((words) => Object.values<string>(words));

const cache = new WeakMap<Exchange, Facts>();

/** Returns the facts in an answer; undefined when it is not a successful scrape. */
function findFacts(exchange: Exchange | undefined): Facts | undefined {
  const cached = exchange && cache.get(exchange);
  const facts = cached ?? readFacts(exchange);
  if (exchange && facts) cache.set(exchange, facts);
  return facts;
}

function readFacts(exchange: Exchange | undefined): Facts | undefined {
  const scrape = exchange && findScrape(exchange);
  if (!scrape || "reason" in scrape) return undefined;
  const isIn = (word: string): boolean => scrape.text.includes(word);
  const urls = scrape.images.map(({ url }) => (typeof url === "string" ? url.toLowerCase() : ""));
  const imageWords = Object.values(imageMarkers).filter((word) => urls.some((url) => url.includes(word)));
  return {
    words: articleWords.filter(isIn),
    links: Object.values(linkMarkers).filter(isIn),
    images: [
      ...Object.values(imageMarkers).filter(isIn),
      ...imageWords.map((word) => `${word} in the list`),
      ...(urls.length > 0 ? ["a list of images"] : []),
    ],
  };
}

/** Returns the first kind of facts in which two answers differ, with the missing and the added ones; undefined when they agree. */
function findDifference(
  one: Facts,
  other: Facts,
): { readonly kind: (typeof kindsOfFacts)[number]; readonly missing: string[]; readonly added: string[] } | undefined {
  return kindsOfFacts
    .map((kind) => ({
      kind,
      missing: one[kind].filter((word) => !other[kind].includes(word)),
      added: other[kind].filter((word) => !one[kind].includes(word)),
    }))
    .find(({ missing, added }) => missing.length + added.length > 0);
}

/** Ids of the scrapes that are compared with others. */
const comparedIds: readonly string[] = [...repeatedIds, ...repeatedIds.map(makeAgainId), ...defaultIds];

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
const consults: readonly string[] = [...comparedIds, ...listProbesOfChecks(Object.values(explanations).flat())];

/** Judges that two responses have the same content, unless the check of a single option explains the difference. */
function judgeSame(
  one: Facts | undefined,
  other: Facts | undefined,
  expected: string,
  target: Target,
  run: Exchanges,
): Judgement {
  if (!one || !other) return nothingSeen("One of the two did not succeed.");
  const difference = findDifference(one, other);
  if (!difference) return { assertions: 1, findings: [] };
  const { kind, missing, added } = difference;
  const failing = findFailingOption(explanations[kind], target, run);
  if (failing !== undefined) return nothingSeen(`A check of an option alone fails: ${failing}.`);
  const received = [
    ...(missing.length > 0 ? [`without ${missing.join(", ")}`] : []),
    ...(added.length > 0 ? [`with ${added.join(", ")}`] : []),
  ];
  const where = kind === "images" ? "body /images" : "body /markdown";
  return verdict(false, { where, expected, received: received.join(", and ") });
}

/** Returns whether a scrape has instructions: their effect may differ from time to time. */
const hasInstructions = (exchange: Exchange): boolean => listOptions(exchange)["instructions"] === idleInstructions;

function findFactsIn(run: Exchanges, id: string): Facts | undefined {
  return findFacts(run?.get(id));
}

/** Returns whether two responses have the same content; true when one of them can't be compared. */
function isSame(run: Exchanges, first: string, second: string): boolean {
  const exchange = run?.get(second);
  if (!exchange || hasInstructions(exchange)) return true;
  const [one, other] = [findFactsIn(run, first), findFacts(exchange)];
  return !one || !other || findDifference(one, other) === undefined;
}

function isSteady(run: Exchanges): boolean {
  return repeatedIds.every((id) => isSame(run, id, makeAgainId(id)));
}

/** Makes the scrapes that show which default changes a response; none when no default does. */
export function isolatingDefaultProbes(run: ReadonlyMap<string, Exchange>): Probe[] {
  return isSteady(run) ? isolatingDefaults((first, second) => isSame(run, first, second)) : [];
}

/** Returns the facts that most of the answers share in which one other option each has its default. */
function findCommonFacts(run: Exchanges, except: string): Facts | undefined {
  const all = defaultIds.flatMap((id) => (id === except ? [] : (findFactsIn(run, id) ?? [])));
  const alike = (facts: Facts): number => all.filter((other) => findDifference(facts, other) === undefined).length;
  return all.find((facts) => alike(facts) * 2 > all.length);
}

function judgeDefault(exchange: Exchange, option: string, target: Target, run: Exchanges): Judgement {
  const own = findFacts(exchange);
  const expected = `the same as without \`${option}\`, since its default is written out`;
  if (!isSteady(run)) return nothingSeen("The same request does not always give the same response.");
  if (exchange.id === makeDefaultId(option)) {
    return judgeSame(findCommonFacts(run, exchange.id), own, expected, target, run);
  }
  const before = findBefore(exchange.id, option);
  if (before === undefined || hasInstructions(exchange))
    return nothingSeen("The responses may differ for another reason.");
  return judgeSame(findFactsIn(run, before), own, expected, target, run);
}

const stated = scrapeFields.filter((field) => field.default !== null);
const nullable = scrapeFields.filter((field) => field.default === null);

/** Makes a check that writing out the defaults of some options changes nothing. */
const makeDefaultCheck = (id: string, options: readonly string[], more?: MoreOfCheck): Check =>
  makeCheck(
    id,
    options.map(makeDefaultId),
    (exchange, target, run) => {
      const option = options.find((name) => exchange.id === makeDefaultId(name) || findBefore(exchange.id, name));
      return option === undefined
        ? nothingSeen("No option is null in it.")
        : judgeDefault(exchange, option, target, run);
    },
    {
      ...more,
      consults,
      appliesTo: (exchange) => options.some((name) => findBefore(exchange.id, name) !== undefined),
    },
  );

/** Checks that equivalent requests have the same answer. Source: interface § ScrapeRequest. */
export const sameAnswerChecks: readonly Check[] = [
  ...stated.map(({ name }) =>
    makeDefaultCheck(`relations/${name}-default`, [name], {
      title: `Writing out the default of \`${name}\` changes nothing.`,
    }),
  ),
  makeDefaultCheck(
    "relations/null-says-nothing",
    nullable.map(({ name }) => name),
  ),
  makeCheck(
    "relations/same-request-same-answer",
    repeatedIds.map(makeAgainId),
    (exchange, target, run) => {
      const first = repeatedIds.find((id) => makeAgainId(id) === exchange.id) ?? "";
      return judgeSame(
        findFactsIn(run, first),
        findFacts(exchange),
        "the result of the same request before",
        target,
        run,
      );
    },
    { consults },
  ),
];
