import { hasPrice, measureShare } from "./block-text-features.ts";
import { classGroupCount } from "./class-words.ts";
import { predictChance, type Trees, decodeTrees } from "./decision-trees.ts";
import { FeatureRow } from "./feature-row.ts";
import type { PageFacts } from "./page-facts.ts";
import { pageKindTrees } from "./page-kind-trees.ts";

/** Kinds of pages. */
export const pageKinds = ["article", "collection", "documentation", "forum", "listing", "product", "service"] as const;

/** Words in addresses and in classes of `body` that indicate a kind of page. */
const kindWords: readonly RegExp[] = [
  /\b(?:blog|blogs|news|post|posts|article|articles|story|stories|press|magazine|single|singular)\b/,
  /\b(?:19|20)\d\d\b/,
  /\b(?:product|products|item|itm|dp|sku|pd)\b/,
  /\b(?:collection|collections|category|categories|cat|shop|store|browse|catalog|c)\b/,
  /\b(?:forum|forums|thread|threads|topic|viewtopic|showthread|question|questions|community|discussion|discussions|boards|t|r|comments)\b/,
  /\b(?:doc|docs|documentation|reference|api|guide|manual|tutorial|wiki|learn|handbook)\b/,
  /\b(?:service|services|solutions|pricing|features|platform|about|program|programs|industries|consulting)\b/,
  /\b(?:list|best|top|archive|tag|tags|search|directory|jobs|events|rankings|index|home|homepage|category|author)\b/,
];
/** Types that pages declare, by the kind of page that they indicate. */
const declaredTypes: readonly RegExp[] = [
  /Article$|BlogPosting|Report$|Recipe$/,
  /Product/,
  /ItemList|CollectionPage|SearchResultsPage|OfferCatalog/,
  /Question|QAPage|DiscussionForumPosting|Comment|Answer/,
  /Service|LocalBusiness|SoftwareApplication|WebApplication|ProfessionalService/,
  /Offer$|AggregateOffer/,
  /FAQPage|HowTo|TechArticle|APIReference/,
  /ListItem/,
];
const openGraphKinds = ["", "article", "product", "website", "profile", "video"];
const dated = 'meta[property^="article:published"],meta[itemprop="datePublished"],time[pubdate]';

let trees: Trees[] | undefined;

/** Returns the probability of each of {@link pageKinds} for a page; they sum to 1. */
export function pageKindChances(row: FeatureRow): number[] {
  trees ??= pageKindTrees.map((table) => decodeTrees(table));
  const chances = trees.map((ofKind) => predictChance(ofKind(row.values)));
  const sum = chances.reduce((all, chance) => all + chance, 0);
  return chances.map((chance) => chance / sum);
}

/** Numbers of a page as a whole. */
export function pageKindRow(document: Document, facts: PageFacts): FeatureRow {
  const row = new FeatureRow();
  putAddress(row, document);
  row.put("dated", document.querySelector(dated) === null ? 0 : 1);
  row.put("authored", document.querySelector('meta[name="author"],[rel~="author"]') === null ? 0 : 1);
  putDeclaredTypes(row, document, facts);
  for (const [name, value] of pageSums(facts)) row.put(name, value);
  const groups = new Float64Array(classGroupCount);
  for (const entry of facts.outline.elements) {
    for (let bits = entry.groups, group = 0; bits !== 0; bits >>>= 1, group += 1) {
      if (bits & 1) groups[group] = (groups[group] ?? 0) + 1;
    }
  }
  for (const [group, count] of groups.entries())
    row.put(`group-${group}`, measureShare(count, facts.outline.elements.length));
  return row;
}

/** Sums over a page, by name. */
export function pageSums(facts: PageFacts): [name: string, value: number][] {
  const { blocks, elements } = facts.outline;
  const total = elements[0]?.words ?? 0;
  const countTags = (...names: string[]): number => names.reduce((sum, name) => sum + (facts.tags.get(name) ?? 0), 0);
  const countAll = (before: Float64Array): number => before[blocks.length] ?? 0;
  return [
    ["proseHolderShare", measureShare(facts.proseHolder?.words ?? 0, total)],
    ["pageWords", total],
    ["pageLinks", measureShare(countAll(facts.linkWordsBefore), total)],
    ["pageBlocks", blocks.length],
    ["pageProse", measureShare(countAll(facts.proseBefore), total)],
    ["pageMarks", measureShare(countAll(facts.marksBefore), total)],
    ["pageTaken", measureShare(countAll(facts.takenBefore), total)],
    ["pageParagraphs", countTags("p")],
    ["pageTimes", countTags("time")],
    ["pagePres", countTags("pre")],
    ["pageHeadings", countTags("h1", "h2", "h3", "h4", "h5", "h6")],
    ["pageListItems", countTags("li")],
    ["pagePrices", blocks.reduce((sum, block) => sum + (hasPrice(block) ? 1 : 0), 0)],
    ["pageArticles", countTags("article")],
    ["pageMains", facts.mains],
    ["pageKind", openGraphKinds.indexOf(facts.kind)],
    ["firstHeading", facts.firstHeading],
  ];
}

function putAddress(row: FeatureRow, document: Document): void {
  const address = readAddress(document);
  const path = address.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  const steps = path.split("/").filter((step) => step !== "");
  const slug = steps.at(-1) ?? "";
  row.put("steps", address === "" ? -1 : steps.length);
  row.put("slugHyphens", slug.split(/[-_]/).length);
  row.put("slugLength", slug.length);
  row.put("slugDigits", slug.match(/\d/g)?.length ?? 0);
  const inPath = path.toLowerCase();
  const inClasses = (document.querySelector("body")?.getAttribute("class") ?? "")
    .toLowerCase()
    .slice(0, 1000)
    .replace(/[-_]/g, " ");
  for (const [at, words] of kindWords.entries()) {
    row.put(`address-${at}`, words.test(inPath) ? 1 : 0);
    row.put(`body-${at}`, words.test(inClasses) ? 1 : 0);
  }
}

function putDeclaredTypes(row: FeatureRow, document: Document, facts: PageFacts): void {
  const types = [...facts.declared.types];
  for (const element of document.querySelectorAll("[itemtype]"))
    types.push(element.getAttribute("itemtype")?.slice(0, 200) ?? "");
  for (const [at, pattern] of declaredTypes.entries())
    row.put(`type-${at}`, types.filter((type) => pattern.test(type)).length);
  row.put("declaredRuns", facts.declared.runs.size);
}

function readAddress(document: Document): string {
  const canonical = document.querySelector('link[rel~="canonical"]')?.getAttribute("href");
  const shared = document.querySelector('meta[property="og:url"]')?.getAttribute("content");
  const address = [canonical, shared].find(
    (known) => known !== undefined && known !== null && /^https?:\/\/|^\//.test(known),
  );
  return (address ?? "").slice(0, 2000);
}
