/** Faults of images. */
import { pictureNames, pictures } from "../../../src/site/pages/pictures.ts";
import type { ListedImage } from "../scrape.ts";
import type { FileAnswer, Twist } from "../site-server.ts";
import { asksOnly, breakPages, byDefault, deaf, inAnswer, inEachImage, inImages } from "./faulty-server.ts";

const plainly = asksOnly("scrape_images", true);

/** Gives images other addresses, and takes their descriptions, which would tell what they are. */
const readdress =
  (url: (at: number) => string) =>
  (one: ListedImage, at: number): ListedImage => ({ ...one, url: url(at), description: null });
const isNamed = ({ url }: ListedImage, name: string): boolean => url?.includes(name) === true;

/** Describes each picture by the text of the next one that has one. */
const shiftTexts = (images: ListedImage[]): ListedImage[] => {
  const texts = images.flatMap((one) => one.description ?? []);
  const next = (text: string): string => texts[(texts.indexOf(text) + 1) % texts.length] ?? text;
  return images.map((one) => (one.description ? { ...one, description: next(one.description) } : one));
};

const copy = (answer: FileAnswer): Twist => ({ copies: () => answer });
const categorize = (name: string, category: string): Twist =>
  inEachImage((one) => (isNamed(one, name) ? { ...one, category } : one));

/** Servers with one fault each. */
export const imageFaults = breakPages({
  "page/scrape_images-true scrape.optional-images": {
    "lists no images when they are asked for": inImages(() => [], plainly),
  },
  "page/scrape_images-true scrape.response.images.meaning": {
    "lists images and says nothing of them": inEachImage(
      () => ({ url: null, category: null, description: null }),
      plainly,
    ),
    "says of images nothing but a category": inEachImage(() => ({ url: null, category: "icon" }), plainly),
  },
  "page/scrape_images-true scrape.request.scrape_images.meaning": {
    "lists the first image alone": inImages((images) => images.filter((one) => isNamed(one, "pelican")), plainly),
    "has the same picture for every copy of an image": copy({
      status: 200,
      body: pictures.get(pictureNames.icon)?.body ?? "",
    }),
    "lists one image elsewhere, and that one many times": inEachImage(
      readdress(() => "http://127.0.0.1:9/1.png"),
      plainly,
    ),
    "lists an image without an address in place of one that has one": inEachImage(
      (one) => (isNamed(one, "imgpuffin") ? { url: null, category: "icon", description: "A bird" } : one),
      plainly,
    ),
  },
  "page/scrape_images-false scrape.request.scrape_images.meaning": {
    "lists images when it is told not to": { options: deaf("scrape_images", { scrape_images: true }) },
  },
  "page/scrape_images-default scrape.request.scrape_images.default": {
    "scrapes images unless it is told otherwise": { options: byDefault({ scrape_images: true }) },
  },
  "page/only_images-brings-images scrape.request.only_images.meaning": {
    "returns nothing at all for only the images": inAnswer(
      (answer) => ({ ...answer, images: null }),
      ({ only_images: only }) => only === true,
    ),
  },
  "page/only_images-alone-brings-images scrape.request.only_images.alone": {
    "brings no images for only the images, unless images are asked for": inAnswer(
      (answer) => ({ ...answer, images: null }),
      ({ only_images: only, scrape_images: images }) => only === true && !images,
    ),
  },
  "page/scrape_images-false-in-markdown scrape.request.scrape_images.none-in-markdown": {
    "shows images in the Markdown when it is told not to bring any": inAnswer(
      (answer) => ({ ...answer, markdown: `${answer.markdown}\n\n![](pictures/imgpelican.svg)` }),
      asksOnly("scrape_images", false),
    ),
  },
  "page/image-urls image.url.meaning": {
    "lists images by the address of the page": inAnswer((answer, _, { url }) => {
      const [first, ...rest] = answer.images ?? [];
      return first ? { ...answer, images: [{ ...first, url }, ...rest] } : answer;
    }, plainly),
    "gives the texts of images for their addresses": inEachImage((one) =>
      one.description ? { ...one, url: one.description } : one,
    ),
    "lists images relative to another folder": { taste: { imageUrl: (_, address) => `/${address}` } },
    "lists images at addresses that no host can have": inEachImage(readdress((at) => `https://evil.example/${at}.png`)),
    "lists images at addresses that hold a text": inEachImage(readdress(() => "data:text/plain,boats")),
    "has copies of images whose addresses are gone": copy({ status: 404, body: "" }),
    "has copies of images whose addresses lead to a web page": copy({
      status: 200,
      body: "<!doctype html><title>Parked</title>",
    }),
    "has copies of images whose addresses lead to an empty file": copy({ status: 200, body: "" }),
  },
  "page/image-descriptions image.description.meaning": {
    "describes pictures by the texts of other ones": inImages(shiftTexts),
    "gives the address of an image for its description": inEachImage((one) => ({ ...one, description: one.url })),
    "describes images by addresses without a scheme": inEachImage((one) => ({
      ...one,
      description: one.url?.replace("http:", "") ?? null,
    })),
  },
  "page/images-identified image.identified": {
    "says of one image nothing but a category": inImages((images) => [
      ...images,
      { url: null, category: "content_image" },
    ]),
  },
  "page/image-categories image.category.fits": {
    "calls the picture imgpelican a favicon": categorize("imgpelican", "favicon"),
    "calls the picture imgpelican a svg_icon": categorize("imgpelican", "svg_icon"),
    "calls the picture imgbeacon a content_image": categorize("imgbeacon", "content_image"),
  },
});
