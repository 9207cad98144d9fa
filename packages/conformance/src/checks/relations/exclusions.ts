import type { Exchange } from "../../http/exchange.ts";
import { linkMarkers, markers } from "../../site/pages/markers.ts";
import { nothingSeen, type Check, type Judgement } from "../check.ts";
import { judgeNone } from "../pages/image-checks.ts";
import { copyIds } from "../pages/image-copies.ts";
import { judgeListed } from "../pages/listed-images.ts";
import { judgePlaceholders } from "../pages/link-checks.ts";
import { judgeAbsent, judgePresent, linkTexts, onScraped, type Markers, type Scraped } from "../pages/scraped.ts";
import type { Target } from "../../target/target.ts";
import { checksOfOptions, failingSingleOption, probesOfChecks, singleOptionProbes } from "./single-option-checks.ts";
import {
  idleInstructions,
  ignoredTags,
  mainPart,
  optionsIn,
  relationIds,
  smallPart,
  type Options,
} from "./option-rows.ts";

const { content, chosen, table, aside, navigation, footer, rendered, main } = markers;

const addresses: Markers = Object.fromEntries(
  Object.entries(linkMarkers).map(([what, word]) => [`address of the ${what}`, word]),
);

/** A metamorphic relation: a rule that holds under all other options, with the requests that it applies to and the checks that explain a failure. */
interface Relation {
  readonly name: string;
  readonly title: string;
  readonly requirement: string;
  readonly alone?: readonly string[];
  readonly when: (options: Options) => boolean;
  readonly judge: (
    seen: Scraped,
    requirement: string,
    exchange: Exchange,
    target: Target,
    run: ReadonlyMap<string, Exchange> | undefined,
  ) => Judgement;
}

const meaning = (option: string): string => `scrape.request.${option}.meaning`;
const isIgnoring = ({ ignored_tags: tags }: Options): boolean => Array.isArray(tags) && tags[0] === ignoredTags[0];

/** Returns whether no option of the request may change or remove the text of the page. */
const isPlainText = (options: Options): boolean =>
  options["only_images"] === false &&
  options["instructions"] !== idleInstructions &&
  (options["response_format"] ?? null) === null;

const isWide = ({ selector }: Options): boolean => selector !== smallPart;

/** Relations which hold that an option removes its content, whatever the other options are. */
const exclusions: readonly Relation[] = [
  {
    name: "selector-excludes",
    title: "Whatever the other options are, nothing from outside of the part that `selector` names is scraped.",
    requirement: meaning("selector"),
    when: ({ selector }) => typeof selector === "string",
    judge: (seen, requirement, exchange) => {
      const inMain = optionsIn(exchange)["selector"] === mainPart;
      const outside = { ...navigation, ...footer, ...aside, ...(inMain ? {} : { ...content, ...table, ...rendered }) };
      return judgeAbsent(seen, outside, requirement);
    },
  },
  {
    name: "ignored_tags-exclude",
    title: "Whatever the other options are, elements whose tag is in `ignored_tags` are left out.",
    requirement: "scrape.request.ignored_tags.with-content",
    when: isIgnoring,
    judge: (seen, requirement) => judgeAbsent(seen, { ...table, ...aside }, requirement),
  },
  {
    name: "scrape_links-excludes",
    title: "Whatever the other options are, with `scrape_links` false no address of a link is scraped.",
    requirement: meaning("scrape_links"),
    when: (options) => options["scrape_links"] === false,
    judge: (seen, requirement) => judgeAbsent(seen, addresses, requirement),
  },
  {
    name: "scrape_images-excludes",
    title:
      "Whatever the other options are, with `scrape_images` false no images are scraped, unless only they are asked for.",
    requirement: meaning("scrape_images"),
    when: (options) => options["scrape_images"] === false && options["only_images"] !== true,
    judge: (seen, requirement) => judgeNone(seen, requirement),
  },
  {
    name: "only_main_content-excludes",
    title: "Whatever the other options are, with `only_main_content` the navigation bar and the footer are left out.",
    requirement: meaning("only_main_content"),
    when: (options) => options["only_main_content"] === true,
    judge: (seen, requirement) => judgeAbsent(seen, { ...navigation, ...footer }, requirement),
  },
  {
    name: "only_images-excludes",
    title: "Whatever the other options are, with `only_images` the content of the page is left out.",
    requirement: meaning("only_images"),
    when: (options) => options["only_images"] === true,
    judge: (seen, requirement) => judgeAbsent(seen, { ...content, ...chosen, ...table }, requirement),
  },
  {
    name: "use_link_placeholders-replaces",
    title:
      "Whatever the other options are, with `use_link_placeholders` no address of a link or an image stands in its place.",
    requirement: meaning("use_link_placeholders"),
    when: (options) => options["use_link_placeholders"] === true && options["only_images"] !== true,
    judge: (seen) => judgePlaceholders(seen),
  },
];

/** Returns the content of the article that no option leaves out. */
function listRemaining(options: Options): Markers {
  if (!isWide(options)) return chosen;
  if (options["only_main_content"] === true) return main;
  const hasLinks = options["scrape_links"] !== false && options["use_link_placeholders"] !== true;
  return { ...content, ...(hasLinks ? linkTexts : {}) };
}

/** Relations which hold that content remains when no option removes it. */
const remainders: readonly Relation[] = [
  {
    name: "content-remains",
    title: "Paragraphs that no option leaves out are there, whatever the options are.",
    requirement: "scrape.response.markdown.meaning",
    alone: ["page/markdown-has-content"],
    when: (options) => isPlainText(options) && (isWide(options) || options["only_main_content"] !== true),
    judge: (seen, requirement, exchange) => judgePresent(seen, listRemaining(optionsIn(exchange)), requirement),
  },
  {
    name: "links-remain",
    title: "With `scrape_links` true the addresses of the links are there, unless an option leaves them out.",
    requirement: meaning("scrape_links"),
    when: (options) =>
      options["scrape_links"] === true &&
      options["use_link_placeholders"] === false &&
      isPlainText(options) &&
      isWide(options),
    judge: (seen, requirement) => judgePresent(seen, addresses, requirement),
  },
  {
    name: "images-remain",
    title: "With `scrape_images` true the images of the page are listed, unless an option leaves them out.",
    requirement: meaning("scrape_images"),
    when: (options) =>
      options["scrape_images"] === true &&
      options["only_main_content"] !== true &&
      options["only_images"] === false &&
      options["use_link_placeholders"] !== true &&
      isWide(options),
    judge: (seen, requirement, exchange, target, run) =>
      judgeListed(exchange, seen, target, { requirement, inText: false, run }),
  },
];

function makeCheck({ name, title, requirement, alone = [], when, judge }: Relation): Check {
  return {
    id: `relations/${name}`,
    title,
    requirements: [requirement],
    probes: relationIds,
    consults: [...singleOptionProbes, ...probesOfChecks(alone), ...copyIds],
    judge: (exchange, target, run) => {
      if (!when(optionsIn(exchange))) return nothingSeen("The request does not use these options.");
      const judgement = onScraped(exchange, (seen) => judge(seen, requirement, exchange, target, run));
      if (judgement.findings.length === 0) return judgement;
      const failing = failingSingleOption([...alone, ...checksOfOptions(optionsIn(exchange))], target, run);
      return failing === undefined ? judgement : nothingSeen(`It fails alone: ${failing}.`);
    },
  };
}

/** Checks of content that one option leaves out, and of content that none does, under all others. Source: interface § ScrapeRequest. */
export const exclusionChecks: readonly Check[] = [...exclusions, ...remainders].map(makeCheck);
