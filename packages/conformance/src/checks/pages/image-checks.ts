import { combine, nothingSeen, verdict, type Check, type Judgement, type Exchanges } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import { pictureNames } from "../../site/pages/pictures.ts";
import { askingForImages, makeFindCopy, copyIds, judgeCopy, judgeListed } from "./image-copies.ts";
import {
  contentImages,
  classifyAddress,
  onScrape,
  findPictureAt,
  findPicture,
  type Scrape,
  makeScrapeCheck,
  findScrapeIn,
} from "./scrape.ts";
import { makeCheck } from "../make-check.ts";

/** Judges that no image is listed. Whether images may stand in the Markdown is a reading. */
export function judgeNone(scrape: Scrape): Judgement {
  return verdict(scrape.images.length === 0, {
    where: "body /images",
    expected: "no images",
    received: `a list of ${scrape.images.length}`,
  });
}

/** Judges that no image stands in the Markdown. */
function judgeNoneWritten(scrape: Scrape): Judgement {
  return combine(
    Object.entries(contentImages).map(([what, word]) =>
      verdict(!scrape.text.includes(word), {
        where: "body /markdown",
        expected: `nothing of the ${what} of the page (${word})`,
        received: "Markdown with its address",
      }),
    ),
    "",
  );
}

/** Returns whether the scrape with `scrape_images` false returned no images, as far as that is known. */
function keepsImagesOff(run: Exchanges): boolean {
  const scrape = findScrapeIn(run, "page/images-off");
  return scrape === undefined || judgeNone(scrape).findings.length === 0;
}

/** Judges the addresses of images: each is that of an image of the page, or may be that of a copy. */
export function judgeAddresses(exchange: Exchange, { images }: Scrape, target: Target): Judgement {
  const { pages } = target;
  if (!pages) return nothingSeen("No page is known.");
  const findCopy = makeFindCopy(exchange, target, undefined); // downloads are judged one by one
  const judgements = images.flatMap(({ url }, index) => {
    const kind = classifyAddress(url, exchange, pages);
    if (kind === "none") return [];
    const [where, received] = [`body /images/${index}/url`, JSON.stringify(url)];
    if (kind === "no-address") return verdict(false, { where, expected: "an address", received });
    if (kind !== "off-the-site")
      return verdict(kind === "picture", {
        where,
        expected: "the address of an image of the page",
        received: `${received}, where the page's server has none`,
      });
    const copy = findCopy(url);
    if (copy === "unreached" || copy === "image") return [];
    return verdict(copy !== "nothing", {
      where,
      expected: "the address of an image of the page, or of a copy of it",
      received: `${received}, where no image can be`,
    });
  });
  return combine(judgements, "Nothing shows whether an address is that of an image of the page.");
}

/** Categories whose names contradict the page's description of a picture. */
const contradicting: Readonly<Record<keyof typeof pictureNames, readonly string[]>> = {
  content: ["favicon", "svg_icon", "svg_content"],
  "second content": ["favicon", "svg_icon", "svg_content"],
  decorative: ["favicon", "svg_icon", "svg_content"],
  icon: ["svg_icon", "svg_content"],
  favicon: ["content_image", "svg_icon", "svg_content"],
  svg: ["favicon"],
};

function judgeCategories({ images }: Scrape): Judgement {
  const judgements = images.flatMap(({ url, category }, index) => {
    const picture = typeof category === "string" ? findPictureAt(url) : undefined;
    if (picture === undefined) return [];
    const wrong = contradicting[picture].includes(String(category));
    return verdict(!wrong, {
      where: `body /images/${index}/category`,
      expected: `another category for the ${picture} picture (${pictureNames[picture]})`,
      received: JSON.stringify(category),
    });
  });
  return combine(judgements, "No picture of the page has a category.");
}

/** Returns whether a text is an address: in full, as data, without a scheme, or one that an image of the list has. */
function isAddress(text: string, images: Scrape["images"]): boolean {
  const trimmed = text.trim();
  if (/^(?:(?:https?:)?\/\/|data:|blob:)\S+$/i.test(trimmed)) return true;
  const isWritten = /^[^\s]*[/.][^\s]*$/.test(trimmed);
  return isWritten && (images.some(({ url }) => url === trimmed) || findPictureAt(trimmed) !== undefined);
}

/** Judges that no image is described by an address, or by the alternative text of another one. Any other text may be a description. */
function judgeDescriptions({ images }: Scrape): Judgement {
  const judgements = images.flatMap(({ url, description: text }, index) => {
    if (typeof text !== "string") return [];
    const where = `body /images/${index}/description`;
    if (isAddress(text, images))
      return verdict(false, { where, expected: "a description of the image", received: JSON.stringify(text) });
    const [picture, subject] = [findPictureAt(url), findPicture(text)];
    if (picture === undefined || subject === undefined) return [];
    return verdict(picture === subject, {
      where,
      expected: `a description of the ${picture} picture (${pictureNames[picture]})`,
      received: `the alternative text of the ${subject} picture: ${JSON.stringify(text)}`,
    });
  });
  return combine(judgements, "No picture of the page has an alternative text of the page as its description.");
}

/** Returns whether a member of an image says which one it is: a category is one of many. */
const identifies = ([name, value]: [string, unknown]): boolean => name !== "category" && value !== null && value !== "";

const isIdentified = (image: object): boolean => Object.entries(image).some(identifies);

/** Categories of images that stand in the page itself, and have no address. */
const inline: ReadonlySet<string> = new Set(["svg_icon", "svg_content"]);

/** Judges that each image has something that identifies it. */
function judgeIdentified({ images }: Scrape): Judgement {
  if (!images.some(isIdentified)) return nothingSeen("Nothing is said of any image, which another check judges.");
  const judgements = images.flatMap((image, index) =>
    inline.has(String(image["category"]))
      ? []
      : verdict(isIdentified(image), {
          where: `body /images/${index}`,
          expected: "an address, a description, or anything else that identifies the image",
          received: JSON.stringify(image),
        }),
  );
  return combine(judgements, "No image is listed that would have to have an address.");
}

/** Judges a requested list of images: that it exists, that it describes its images, and that they are those of the page. */
function judgeAsked(exchange: Exchange, scrape: Scrape, target: Target, run: Exchanges): Judgement {
  const where = "body /images";
  const count = scrape.images.length;
  if (count === 0)
    return verdict(false, {
      requirement: "scrape.optional-images",
      where,
      expected: "a list of the images of the page",
      received: "no image",
    });
  if (!scrape.images.some(isIdentified))
    return verdict(false, {
      requirement: "scrape.response.images.meaning",
      where,
      expected: "images with an address, or whatever else identifies them",
      received: `a list of ${count} of which nothing is said`,
    });
  return judgeListed(exchange, scrape, target, { inText: false, run });
}

/** Judges the images of a scrape of images alone. They may be in its Markdown. */
function judgeOnlyImages(exchange: Exchange, target: Target, run: Exchanges): Judgement {
  return onScrape(exchange, (scrape) => judgeListed(exchange, scrape, target, { inText: true, run }));
}

/** Checks of images. Which category an image gets is left open. Source: interface § ScrapeRequest, § ImageData. */
export const imageChecks: readonly Check[] = [
  makeCheck(
    "page/scrape_images-true",
    ["page/images-on"],
    (exchange, target, run) => onScrape(exchange, (scrape) => judgeAsked(exchange, scrape, target, run)),
    {
      requirements: [
        "scrape.request.scrape_images.meaning",
        "scrape.optional-images",
        "scrape.response.images.meaning",
      ],
      consults: copyIds,
    },
  ),
  makeScrapeCheck("scrape_images-false", ["page/images-off"], judgeNone),
  makeCheck(
    "page/scrape_images-default",
    ["page/scrape"],
    (exchange, _, run) =>
      keepsImagesOff(run)
        ? onScrape(exchange, judgeNone)
        : nothingSeen("Images came when none were asked for by name, too."),
    { consults: ["page/images-off"] },
  ),
  makeCheck(
    "page/only_images-brings-images",
    ["page/only-images-asked"],
    (exchange, target, run) => {
      const others = run?.get("page/images-on");
      const judgements = others && onScrape(others, (scrape) => judgeAsked(others, scrape, target, run));
      return judgements && judgements.findings.length > 0
        ? nothingSeen("They are missing with `scrape_images` alone, too.")
        : judgeOnlyImages(exchange, target, run);
    },
    { consults: ["page/images-on", ...copyIds] },
  ),
  makeCheck(
    "page/only_images-alone-brings-images",
    ["page/only-images"],
    (exchange, target, run) => {
      const others = run?.get("page/only-images-asked");
      return others && judgeOnlyImages(others, target, run).findings.length > 0
        ? nothingSeen("None came with `scrape_images`, either.")
        : judgeOnlyImages(exchange, target, run);
    },
    { consults: ["page/only-images-asked", ...copyIds] },
  ),
  makeScrapeCheck("scrape_images-false-in-markdown", ["page/images-off"], (scrape) =>
    judgeNone(scrape).findings.length > 0 ? nothingSeen("Images are listed, too.") : judgeNoneWritten(scrape),
  ),
  makeCheck("page/image-urls", [...askingForImages, ...copyIds], (exchange, target) =>
    copyIds.includes(exchange.id)
      ? judgeCopy(exchange)
      : onScrape(exchange, (scrape) => judgeAddresses(exchange, scrape, target)),
  ),
  makeScrapeCheck("image-descriptions", askingForImages, judgeDescriptions),
  makeScrapeCheck("images-identified", askingForImages, judgeIdentified),
  makeScrapeCheck("image-categories", askingForImages, judgeCategories),
];
