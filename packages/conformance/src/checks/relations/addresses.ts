import MarkdownIt, { type Token } from "markdown-it";
import type { Exchange } from "../../http/exchange.ts";
import { linkMarkers, linkTextMarkers } from "../../site/pages/markers.ts";
import type { Target } from "../../target/target.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { judgeAddresses } from "../pages/image-checks.ts";
import {
  foldText,
  classifyAddress,
  onScrape,
  findPictureAt,
  findPicture,
  type ImageAddress,
  type Scrape,
} from "../pages/scrape.ts";
import { listProbesOfChecks, judgeUnlessAlone } from "./single-option-checks.ts";
import { listOptions, relationIds } from "./option-rows.ts";
import { makeCheck } from "../make-check.ts";

/** Targets of the links of the article, by a word of their texts, seen from the page. */
const targets: readonly (readonly [text: string, address: string])[] = [
  [linkTextMarkers[0], `berths/${linkMarkers["relative link"]}`],
  [linkTextMarkers[1], `piers/${linkMarkers["absolute link"]}`],
  [linkTextMarkers[2], `pilots/${linkMarkers["link with a query"]}?tide=low&berth=4`],
];

interface Reference {
  readonly text: string;
  readonly address: string;
}

/** References of a Markdown text. */
interface References {
  readonly links: readonly Reference[];
  readonly images: readonly Reference[];
}

/** Maximum number of references of one scrape that are kept: more are searched for again. */
const keptReferences = 1_000;

/** Cache, since answers that are alike share their scrape. */
const cache = new WeakMap<Scrape, References>();

/** Collects the links and the images of a scrape's Markdown, and the links in its HTML. */
function collectReferences(scrape: Scrape): References {
  const references = cache.get(scrape) ?? readReferences(scrape.markdown);
  if (references.links.length + references.images.length <= keptReferences) cache.set(scrape, references);
  return references;
}

const parser = new MarkdownIt({ html: true });

function readReferences(markdown: string): References {
  const tokens = parser.parse(markdown, {}).flatMap(({ children }) => children ?? []);
  const links: Reference[] = [];
  const images: Reference[] = [];
  let open: { address: string; text: string } | undefined;
  for (const token of tokens) {
    const href = findHref(token);
    if (href !== undefined) open = { address: href, text: "" };
    else if (open && (token.type === "link_close" || /^<\/a\s*>/i.test(token.content))) {
      links.push(open);
      open = undefined;
    } else if (open) open.text += token.content;
    if (token.type === "image") images.push({ text: token.content, address: String(token.attrGet("src") ?? "") });
  }
  return { links, images };
}

/** Returns the target of a link that begins with a token; undefined for any other token. */
function findHref(token: Token): string | undefined {
  if (token.type === "link_open") return String(token.attrGet("href") ?? "");
  if (token.type !== "html_inline") return undefined;
  return /^<a\s[^>]*href="([^"]*)"/i.exec(token.content)?.[1]?.replaceAll("&amp;", "&");
}

/** Resolves an address against a page, without its fragment; undefined when it is not an address. */
function resolve(address: string, page: string): string | undefined {
  const url = URL.parse(address, page);
  if (url) url.hash = "";
  return url?.href;
}

function judgeLinks({ links }: References, { pages }: Target): Judgement {
  if (!pages) return nothingSeen("No page is known.");
  const page = pages.findAddress("article");
  const judgements = targets.flatMap(([word, address]) =>
    links.flatMap((link) =>
      foldText(link.text).includes(word) && isAddress(link.address)
        ? verdict(resolve(link.address, page) === resolve(address, page), {
            where: "body /markdown",
            expected: `the link with the text ${word} to lead to ${address}, as on the page`,
            received: JSON.stringify(link.address),
          })
        : [],
    ),
  );
  return combine(judgements, "No link of the page is there.");
}

/** Judges one image in the Markdown: it is one of the page, and the one that its text describes. */
function judgeImage({ text, address }: Reference, kind: ImageAddress): Judgement {
  const where = "body /markdown";
  const [textPicture, addressPicture] = [findPicture(text), findPictureAt(address)];
  if (textPicture !== undefined && addressPicture !== undefined && textPicture !== addressPicture)
    return verdict(false, {
      where,
      expected: `the image with the text ${JSON.stringify(text)} to be the ${textPicture} picture, as on the page`,
      received: JSON.stringify(address),
    });
  return verdict(kind !== "elsewhere-on-the-site", {
    where,
    expected: "images with addresses of images of the page",
    received: `${JSON.stringify(address)}, where the page's server has none`,
  });
}

function judgeImages(exchange: Exchange, { images }: References, { pages }: Target): Judgement {
  if (!pages) return nothingSeen("No page is known.");
  const judgements = images.map((image) =>
    isSaidToBeOff(exchange) && isPlaceholder(image)
      ? verdict(false, {
          requirement: "scrape.request.use_link_placeholders.meaning",
          where: "body /markdown",
          expected: `the address of the image with the text ${JSON.stringify(image.text)}: no placeholders were asked for`,
          received: JSON.stringify(image.address),
        })
      : judgeImage(image, classifyAddress(image.address, exchange, pages)),
  );
  return combine(judgements, "No image is in the Markdown.");
}

/** Returns whether placeholders are switched off by name; another check judges that leaving the option out is the same. */
const isSaidToBeOff = (exchange: Exchange): boolean => listOptions(exchange)["use_link_placeholders"] === false;

/** Returns whether a word stands where the address of an image of the page should: all of those have dots, and others have a scheme. */
const isPlaceholder = ({ text, address }: Reference): boolean =>
  findPicture(text) !== undefined && address !== "" && !/[./:]/.test(address);

/** Returns whether a text is an address. Without a dot or slash it may be a placeholder; other checks judge placeholders. */
const isAddress = (address: string): boolean => /[./]/.test(address);

/** Scrapes of the article in which links and images stand where they are on the page. */
const spelledOut = ["page/scrape", "page/links-on", "page/images-on", ...relationIds];

const isSpelledOut = (exchange: Exchange): boolean => listOptions(exchange)["use_link_placeholders"] !== true;

function judgeReferences(exchange: Exchange, target: Target): Judgement {
  if (!isSpelledOut(exchange)) return nothingSeen("Placeholders stand for links and images.");
  return onScrape(exchange, (scrape) => {
    const references = collectReferences(scrape);
    const judgements = [judgeLinks(references, target), judgeImages(exchange, references, target)];
    return combine(judgements, "No link and no image is there.");
  });
}

const alone = ["page/image-urls"];

/** Checks of where links and images point. Source: interface § What the service does, § ImageData. */
export const pageAddressChecks: readonly Check[] = [
  makeCheck("relations/links-lead-where-the-page-says", spelledOut, judgeReferences),
  makeCheck(
    "relations/image-urls",
    relationIds,
    (exchange, target, run) => {
      if (!isSpelledOut(exchange)) return nothingSeen("Placeholders stand for images.");
      const judgement = onScrape(exchange, (scrape) => judgeAddresses(exchange, scrape, target));
      return judgeUnlessAlone(judgement, alone, target, run);
    },
    { consults: listProbesOfChecks(alone) },
  ),
];
