import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import { pictureNames } from "../../site/pages/pictures.ts";
import { contentImages, imageAddress, onScraped, pictureAt, pictureOf, scraped, type Scraped } from "./scraped.ts";

const base = { level: "stated", operation: "page_scrape", needs: [] } as const;
const meaning = "scrape.request.scrape_images.meaning";

const alone = "scrape.request.only_images.alone";
const noneWritten = "scrape.request.scrape_images.none-in-markdown";

/** Probes that ask for images. */
const asking = ["page/images-on", "page/only-images", "page/only-images-asked"];

/**
 * Judges that both content images are listed. Addresses that are not the page's own (copies, data URLs) can't be matched to an
 * image: then only their number counts.
 */
export function judgeListed(
  exchange: Exchange,
  seen: Scraped,
  { pages }: Target,
  requirement: string,
  inText: boolean,
): Judgement {
  if (!pages) return nothingSeen("No page is known.");
  const urls = seen.images.map((image) => image["url"]);
  const kinds = urls.map((url) => imageAddress(url, exchange, pages));
  // An image without an address may be any one, unless others of the page have theirs.
  const unnamed = kinds.includes("picture") ? [] : kinds.filter((kind) => kind === "none");
  // What is no address at all is reported by the check of addresses.
  const elsewhere = kinds.filter((kind) => kind === "off-the-site" || kind === "no-address").length + unnamed.length;
  const words = Object.entries(contentImages);
  if (elsewhere >= words.length) return { seen: 1, findings: [] };
  return combine(
    words.map(([what, word]) => {
      const listed = urls.some((url) => typeof url === "string" && url.toLowerCase().includes(word));
      return verdict(listed || elsewhere > 0 || (inText && seen.text.includes(word)), {
        requirement,
        where: "body /images",
        expected: `the ${what} of the page (${word})`,
        received: `a list of ${seen.images.length} without it`,
      });
    }),
    "",
  );
}

/** Judges that no image is listed. Whether images may stand in the Markdown is a reading. */
export function judgeNone(seen: Scraped, requirement: string): Judgement {
  return verdict(seen.images.length === 0, {
    requirement,
    where: "body /images",
    expected: "no images",
    received: `a list of ${seen.images.length}`,
  });
}

/** Judges that no image stands in the Markdown. */
function judgeNoneWritten(seen: Scraped, requirement: string): Judgement {
  return combine(
    Object.entries(contentImages).map(([what, word]) =>
      verdict(!seen.text.includes(word), {
        requirement,
        where: "body /markdown",
        expected: `nothing of the ${what} of the page (${word})`,
        received: "Markdown with its address",
      }),
    ),
    "",
  );
}

/** Returns whether the scrape with `scrape_images` false returned no images, as far as that is known. */
function keepsImagesOff(run: ReadonlyMap<string, Exchange> | undefined): boolean {
  const exchange = run?.get("page/images-off");
  const seen = exchange && scraped(exchange);
  return seen === undefined || "reason" in seen || judgeNone(seen, meaning).findings.length === 0;
}

export function judgeAddresses(exchange: Exchange, { images }: Scraped, { pages }: Target): Judgement {
  if (!pages) return nothingSeen("No page is known.");
  const judged = images.flatMap((image, index) => {
    const kind = imageAddress(image["url"], exchange, pages);
    if (kind === "off-the-site" || kind === "none") return [];
    if (kind === "no-address") {
      const received = JSON.stringify(image["url"]);
      return verdict(false, {
        requirement: "image.url.meaning",
        where: `body /images/${index}/url`,
        expected: "an address",
        received,
      });
    }
    return verdict(kind === "picture", {
      requirement: "image.url.meaning",
      where: `body /images/${index}/url`,
      expected: "the address of an image of the page",
      received: `${JSON.stringify(image["url"])}, where the page's server has none`,
    });
  });
  return combine(judged, "No image has an address on the page's own server.");
}

/** Categories whose names contradict what the page says of a picture. */
const contradicting: Readonly<Record<keyof typeof pictureNames, readonly string[]>> = {
  content: ["favicon", "svg_icon", "svg_content"],
  "second content": ["favicon", "svg_icon", "svg_content"],
  decorative: ["favicon", "svg_icon", "svg_content"],
  icon: ["svg_icon", "svg_content"],
  favicon: ["content_image", "svg_icon", "svg_content"],
  svg: ["favicon"],
};

function judgeCategories({ images }: Scraped): Judgement {
  const judged = images.flatMap(({ url, category }, index) => {
    const picture = typeof category === "string" ? pictureAt(url) : undefined;
    if (picture === undefined) return [];
    const wrong = contradicting[picture].includes(String(category));
    return verdict(!wrong, {
      requirement: "image.category.fits",
      where: `body /images/${index}/category`,
      expected: `another category for the ${picture} picture (${pictureNames[picture]})`,
      received: JSON.stringify(category),
    });
  });
  return combine(judged, "No picture of the page has a category.");
}

const description = "image.description.meaning";

/** Judges that no image is described by the alternative text of another one. Any other text may be a description. */
function judgeDescriptions({ images }: Scraped): Judgement {
  const judged = images.flatMap(({ url, description: text }, index) => {
    const [picture, described] = [pictureAt(url), pictureOf(text)];
    if (typeof text === "string" && /^\s*https?:\/\/\S+\s*$/i.test(text)) {
      const where = `body /images/${index}/description`;
      return verdict(false, {
        requirement: description,
        where,
        expected: "a description of the image",
        received: JSON.stringify(text),
      });
    }
    if (picture === undefined || described === undefined) return [];
    return verdict(picture === described, {
      requirement: description,
      where: `body /images/${index}/description`,
      expected: `a description of the ${picture} picture (${pictureNames[picture]})`,
      received: `the alternative text of the ${described} picture: ${JSON.stringify(text)}`,
    });
  });
  return combine(judged, "No picture of the page has an alternative text of the page as its description.");
}

const listRequirement = "scrape.optional-images";
const identifiedRequirement = "scrape.response.images.meaning";

/** Returns whether a member of an image says which one it is: a category is one of many. */
const identifies = ([name, value]: [string, unknown]): boolean => name !== "category" && value !== null && value !== "";

/** Judges the list of images that was asked for: that there is one, that it says something of its images, and that it is of the page. */
function judgeAsked(exchange: Exchange, seen: Scraped, target: Target): Judgement {
  const where = "body /images";
  const count = seen.images.length;
  if (count === 0)
    return verdict(false, {
      requirement: listRequirement,
      where,
      expected: "a list of the images of the page",
      received: "no image",
    });
  if (!seen.images.some((image) => Object.entries(image).some(identifies)))
    return verdict(false, {
      requirement: identifiedRequirement,
      where,
      expected: "images with an address, or whatever else identifies them",
      received: `a list of ${count} of which nothing is said`,
    });
  return judgeListed(exchange, seen, target, meaning, false);
}

/** Judges the images of a scrape of nothing else. They may be in its Markdown. */
function judgeOnlyImages(exchange: Exchange, target: Target, requirement: string): Judgement {
  return onScraped(exchange, (seen) => judgeListed(exchange, seen, target, requirement, true));
}

/** Checks of images. Which category an image gets is left open. Source: interface § ScrapeRequest, § ImageData. */
export const imageChecks: readonly Check[] = [
  {
    ...base,
    id: "page/scrape_images-true",
    title: "With `scrape_images` true the images of the page are listed.",
    requirements: [meaning, listRequirement, identifiedRequirement],
    probes: ["page/images-on"],
    judge: (exchange, target) => onScraped(exchange, (seen) => judgeAsked(exchange, seen, target)),
  },
  {
    ...base,
    id: "page/scrape_images-false",
    title: "With `scrape_images` false no images are scraped.",
    requirements: [meaning],
    probes: ["page/images-off"],
    judge: (exchange) => onScraped(exchange, (seen) => judgeNone(seen, meaning)),
  },
  {
    ...base,
    id: "page/scrape_images-default",
    title: "Without `scrape_images` no images are scraped.",
    requirements: ["scrape.request.scrape_images.default"],
    probes: ["page/scrape"],
    judge: (exchange, _, run) =>
      keepsImagesOff(run)
        ? onScraped(exchange, (seen) => judgeNone(seen, "scrape.request.scrape_images.default"))
        : nothingSeen("Images came when none were asked for by name, too."),
  },
  {
    ...base,
    id: "page/only_images-brings-images",
    title: "With `only_images` and `scrape_images` the images of the page are scraped.",
    requirements: ["scrape.request.only_images.meaning"],
    probes: ["page/only-images-asked"],
    judge: (exchange, target) => judgeOnlyImages(exchange, target, "scrape.request.only_images.meaning"),
  },
  {
    ...base,
    level: "assumed",
    id: "page/only_images-alone-brings-images",
    title: "With `only_images` alone the images of the page are scraped, although `scrape_images` is false by default.",
    requirements: [alone],
    probes: ["page/only-images"],
    judge: (exchange, target, run) => {
      const asked = run?.get("page/only-images-asked");
      const failing = asked ? judgeOnlyImages(asked, target, alone).findings.length > 0 : false;
      return failing
        ? nothingSeen("None came with `scrape_images`, either.")
        : judgeOnlyImages(exchange, target, alone);
    },
  },
  {
    ...base,
    level: "assumed",
    id: "page/scrape_images-false-in-markdown",
    title: "With `scrape_images` false no image stands in the Markdown, either.",
    requirements: [noneWritten],
    probes: ["page/images-off"],
    judge: (exchange) => onScraped(exchange, (seen) => judgeNoneWritten(seen, noneWritten)),
  },
  {
    ...base,
    id: "page/image-urls",
    title: "The `url` of an image is the address of an image of the page.",
    requirements: ["image.url.meaning"],
    probes: asking,
    judge: (exchange, target) => onScraped(exchange, (seen) => judgeAddresses(exchange, seen, target)),
  },
  {
    ...base,
    id: "page/image-descriptions",
    title: "The `description` of an image is not the alternative text of another one.",
    requirements: [description],
    probes: asking,
    judge: (exchange) => onScraped(exchange, judgeDescriptions),
  },
  {
    ...base,
    level: "assumed",
    id: "page/image-categories",
    title: "The category of an image does not contradict what the page says of it.",
    requirements: ["image.category.fits"],
    probes: asking,
    judge: (exchange) => onScraped(exchange, judgeCategories),
  },
];
