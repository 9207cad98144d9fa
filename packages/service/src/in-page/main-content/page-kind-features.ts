import { isProse, shareOf } from "./block-text-features.ts";
import { classGroupCount } from "./class-words.ts";
import type { PageFacts } from "./page-facts.ts";

/** Words of addresses and of the classes of `body` that tell what kind of page it is, a feature each. */
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
const itemTypes = /schema\.org\/(?:(Article|NewsArticle|BlogPosting)|(Product)|(ItemList|CollectionPage|SearchResultsPage)|(Question|QAPage|DiscussionForumPosting|Comment))/;

/** Numbers of a page as a whole, with what the block model made of it. Source: ours. */
export function pageKindFeatures(document: Document, facts: PageFacts, chances: Float64Array): Record<string, number> {
  const { blocks, elements } = facts.outline;
  const address = addressOf(document);
  const path = address.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  const steps = path.split("/").filter((step) => step !== "");
  const slug = steps.at(-1) ?? "";
  const bodyClasses = (document.querySelector("body")?.getAttribute("class") ?? "").toLowerCase().slice(0, 1000);
  const features: Record<string, number> = {
    addressKnown: address === "" ? 0 : 1,
    steps: address === "" ? -1 : steps.length,
    slugHyphens: slug.split(/[-_]/).length,
    slugLength: slug.length,
    slugDigits: slug.match(/\d/g)?.length ?? 0,
  };
  const pathWords = path.toLowerCase();
  const classWords = bodyClasses.replace(/[-_]/g, " ");
  kindWords.forEach((words, at) => {
    features[`address-${at}`] = words.test(pathWords) ? 1 : 0;
    features[`body-${at}`] = words.test(classWords) ? 1 : 0;
  });
  features["hasDate"] = document.querySelector('meta[property^="article:published"],meta[itemprop="datePublished"],time[pubdate]') === null ? 0 : 1;
  features["hasAuthor"] = document.querySelector('meta[name="author"],[rel~="author"]') === null ? 0 : 1;
  const types = [0, 0, 0, 0];
  for (const element of document.querySelectorAll("[itemtype]")) {
    const found = itemTypes.exec(element.getAttribute("itemtype") ?? "");
    for (let type = 0; type < types.length; type += 1) if (found?.[type + 1] !== undefined) types[type] = (types[type] ?? 0) + 1;
  }
  types.forEach((count, type) => (features[`type-${type}`] = count));
  addSums(features, facts, chances);
  const groups = new Float64Array(classGroupCount);
  for (const entry of elements) if (entry.groups !== 0) for (let group = 0; group < classGroupCount; group += 1) if ((entry.groups >>> group) & 1) groups[group] = (groups[group] ?? 0) + 1;
  groups.forEach((count, group) => (features[`group-${group}`] = shareOf(count, elements.length)));
  features["blocks"] = blocks.length;
  return features;
}

function addSums(features: Record<string, number>, facts: PageFacts, chances: Float64Array): void {
  const { blocks } = facts.outline;
  let total = 0, expected = 0, sure = 0, sureBlocks = 0, sureProse = 0, sureLinks = 0, both = 0, longest = 0, run = 0, taken = 0;
  blocks.forEach((block, at) => {
    const chance = chances[at] ?? 0;
    const share = Math.max(0, facts.taken[at] ?? 0) * block.words;
    total += block.words;
    taken += share;
    expected += chance * block.words;
    if (chance <= 0.5) run = 0;
    else {
      sure += block.words;
      sureBlocks += 1;
      both += share;
      if (isProse(block)) sureProse += block.words;
      sureLinks += block.linkWords;
      run += block.words;
      longest = Math.max(longest, run);
    }
  });
  features["sureShare"] = shareOf(sure, total);
  features["expectedShare"] = shareOf(expected, total);
  features["sureOfExpected"] = shareOf(sure, expected);
  features["sureWords"] = sure;
  features["sureBlockWords"] = shareOf(sure, sureBlocks);
  features["sureProse"] = shareOf(sureProse, sure);
  features["sureLinks"] = shareOf(sureLinks, sure);
  features["sureTaken"] = shareOf(both, sure);
  features["takenSure"] = shareOf(both, taken);
  features["longestRun"] = shareOf(longest, sure);
}

function addressOf(document: Document): string {
  const canonical = document.querySelector('link[rel~="canonical"]')?.getAttribute("href");
  const shared = document.querySelector('meta[property="og:url"]')?.getAttribute("content");
  return [canonical, shared].find((address) => address != null && /^https?:\/\/|^\//.test(address)) ?? "";
}
