/** Faults of images. */
import { breaking, byDefault, deaf, type PageFault } from "./faulty-server.ts";
import { pictureNames, pictures } from "../../../src/site/pages/pictures.ts";
import type { DataSpace, ScrapeOptions } from "../scrape.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

function plainlyAsksImages(request: Partial<ScrapeOptions>): boolean {
  return request.scrape_images === true && Object.keys(request).length === 1;
}

/** Gives images other addresses, and takes their descriptions, which would tell what they are. */
function withUrls(answer: DataSpace, url: (at: number) => string): DataSpace {
  const images = answer.images?.map((one, at) => ({ ...one, url: url(at), description: null })) ?? null;
  return { ...answer, images };
}

/** Servers with one fault each. */
export const imageFaults: readonly PageFault[] = [
  ...breaking("page/scrape_images-true", "scrape.optional-images", {
    "lists no images when they are asked for": {
      scrape: (answer, request) => (plainlyAsksImages(request) ? { ...answer, images: [] } : answer),
    },
  }),
  ...breaking("page/scrape_images-true", "scrape.response.images.meaning", {
    "lists images and says nothing of them": {
      scrape: (answer, request) =>
        plainlyAsksImages(request)
          ? { ...answer, images: answer.images?.map(() => ({ url: null, category: null, description: null })) ?? null }
          : answer,
    },
    "says of images nothing but a category": {
      scrape: (answer, request) =>
        plainlyAsksImages(request)
          ? { ...answer, images: answer.images?.map(() => ({ url: null, category: "icon" })) ?? null }
          : answer,
    },
  }),
  ...breaking("page/scrape_images-true", meaning("scrape_images"), {
    "lists the first image alone": {
      scrape: (answer, request) =>
        plainlyAsksImages(request)
          ? { ...answer, images: answer.images?.filter(({ url }) => url?.includes("pelican")) ?? null }
          : answer,
    },
    "has the same picture for every copy of an image": {
      copies: () => ({ status: 200, body: pictures.get(pictureNames.icon)?.body ?? "" }),
    },
    "lists one image elsewhere, and that one many times": {
      scrape: (answer, request) =>
        plainlyAsksImages(request) ? withUrls(answer, () => "http://127.0.0.1:9/1.png") : answer,
    },
    "lists an image without an address in place of one that has one": {
      scrape: (answer, request) =>
        plainlyAsksImages(request)
          ? {
              ...answer,
              images:
                answer.images?.map((one) =>
                  one.url?.includes("imgpuffin") ? { url: null, category: "icon", description: "A bird" } : one,
                ) ?? null,
            }
          : answer,
    },
  }),
  ...breaking("page/scrape_images-false", meaning("scrape_images"), {
    "lists images when it is told not to": { options: deaf("scrape_images", { scrape_images: true }) },
  }),
  ...breaking("page/scrape_images-default", "scrape.request.scrape_images.default", {
    "scrapes images unless it is told otherwise": { options: byDefault({ scrape_images: true }) },
  }),
  ...breaking("page/only_images-brings-images", meaning("only_images"), {
    "returns nothing at all for only the images": {
      scrape: (answer, { only_images: only }) => (only ? { ...answer, images: null } : answer),
    },
  }),
  ...breaking("page/only_images-alone-brings-images", "scrape.request.only_images.alone", {
    "brings no images for only the images, unless images are asked for": {
      scrape: (answer, { only_images: only, scrape_images: images }) =>
        only && !images ? { ...answer, images: null } : answer,
    },
  }),
  ...breaking("page/scrape_images-false-in-markdown", "scrape.request.scrape_images.none-in-markdown", {
    "shows images in the Markdown when it is told not to bring any": {
      scrape: (answer, request) =>
        request.scrape_images === false && Object.keys(request).length === 1
          ? { ...answer, markdown: `${answer.markdown}\n\n![](pictures/imgpelican.svg)` }
          : answer,
    },
  }),
  ...breaking("page/image-urls", "image.url.meaning", {
    "lists images by the address of the page": {
      scrape: (answer, request, { url }) => {
        const [first, ...rest] = answer.images ?? [];
        return first && plainlyAsksImages(request) ? { ...answer, images: [{ ...first, url }, ...rest] } : answer;
      },
    },
    "gives the texts of images for their addresses": {
      scrape: (answer) => ({
        ...answer,
        images: answer.images?.map((one) => (one.description ? { ...one, url: one.description } : one)) ?? null,
      }),
    },
    "lists images relative to another folder": { taste: { imageUrl: (_, address) => `/${address}` } },
  }),
  ...breaking("page/image-descriptions", "image.description.meaning", {
    "describes pictures by the texts of other ones": {
      scrape: (answer) => {
        const texts = answer.images?.flatMap((one) => one.description ?? []) ?? [];
        const next = (text: string): string => texts[(texts.indexOf(text) + 1) % texts.length] ?? text;
        return {
          ...answer,
          images:
            answer.images?.map((one) => (one.description ? { ...one, description: next(one.description) } : one)) ??
            null,
        };
      },
    },
    "gives the address of an image for its description": {
      scrape: (answer) => ({
        ...answer,
        images: answer.images?.map((one) => ({ ...one, description: one.url })) ?? null,
      }),
    },
    "describes images by addresses without a scheme": {
      scrape: (answer) => ({
        ...answer,
        images: answer.images?.map((one) => ({ ...one, description: one.url?.replace("http:", "") ?? null })) ?? null,
      }),
    },
  }),
  ...[
    { what: "that no host can have", url: (at: number) => `https://evil.example/${at}.png` },
    { what: "that hold a text", url: () => "data:text/plain,boats" },
  ].map(({ what, url }) => ({
    name: `lists images at addresses ${what}`,
    twist: { scrape: (answer: DataSpace) => withUrls(answer, url) },
    check: "page/image-urls",
    requirement: "image.url.meaning",
  })),
  ...[
    { what: "are gone", answer: { status: 404, body: "" } },
    { what: "lead to a web page", answer: { status: 200, body: "<!doctype html><title>Parked</title>" } },
    { what: "lead to an empty file", answer: { status: 200, body: "" } },
  ].map(({ what, answer }) => ({
    name: `has copies of images whose addresses ${what}`,
    twist: { copies: () => answer },
    check: "page/image-urls",
    requirement: "image.url.meaning",
  })),
  ...breaking("page/images-identified", "image.identified", {
    "says of one image nothing but a category": {
      scrape: (answer) => ({
        ...answer,
        images: answer.images?.concat({ url: null, category: "content_image" }) ?? null,
      }),
    },
  }),
  ...[
    { file: "imgpelican", category: "favicon" },
    { file: "imgpelican", category: "svg_icon" },
    { file: "imgbeacon", category: "content_image" },
  ].map(({ file, category }) => ({
    name: `calls the picture ${file} a ${category}`,
    twist: {
      scrape: (answer: DataSpace): DataSpace => ({
        ...answer,
        images: answer.images?.map((one) => (one.url?.includes(file) ? { ...one, category } : one)) ?? null,
      }),
    },
    check: "page/image-categories",
    requirement: "image.category.fits",
  })),
];
