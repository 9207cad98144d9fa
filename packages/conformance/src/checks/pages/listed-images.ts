import { combine, nothingSeen, verdict, type Judgement, type Run } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import { makeFindCopy, identify, type FindCopy } from "./image-copies.ts";
import {
  contentImages,
  classifyAddress,
  findPicture,
  type ImageAddress,
  type SitePicture,
  type Scraped,
} from "./scraped.ts";

/** An entry of a list of images, and what its address leads to. */
interface Entry {
  readonly url: unknown;
  readonly description: unknown;
  readonly kind: ImageAddress;
  readonly copy: ReturnType<FindCopy>;
}

/** The pictures of the article's content, with the words of their names. */
const pictures: readonly (readonly [SitePicture, what: string, word: string])[] = [
  ["content", "first picture", contentImages["first picture"] ?? ""],
  ["second content", "second picture", contentImages["second picture"] ?? ""],
];

/** Returns whether an entry is of a picture: by its name, by the bytes at its address, or by its description. */
function isOf(entry: Entry, picture: SitePicture, word: string): boolean {
  const { url, description, copy } = entry;
  if (typeof url === "string" && url.toLowerCase().includes(word)) return true;
  return copy === picture || (mayBeAny(entry) && findPicture(description) === picture);
}

/** Returns whether only its description shows what an entry is of. */
const mayBeAny = ({ kind, copy }: Entry): boolean =>
  kind === "none" || (kind === "off-the-site" && (copy === "image" || copy === "unreached"));

/** Counts the entries that may be of any picture, each address once. */
function countOpen(entries: readonly Entry[]): number {
  // An image without an address may be any one, unless others of the page have theirs.
  const isNamed = entries.some(({ kind }) => kind === "picture");
  const open = entries.filter(
    (entry) => mayBeAny(entry) && findPicture(entry.description) === undefined && (entry.kind !== "none" || !isNamed),
  );
  const different = new Set(open.map(({ url }, at) => (typeof url === "string" && url !== "" ? identify(url) : at)));
  // What is no address at all, or leads to no image, is reported by the check of addresses.
  return different.size + entries.filter(({ kind, copy }) => kind === "no-address" || copy === "nothing").length;
}

/**
 * Judges that both content images are listed. Where there are entries that can't be compared with them, such as copies in another
 * coding, and they are as many as are missing, nothing is shown.
 *
 * @param inText - True when the Markdown may have them as well.
 */
export function judgeListed(exchange: Exchange, seen: Scraped, target: Target, { inText, run }: ListedRule): Judgement {
  const { pages } = target;
  if (!pages) return nothingSeen("No page is known.");
  const findCopy = makeFindCopy(exchange, target, run);
  const entries = seen.images.map(({ url, description }): Entry => {
    return { url, description, kind: classifyAddress(url, exchange, pages), copy: findCopy(url) };
  });
  const missing = pictures.filter(
    ([picture, , word]) =>
      !entries.some((entry) => isOf(entry, picture, word)) && !(inText && seen.text.includes(word)),
  );
  if (missing.length > 0 && countOpen(entries) >= missing.length)
    return nothingSeen("Nothing shows whether the images are those of the page: they have other addresses, or none.");
  return combine(
    pictures.map((row) => {
      const [, what, word] = row;
      return verdict(!missing.includes(row), {
        where: "body /images",
        expected: `the ${what} of the page (${word})`,
        received: `a list of ${seen.images.length} without it`,
      });
    }),
    "",
  );
}

/** Options of judging a list of images. */
export interface ListedRule {
  /** True when the Markdown may have the images as well. */
  readonly inText: boolean;
  /** The other exchanges of the run; among them what was downloaded. */
  readonly run: Run;
}
