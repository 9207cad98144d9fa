/** Rules on links and images of the page of the target. */
import { nothingSeen, verdict, type Judgement } from "../check.ts";
import type { Scrape } from "../pages/scrape.ts";
import {
  hasMost,
  inPlace,
  listsImages,
  type PageAnswer,
  type TargetPage,
  makePageRule,
  type PageRule,
} from "./target-page.ts";
import { listWords, listWordsOutside } from "./markdown-content.ts";

const markdown = "body /markdown";
const list = "body /images";
const noLinks = nothingSeen("The page shows no links.");
const noImages = nothingSeen("The page shows no images.");

/** Largest number of addresses that a finding quotes. */
const quoteCount = 3;
const quote = (addresses: readonly string[]): string => JSON.stringify(addresses.slice(0, quoteCount));

/** Judges that the links of another scrape are present. */
export function judgeLinksThere({ content, scrape }: PageAnswer, links: readonly string[]): Judgement {
  const missing = links.filter((address) => !content.links.has(address) && !scrape.markdown.includes(address));
  return verdict(missing.length === 0, {
    where: markdown,
    expected: `links to ${quote(missing)}, as in a scrape that differs in nothing else`,
    received: `Markdown with ${content.links.size} links, without these`,
  });
}

/** Judges that no link of the page is left. */
export function judgeNoLinks({ content, scrape }: PageAnswer, page: TargetPage): Judgement {
  if (page.links.length === 0) return noLinks;
  const leftovers = page.links.filter(
    (address) => content.links.has(address) || isWritten(scrape, address, page.plain),
  );
  return verdict(leftovers.length === 0, {
    where: markdown,
    expected: "no address of a link of the page",
    received: `Markdown with ${quote(leftovers)}`,
  });
}

/** Returns whether a whole address is written in a text, other than in text that the page itself shows to readers. */
function isWritten({ markdown: text }: Scrape, address: string, plain: PageAnswer): boolean {
  if (!/^https?:\/\/[^/]+\/./i.test(address) || !isWhole(text, address)) return false;
  const { length } = address;
  const visible = plain.scrape.markdown;
  for (let at = visible.indexOf(address); at >= 0; at = visible.indexOf(address, at + length)) {
    if (!/[(<"']$|\]:\s*$/.test(visible.slice(Math.max(0, at - 8), at))) return false;
  }
  return true;
}

/** Returns whether an address stands in a text, and is not the beginning of a longer one. */
function isWhole(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    if (!/^[\w/?#&=%~-]/.test(text.slice(at + address.length, at + address.length + 1))) return true;
  }
  return false;
}

/** Returns whether an address is so short that a placeholder for it saves nothing. */
const isShort = (address: string): boolean => address.startsWith("#");

/** Judges that no address stands where a placeholder should. A list of what the placeholders stand for is left open. */
export function judgeReplaced({ scrape, content, options }: PageAnswer, page: TargetPage): Judgement {
  const spelledOut = page.get("default-of-use_link_placeholders")?.content;
  const withImages = page.get("images-on-with-placeholders-off")?.content;
  const addresses = [spelledOut, withImages].flatMap((one) =>
    one ? Array.from(one.links).concat(Array.from(one.images)) : [],
  );
  const replaced = addresses.filter((address) => address !== "" && !isShort(address));
  if (replaced.length === 0) return nothingSeen("The page shows no links, and no images in its Markdown.");
  const isLikePlain = scrape.markdown === page.plain.scrape.markdown && Object.keys(options).length === 1;
  const { links, images } = isLikePlain ? content : inPlace(scrape);
  const leftovers = replaced.filter((address) => links.has(address) || images.has(address));
  return verdict(leftovers.length === 0, {
    where: markdown,
    expected: "placeholders in place of addresses",
    received: `the addresses themselves: ${quote(leftovers)}`,
  });
}

/** Judges that no images are listed. */
export function judgeNoImages(answer: PageAnswer, page: TargetPage): Judgement {
  if (!page.hasImages && !listsImages(answer)) return noImages;
  return verdict(!listsImages(answer), {
    where: list,
    expected: "no images",
    received: `a list of ${answer.scrape.images.length}`,
  });
}

/** Judges that images are listed, where the page shows some. */
export function judgeImages(answer: PageAnswer, page: TargetPage, requirement?: string): Judgement {
  if (!page.hasImages && !listsImages(answer)) return noImages;
  return verdict(listsImages(answer), {
    requirement,
    where: list,
    expected: "the images of the page, which other scrapes show",
    received: "no image",
  });
}

/** Judges the images of a scrape of images alone. They may be in its Markdown. */
function judgeOnlyImages(answer: PageAnswer, page: TargetPage): Judgement {
  if (answer.content.images.size > 0) return { assertions: 1, findings: [] };
  return judgeImages(answer, page);
}

/** Judges that the content of the page is left out: most of its words outside of links and images. */
export function judgeNoContent(answer: PageAnswer, page: TargetPage): Judgement {
  const descriptionWords = new Set(answer.scrape.images.flatMap(({ description }) => listWords(String(description))));
  const words = listWordsOutside(page.plain.content, "image").filter((word) => !descriptionWords.has(word));
  const isThere = hasMost(words, answer);
  if (isThere === undefined) return nothingSeen("The page shows too little text beside its images.");
  return verdict(!isThere, {
    where: markdown,
    expected: "no content of the page but its images",
    received: `Markdown with most of its ${words.length} words`,
  });
}

/** Minimum number of missing words for content to be lost: a label of a link may go with it. */
const lostWords = 3;

/** Judges that the text beside links, or beside images, stays when these are left out. */
export function judgeTextStays({ content }: PageAnswer, base: PageAnswer): Judgement {
  const words = listWordsOutside(base.content, "link", "image");
  if (words.length < lostWords) return nothingSeen("The page shows too little text beside its links.");
  const missing = words.filter((word) => !content.words.has(word));
  return verdict(missing.length < lostWords, {
    where: markdown,
    expected: `the text of the page beside its links and images, with ${quote(missing)}`,
    received: `Markdown without ${missing.length} of its ${words.length} words`,
  });
}

/** Judges that links are there by default, as when they are asked for. */
function judgeLinksByDefault(answer: PageAnswer, page: TargetPage): Judgement {
  const reference = page.get("default-of-scrape_links");
  if (!reference || reference.content.links.size === 0) return noLinks;
  if (answer.content.links.size > 0 && answer.content.text !== reference.content.text)
    return nothingSeen("The plain scrape has other text, too.");
  return judgeLinksThere(answer, [...reference.content.links]);
}

/** Judges that no images are listed by default, as when they are not asked for. */
const judgeNoImagesByDefault = (answer: PageAnswer, page: TargetPage): Judgement =>
  listsImages(page.get("default-of-scrape_images"))
    ? nothingSeen("Images came when none were asked for by name, too.")
    : judgeNoImages(answer, page);

/** Rules on links and images, one option at a time. */
export const referenceRules: readonly PageRule[] = [
  makePageRule("page/scrape_links-true", ["default-of-scrape_links"], (answer, { plain }) =>
    plain.content.links.size === 0 ? noLinks : judgeLinksThere(answer, [...plain.content.links]),
  ),
  makePageRule("page/scrape_links-false", ["links-off"], judgeNoLinks, ["default-of-scrape_links", "images-on"]),
  makePageRule("page/scrape_links-default", ["plain"], judgeLinksByDefault, ["default-of-scrape_links"]),
  makePageRule("page/use_link_placeholders-replaces", ["placeholders", "images-on-with-placeholders"], judgeReplaced, [
    "default-of-use_link_placeholders",
    "images-on-with-placeholders-off",
  ]),
  makePageRule(
    "page/scrape_images-true",
    ["images-on"],
    (answer, page) => judgeImages(answer, page, "scrape.optional-images"),
    ["only-images"],
  ),
  makePageRule("page/scrape_images-false", ["default-of-scrape_images"], judgeNoImages, ["images-on", "only-images"]),
  makePageRule("page/scrape_images-default", ["plain"], judgeNoImagesByDefault, [
    "images-on",
    "only-images",
    "default-of-scrape_images",
  ]),
  makePageRule("page/only_images-brings-images", ["images-on-with-only-images"], judgeOnlyImages, ["images-on"]),
  makePageRule("page/only_images-leaves-out-content", ["only-images", "images-on-with-only-images"], judgeNoContent),
];
