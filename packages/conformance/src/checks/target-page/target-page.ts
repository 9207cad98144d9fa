import { type SentOptions, readSentOptions } from "../scrape/sent-options.ts";
import { type Exchanges, notAbout, nothingSeen, type Judgement } from "../check.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { listProblems, schemaAt } from "../../contract/contract.ts";
import { isObject } from "../../http/json.ts";
import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { readMember, findScrape, type Scrape } from "../pages/scrape.ts";
import { nameDefault, makeScrapeId, isOfTargetPage, plainAfterwardsId, plainIds } from "./target-page-probes.ts";
import { parsedLength, readMarkdown, parseScrape, type MarkdownContent } from "./markdown-content.ts";

/** One scrape of the page of the target that succeeded. */
export interface PageAnswer {
  /** The options that it was asked with. */
  readonly options: SentOptions;
  readonly scrape: Scrape;
  readonly content: MarkdownContent;
}

/** The page that the open session of the target is on, as far as its scrapes show it. */
export interface TargetPage {
  /** Answer that most of the scrapes with one default each agree on: that of the plain scrape, unless it is wrong alone. */
  readonly plain: PageAnswer;
  /** Returns another scrape; undefined when it did not succeed. */
  readonly get: (name: string) => PageAnswer | undefined;
  /** Addresses that links of the page lead to, and that stand nowhere else. */
  readonly links: readonly string[];
  /** Addresses of images in its Markdown, with and without `scrape_images`. */
  readonly images: readonly string[];
  /** True when any scrape shows an image of the page. */
  readonly hasImages: boolean;
}

const answers = new WeakMap<Exchange, PageAnswer>();

/** Reads a scrape; undefined when it did not succeed, or is too long. */
export function findPageAnswer(exchange: Exchange | undefined): PageAnswer | undefined {
  if (!exchange) return undefined;
  const answer = answers.get(exchange) ?? readAnswer(exchange);
  if (answer) answers.set(exchange, answer);
  return answer;
}

function readAnswer(exchange: Exchange): PageAnswer | undefined {
  const scrape = findScrape(exchange);
  if ("reason" in scrape || !hasImagesAsDescribed(exchange)) return undefined;
  const content = parseScrape(scrape);
  return content && { options: readSentOptions(exchange) ?? {}, scrape, content };
}

const imagesSchema = schemaAt("DataSpace", ["images"]);

/** Returns whether the images of an answer have the form of the contract: only such are compared, and another check judges the form. */
function hasImagesAsDescribed(exchange: Exchange): boolean {
  const body = jsonAnswer(exchange, 200);
  const images = "value" in body ? readMember(body.value, "images") : undefined;
  return images === undefined || images === null || listProblems(images, imagesSchema).length === 0;
}

type Known = TargetPage | { readonly reason: string };

/** Cache of the page of a run: it is the same as long as the run has the same number of exchanges. */
const pages = new WeakMap<ReadonlyMap<string, Exchange>, { readonly size: number; readonly page: Known }>();

/** Returns the page as the scrapes of a run show it, or the reason why they show nothing reliable. */
export function findTargetPage(run: Exchanges): Known {
  if (!run) return { reason: "No other scrape of the page was made." };
  const cached = pages.get(run);
  if (cached?.size === run.size) return cached.page;
  const page = readPage(run);
  pages.set(run, { size: run.size, page });
  return page;
}

function readPage(run: NonNullable<Exchanges>): Known {
  const after = run.has(plainAfterwardsId) ? [plainAfterwardsId] : [];
  const scrapes = [...plainIds, ...after].map((id) => findPageAnswer(run.get(id)));
  const [plain, ...others] = scrapes;
  if (!plain || others.some((other) => !other)) return { reason: "A plain scrape of the page did not succeed." };
  const change = others.map((other) => other && findDifference(plain, other)).find((difference) => difference);
  if (change)
    return { reason: `The page changed during the run: its plain scrape gave other ${change.kind} at the end.` };
  if (plain.content.words.size === 0) return { reason: "The page shows no text." };
  return findPage(run, findCommonAnswer(run) ?? plain);
}

const defaultIds = scrapeFields.map(({ name }) => nameDefault(name));

/**
 * Returns the answer that most of the scrapes with one default each agree on: a deviation of a single one is a fault of its own.
 *
 * @param except - Id of a scrape that is left out. Default: none.
 */
export function findCommonAnswer(run: Exchanges, except?: string): PageAnswer | undefined {
  const all = defaultIds.flatMap((id) => (id === except ? [] : (findPageAnswer(run?.get(id)) ?? [])));
  const alike = (answer: PageAnswer): number =>
    all.filter((other) => findDifference(answer, other) === undefined).length;
  return all.find((answer) => alike(answer) * 2 > all.length);
}

function findPage(run: NonNullable<Exchanges>, plain: PageAnswer): TargetPage {
  const get = (name: string): PageAnswer | undefined => findPageAnswer(run.get(makeScrapeId(name)));
  const sources = [plain, ...["default-of-scrape_links", "images-on"].flatMap((name) => get(name) ?? [])];
  const images = new Set(
    sources.flatMap(({ content }) => Array.from(content.images)).filter((address) => address !== ""),
  );
  const links = new Set(sources.flatMap(({ content }) => Array.from(content.links)));
  return {
    plain,
    get,
    links: [...links].filter((address) => address.length > 1 && !images.has(address)),
    images: [...images],
    hasImages: images.size > 0 || listsImages(get("images-on")) || listsImages(get("only-images")),
  };
}

/** Returns whether a scrape lists images. */
export const listsImages = (answer: PageAnswer | undefined): boolean => (answer?.scrape.images.length ?? 0) > 0;

/** Kinds of content by which two answers are compared. */
export type Kind = "text" | "links" | "images" | "data";

/** A kind in which two answers differ. */
interface Difference {
  readonly kind: Kind;
  readonly first: string;
  readonly second: string;
}

/** Returns the differences between two answers. */
export function listDifferences(one: PageAnswer, other: PageAnswer): readonly Difference[] {
  const facts = [one, other].map(findFacts);
  const kinds: readonly Kind[] = ["text", "links", "images", "data"];
  return kinds
    .map((kind) => ({ kind, first: facts[0]?.[kind] ?? "", second: facts[1]?.[kind] ?? "" }))
    .filter(({ first, second }) => first !== second);
}

/** Returns the first difference between two answers; undefined when they agree. */
export function findDifference(one: PageAnswer, other: PageAnswer): Difference | undefined {
  return listDifferences(one, other)[0];
}

/** Returns what a Markdown text shows, without its list of the targets of references. */
export function inPlace(scrape: Scrape): Pick<MarkdownContent, "links" | "images"> {
  const text = withoutReferences.get(scrape) ?? readInPlace(scrape);
  withoutReferences.set(scrape, text);
  return text;
}

function readInPlace(scrape: Scrape): MarkdownContent {
  const text = scrape.markdown.replaceAll(/^ {0,3}\[[^\]\n]+\]:.*$/gm, "");
  return (text === scrape.markdown ? parseScrape(scrape) : undefined) ?? readMarkdown(text);
}

const withoutReferences = new WeakMap<Scrape, MarkdownContent>();

function findFacts({ scrape, content }: PageAnswer): Readonly<Record<Kind, string>> {
  return {
    text: content.text,
    links: `${[...content.links].sort().join(" ")}, in place: ${[...inPlace(scrape).links].sort().join(" ")}`,
    images: `${content.images.size} in the Markdown, ${scrape.images.length} in the list`,
    data: isObject(scrape.structured) ? "structured data" : "no structured data",
  };
}

/** Share of the words of some content above which it counts as present. */
const presentShare = 0.5;

/** Minimum number of words that a statement about content is based on. */
const fewestWords = 4;

/** Returns whether most of the words are in an answer; undefined when there are too few to decide. */
export function hasMost(words: readonly string[], { content }: PageAnswer, share = presentShare): boolean | undefined {
  if (words.length < fewestWords) return undefined;
  return words.filter((word) => content.words.has(word)).length > words.length * share;
}

/**
 * Returns the words that stand in a part of the page alone. Undefined unless the answer for its selector shows that there is
 * such a part: its words are a minority of those of the page, and none is from elsewhere.
 */
export function listWordsOfPart(page: TargetPage, name: string): string[] | undefined {
  const part = page.get(`of-${name}`);
  const nothing = page.get("of-nothing");
  const all = (page.get("default-of-only_main_content") ?? page.plain).content.words;
  if (!part || part.content.words.size === 0 || part.content.text === nothing?.content.text) return undefined;
  const words = [...part.content.words];
  if (words.some(([word]) => !all.has(word)) || words.length > all.size * 0.8) return undefined;
  return words.flatMap(([word, { count }]) => (all.get(word)?.count === count ? word : []));
}

/** Returns the reason why a scrape of the page of the target would show nothing, once the plain one is known; undefined for any other request. */
export function whyNeedless(probe: { readonly id: string }, run: NonNullable<Exchanges>): string | undefined {
  const plain = isOfTargetPage(probe) ? run.get(plainIds[0] ?? "") : undefined;
  if (!plain) return undefined;
  const scrape = findScrape(plain);
  if ("reason" in scrape) return `The plain scrape of the page shows nothing: ${scrape.reason}`;
  const { length } = scrape.markdown;
  return length > parsedLength ? `The page is longer than the suite parses as often: ${length} characters.` : undefined;
}

/** A rule of a check, applied to the page that the open session of the target is on. */
export interface PageRule {
  /** Id of the check. */
  readonly check: string;
  /** Ids of the scrapes that are judged. */
  readonly scrapes: readonly string[];
  /** Ids of the scrapes that show what the page has. */
  readonly shownBy: readonly string[];
  /** Ids of other scrapes that its judge looks up. Default: none but those that each rule looks at. */
  readonly consults?: readonly string[];
  /** Returns whether it judges a scrape that was generated during the run. */
  readonly covers?: (exchange: Exchange) => boolean;
  readonly judge: (exchange: Exchange, run: Exchanges) => Judgement;
}

/** Judges one scrape of a page that stayed as it was. */
export type PageJudge = (answer: PageAnswer, page: TargetPage) => Judgement;

/**
 * Makes a rule from a judge that needs to know the page: it judges nothing on a page that changes.
 *
 * @param of - Names of the scrapes that are judged.
 * @param beside - Names of other scrapes that it consults. Default: only the plain ones.
 */
export function makePageRule(
  check: string,
  of: readonly string[],
  judge: PageJudge,
  beside: readonly string[] = [],
): PageRule {
  return {
    check,
    scrapes: of.map(makeScrapeId),
    shownBy: [...plainIds, ...beside.map(makeScrapeId)],
    judge: (exchange, run) => {
      const page = findTargetPage(run);
      if ("reason" in page) return nothingSeen(page.reason);
      const answer = findPageAnswer(exchange);
      return answer
        ? judge(answer, page)
        : nothingSeen("The scrape did not succeed, or is longer than the suite parses.");
    },
  };
}

/** Judges an exchange by a rule, where the rule is about it. */
export function judgeBy(rule: PageRule, exchange: Exchange, run: Exchanges): Judgement {
  const isJudged = rule.scrapes.includes(exchange.id) || rule.covers?.(exchange) === true;
  return isJudged ? rule.judge(exchange, run) : notAbout("It shows what the page has, and is judged by others.");
}

/** Returns the check of a single option whose rule fails on a run: combinations show the same fault. */
export function findFailingAlone(rules: readonly PageRule[], run: Exchanges): string | undefined {
  const fails = ({ scrapes, judge }: PageRule): boolean =>
    scrapes.some((id) => {
      const exchange = run?.get(id);
      return exchange !== undefined && judge(exchange, run).findings.length > 0;
    });
  return rules.find(fails)?.check;
}
