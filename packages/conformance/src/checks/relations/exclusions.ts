import type { SentOptions } from "../scrape/sent-options.ts";
import { makeCheck } from "../make-check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { markers } from "../../site/pages/markers.ts";
import { nothingSeen, type Check, type Judgement, type Exchanges } from "../check.ts";
import { judgeNone } from "../pages/image-checks.ts";
import { copyIds, judgeListed } from "../pages/image-copies.ts";
import { judgePlaceholders } from "../pages/content-checks.ts";
import {
  judgeAbsent,
  judgePresent,
  linkTexts,
  onScrape,
  type Markers,
  type Scrape,
  linkAddresses,
} from "../pages/scrape.ts";
import type { Target } from "../../target/target.ts";
import {
  listChecksOfOptions,
  listProbesOfChecks,
  singleOptionProbes,
  judgeUnlessAlone,
} from "./single-option-checks.ts";
import { idleInstructions, ignoredTags, mainPart, listOptions, relationIds, smallPart } from "./option-rows.ts";

const { content, chosen, table, aside, navigation, footer, rendered, main } = markers;

/** A metamorphic relation: a rule that holds under all other options, with the requests that it applies to and the checks that explain a failure. */
interface Relation {
  readonly name: string;
  readonly alone?: readonly string[];
  readonly when: (options: SentOptions) => boolean;
  readonly judge: (scrape: Scrape, exchange: Exchange, target: Target, run: Exchanges) => Judgement;
}

const isIgnoring = ({ ignored_tags: tags }: SentOptions): boolean => Array.isArray(tags) && tags[0] === ignoredTags[0];

/** Returns whether no option of the request may change or remove the text of the page. */
const isPlainText = (options: SentOptions): boolean =>
  options["only_images"] === false &&
  options["instructions"] !== idleInstructions &&
  (options["response_format"] ?? null) === null;

const isWide = ({ selector }: SentOptions): boolean => selector !== smallPart;

/** Relations which hold that an option removes its content, whatever the other options are. */
const exclusions: readonly Relation[] = [
  {
    name: "selector-excludes",
    when: ({ selector }) => typeof selector === "string",
    judge: (scrape, exchange) => {
      const inMain = listOptions(exchange)["selector"] === mainPart;
      const outside = { ...navigation, ...footer, ...aside, ...(inMain ? {} : { ...content, ...table, ...rendered }) };
      return judgeAbsent(scrape, outside);
    },
  },
  { name: "ignored_tags-exclude", when: isIgnoring, judge: (scrape) => judgeAbsent(scrape, { ...table, ...aside }) },
  {
    name: "scrape_links-excludes",
    when: (options) => options["scrape_links"] === false,
    judge: (scrape) => judgeAbsent(scrape, linkAddresses),
  },
  {
    name: "scrape_images-excludes",
    when: (options) => options["scrape_images"] === false && options["only_images"] !== true,
    judge: judgeNone,
  },
  {
    name: "only_main_content-excludes",
    when: (options) => options["only_main_content"] === true,
    judge: (scrape) => judgeAbsent(scrape, { ...navigation, ...footer }),
  },
  {
    name: "only_images-excludes",
    when: (options) => options["only_images"] === true,
    judge: (scrape) => judgeAbsent(scrape, { ...content, ...chosen, ...table }),
  },
  {
    name: "use_link_placeholders-replaces",
    when: (options) => options["use_link_placeholders"] === true && options["only_images"] !== true,
    judge: judgePlaceholders,
  },
];

/** Returns the content of the article that no option leaves out. */
function listRemaining(options: SentOptions): Markers {
  if (!isWide(options)) return chosen;
  if (options["only_main_content"] === true) return main;
  const hasLinks = options["scrape_links"] !== false && options["use_link_placeholders"] !== true;
  return { ...content, ...(hasLinks ? linkTexts : {}) };
}

/** Relations which hold that content remains when no option removes it. */
const remainders: readonly Relation[] = [
  {
    name: "content-remains",
    alone: ["page/markdown-has-content"],
    when: (options) => isPlainText(options) && (isWide(options) || options["only_main_content"] !== true),
    judge: (scrape, exchange) => judgePresent(scrape, listRemaining(listOptions(exchange))),
  },
  {
    name: "links-remain",
    when: (options) =>
      options["scrape_links"] === true &&
      options["use_link_placeholders"] === false &&
      isPlainText(options) &&
      isWide(options),
    judge: (scrape) => judgePresent(scrape, linkAddresses),
  },
  {
    name: "images-remain",
    when: (options) =>
      options["scrape_images"] === true &&
      options["only_main_content"] !== true &&
      options["only_images"] === false &&
      options["use_link_placeholders"] !== true &&
      isWide(options),
    judge: (scrape, exchange, target, run) => judgeListed(exchange, scrape, target, { inText: false, run }),
  },
];

function makeRelationCheck({ name, alone = [], when, judge }: Relation): Check {
  return makeCheck(
    `relations/${name}`,
    relationIds,
    (exchange, target, run) => {
      const options = listOptions(exchange);
      if (!when(options)) return nothingSeen("The request does not use these options.");
      const judgement = onScrape(exchange, (scrape) => judge(scrape, exchange, target, run));
      return judgeUnlessAlone(judgement, [...alone, ...listChecksOfOptions(options)], target, run);
    },
    { consults: [...singleOptionProbes, ...listProbesOfChecks(alone), ...copyIds] },
  );
}

/** Checks of content that one option leaves out, and of content that none does, under all others. Source: interface § ScrapeRequest. */
export const exclusionChecks: readonly Check[] = [...exclusions, ...remainders].map(makeRelationCheck);
