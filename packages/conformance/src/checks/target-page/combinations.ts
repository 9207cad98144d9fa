/** Rules on scrapes of the page of the target with several options: each part still has its effect. */
import { notAbout, nothingSeen, verdict, type Judgement, type Exchanges } from "../check.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { Exchange } from "../../http/exchange.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { judgeScraped } from "../scrape/open-refusals.ts";
import { readSentOptions, type SentOptions } from "../scrape/sent-options.ts";
import {
  hasMost,
  type PageAnswer,
  type TargetPage,
  findFailingAlone,
  makePageRule,
  type PageRule,
  type PageJudge,
} from "./target-page.ts";
import {
  combinedIds,
  makeScrapeId,
  ignored,
  isOfTargetPage,
  parts,
  plainIds,
  severalIds,
  singleIds,
} from "./target-page-probes.ts";
import { partRules, structureRules } from "./page-parts.ts";
import {
  judgeImages,
  judgeLinksThere,
  judgeNoContent,
  judgeNoImages,
  judgeNoLinks,
  judgeReplaced,
  judgeTextStays,
  referenceRules,
} from "./references.ts";
import { listWordsOnlyIn } from "./markdown-content.ts";

/** A relation of a combination to its parts. */
interface Relation {
  readonly check: string;
  readonly when: (options: SentOptions) => boolean;
  readonly judge: PageJudge;
  /** Names of the options whose own rules are judged first: where one of them fails, the relation shows nothing new. */
  readonly alone: readonly string[];
}

const isIgnoring = ({ ignored_tags: tags }: SentOptions, which: keyof typeof ignored): boolean =>
  Array.isArray(tags) && tags[0] === ignored[which][0];

const hasPlaceholders = (options: SentOptions): boolean => options["use_link_placeholders"] === true;

/** Names of the scrapes with one option that removes text, each with a function that finds the option. */
const removals: readonly (readonly [name: string, has: (options: SentOptions) => boolean])[] = [
  ["main-content", (options) => options["only_main_content"] === true],
  ["of-body", ({ selector }) => selector === parts.body],
  ["ignoring-links", (options) => isIgnoring(options, "links")],
  ["ignoring-tables", (options) => isIgnoring(options, "tables")],
];

/** Returns the scrape with only that option of a combination that removes text, or with none; undefined when several remove text. */
function findBase({ options }: PageAnswer, page: TargetPage): PageAnswer | undefined {
  const [name = "plain", ...others] = removals.flatMap(([one, has]) => (has(options) ? one : []));
  if (others.length > 0 || options["only_images"] === true) return undefined;
  return name === "plain" ? page.plain : page.get(name);
}

/** Judges a combination beside the scrape with the one of its options that removes text. */
const onBase =
  (judge: (answer: PageAnswer, base: PageAnswer) => Judgement) =>
  (answer: PageAnswer, page: TargetPage): Judgement => {
    const base = findBase(answer, page);
    return base ? judge(answer, base) : notAbout("More than one of its options removes text.");
  };

/** Judges that the texts of links that an answer contains are links there, as on the whole page. */
function judgeLinkTexts({ content }: PageAnswer, { plain }: TargetPage): Judgement {
  const linkWords = listWordsOnlyIn(plain.content, "link").filter((word) => content.words.has(word));
  if (linkWords.length < 2) return nothingSeen("The main content shows no links of the page.");
  const linked = new Set(listWordsOnlyIn(content, "link"));
  return verdict(
    linkWords.some((word) => linked.has(word)),
    {
      where: "body /markdown",
      expected: "links of the page as links, as in its plain scrape",
      received: `${linkWords.length} words of their texts, and no link`,
    },
  );
}

const relations: readonly Relation[] = [
  {
    check: "relations/scrape_links-excludes",
    when: (options) => options["scrape_links"] === false,
    judge: judgeNoLinks,
    alone: ["page/scrape_links-false"],
  },
  {
    check: "relations/scrape_images-excludes",
    when: (options) => options["scrape_images"] !== true && options["only_images"] !== true,
    judge: judgeNoImages,
    alone: ["page/scrape_images-false", "page/scrape_images-default"],
  },
  {
    check: "relations/only_images-excludes",
    when: (options) => options["only_images"] === true,
    judge: judgeNoContent,
    alone: ["page/only_images-leaves-out-content"],
  },
  {
    check: "relations/use_link_placeholders-replaces",
    when: (options) => hasPlaceholders(options) && options["only_images"] !== true,
    judge: judgeReplaced,
    alone: ["page/use_link_placeholders-replaces"],
  },
  {
    check: "relations/ignored_tags-exclude",
    when: (options) => isIgnoring(options, "tables") && options["only_images"] !== true,
    judge: (answer, { plain }) => judgeLeftOut(answer, listWordsOnlyIn(plain.content, "table"), "a table"),
    alone: ["page/ignored_tags-are-ignored", "page/ignored_tags-are-left-out"],
  },
  {
    check: "relations/only_main_content-excludes",
    when: (options) => options["only_main_content"] === true && options["only_images"] !== true,
    judge: (answer, page) => judgeLeftOut(answer, listMissing(page.get("main-content"), page), "surroundings"),
    alone: ["page/only_main_content-leaves-out-surroundings"],
  },
  { check: "relations/content-remains", when: () => true, judge: onBase(judgeTextStays), alone: [] },
  {
    check: "relations/links-remain",
    when: (options) => options["scrape_links"] !== false && !hasPlaceholders(options),
    judge: onBase((answer, { content }) =>
      content.links.size === 0 ? nothingSeen("The page shows no links.") : judgeLinksThere(answer, [...content.links]),
    ),
    alone: ["page/scrape_links-true", "page/scrape_links-default"],
  },
  {
    check: "relations/images-remain",
    when: (options) =>
      options["scrape_images"] === true &&
      options["only_main_content"] !== true &&
      options["only_images"] !== true &&
      !hasPlaceholders(options),
    judge: (answer, page) => judgeImages(answer, page),
    alone: ["page/scrape_images-true"],
  },
];

/** Returns the words of the page that another scrape of it left out. */
function listMissing(answer: PageAnswer | undefined, { plain }: TargetPage): string[] {
  return answer ? [...plain.content.words.keys()].filter((word) => !answer.content.words.has(word)) : [];
}

/** Judges that content which one option leaves out stays out. */
function judgeLeftOut(answer: PageAnswer, words: readonly string[], what: string): Judgement {
  const isThere = hasMost(words, answer);
  if (isThere === undefined) return nothingSeen(`The page does not show ${what} that could be left out.`);
  return verdict(!isThere, {
    where: "body /markdown",
    expected: `nothing of the ${what} of the page, which the same option leaves out alone`,
    received: `Markdown with most of ${words.length} words of it`,
  });
}

/** Rules on one option at a time. */
export const singleRules: readonly PageRule[] = [...referenceRules, ...partRules, ...structureRules];

/** Scrapes with one option that changes no text: no other check judges what remains of them. */
const onlyReferences: readonly string[] = ["links-off", "images-on", "placeholders"].map(makeScrapeId);

function makeRule({ check, when, judge, alone }: Relation): PageRule {
  const own = singleRules.filter((rule) => alone.includes(rule.check));
  const base = makePageRule(
    check,
    [],
    (answer, page) => (when(answer.options) ? judge(answer, page) : notAbout("It has other options.")),
    [
      ...removals.map(([name]) => name),
      "images-on",
      "only-images",
      "default-of-scrape_links",
      "default-of-use_link_placeholders",
      "images-on-with-placeholders-off",
    ],
  );
  return {
    ...base,
    scrapes: [...onlyReferences, ...combinedIds],
    shownBy: [...base.shownBy, ...own.flatMap(({ scrapes, shownBy }) => [...scrapes, ...shownBy])],
    judge: (exchange, run) => {
      const judgement = base.judge(exchange, run);
      const failing = judgement.findings.length === 0 ? undefined : findFailingAlone(own, run);
      return failing === undefined ? judgement : nothingSeen(`It fails alone: ${failing}.`);
    },
  };
}

/** Scrapes of whatever page the session is on with one option, by its name; each has a check of its own. */
const scrapesWith: ReadonlyMap<string, string> = new Map(
  scrapeFields.flatMap(({ name, valid: [first] }) => (first ? [[name, `scrape/with-${name}-${first.word}`]] : [])),
);

/** Returns the judgement of a refusal that other checks judge: it names a field, or a scrape with fewer options is refused as well. */
function judgeTaken(exchange: Exchange, run: Exchanges): Judgement | undefined {
  if (exchange.response?.status === 200) return undefined;
  if (rejectedFields(exchange).length > 0) return nothingSeen("The refusal names a field, whose own check judges it.");
  const plain = run?.get(plainIds[0] ?? "")?.response?.status ?? 200;
  if (plain !== 200) return nothingSeen("A scrape without options fails, too.");
  const failing = Object.keys(readSentOptions(exchange) ?? {}).find((name) => {
    const alone = run?.get(scrapesWith.get(name) ?? "");
    return (alone?.response?.status ?? 200) !== 200;
  });
  return failing === undefined ? undefined : nothingSeen(`A scrape with \`${failing}\` alone fails, too.`);
}

const statusRules: readonly PageRule[] = [
  {
    check: "page/scrape-status-200",
    scrapes: singleIds,
    shownBy: [],
    consults: [...scrapesWith.values()],
    covers: (exchange) =>
      isOfTargetPage(exchange) && exchange.expects === "success" && !severalIds.includes(exchange.id),
    judge: (exchange, run) => judgeTaken(exchange, run) ?? judgeScraped(exchange, run),
  },
  {
    check: "relations/status-200",
    scrapes: severalIds,
    shownBy: singleIds,
    consults: [...scrapesWith.values()],
    judge: (exchange, run) => {
      const isRefused = singleIds.some((id) => (run?.get(id)?.response?.status ?? 200) !== 200);
      if (isRefused && exchange.response?.status !== 200) return nothingSeen("A scrape with one option fails, too.");
      return judgeTaken(exchange, run) ?? judgeScraped(exchange, run);
    },
  },
];

/** Rules on combinations, and on the status of all scrapes. */
export const combinationRules: readonly PageRule[] = [
  ...statusRules,
  ...relations.map(makeRule),
  makePageRule("relations/links-remain", ["main-content", "of-body"], judgeLinkTexts),
];
