/** Faults of links, images and structured data. */
import { byDefault, deaf, without, type PageFault } from "./page-fault.ts";
import type { DataSpace, ScrapeOptions } from "../scrape.ts";
import type { Twist } from "../site-server.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

const structured = (data: unknown): Twist => ({
  scrape: (answer, asked): DataSpace =>
    asked.response_format && answer.structured?.success === true
      ? { ...answer, structured: { success: true, error: null, data } }
      : answer,
});

function plainlyAsksImages(asked: Partial<ScrapeOptions>): boolean {
  return asked.scrape_images === true && asked.use_link_placeholders === undefined;
}

/** Servers with one fault each. */
export const optionFaults: readonly PageFault[] = [
  {
    name: "drops links always",
    twist: { options: (options) => without(options, { scrape_links: false }) },
    check: "page/scrape_links-true",
    requirement: meaning("scrape_links"),
  },
  {
    name: "keeps links when it is told not to",
    twist: { options: deaf("scrape_links", { scrape_links: true }) },
    check: "page/scrape_links-false",
    requirement: meaning("scrape_links"),
  },
  {
    name: "drops links unless it is told otherwise",
    twist: { options: byDefault({ scrape_links: false }) },
    check: "page/scrape_links-default",
    requirement: "scrape.request.scrape_links.default",
  },
  {
    name: "knows no placeholders",
    twist: { options: deaf("use_link_placeholders", { use_link_placeholders: false }) },
    check: "page/use_link_placeholders-replaces",
    requirement: meaning("use_link_placeholders"),
  },
  {
    name: "has placeholders for links alone, and images spelled out",
    twist: { taste: { placeholder: (kind, address, number) => (kind === "image" ? address : `link-${number}`) } },
    check: "page/use_link_placeholders-replaces",
    requirement: meaning("use_link_placeholders"),
  },
  {
    name: "lists no images when they are asked for",
    twist: { scrape: (answer, asked) => (plainlyAsksImages(asked) ? { ...answer, images: [] } : answer) },
    check: "page/scrape_images-true",
    requirement: "scrape.optional-images",
  },
  {
    name: "lists images and says nothing of them",
    twist: {
      scrape: (answer, asked) =>
        plainlyAsksImages(asked)
          ? { ...answer, images: answer.images?.map(() => ({ url: null, category: null, description: null })) ?? null }
          : answer,
    },
    check: "page/scrape_images-true",
    requirement: "scrape.response.images.meaning",
  },
  {
    name: "lists the first image alone",
    twist: {
      scrape: (answer, asked) =>
        plainlyAsksImages(asked)
          ? { ...answer, images: answer.images?.filter(({ url }) => url?.includes("pelican")) ?? null }
          : answer,
    },
    check: "page/scrape_images-true",
    requirement: meaning("scrape_images"),
  },
  {
    name: "lists images when it is told not to",
    twist: { options: deaf("scrape_images", { scrape_images: true }) },
    check: "page/scrape_images-false",
    requirement: meaning("scrape_images"),
  },
  {
    name: "scrapes images unless it is told otherwise",
    twist: { options: byDefault({ scrape_images: true }) },
    check: "page/scrape_images-default",
    requirement: "scrape.request.scrape_images.default",
  },
  {
    name: "returns nothing at all for only the images",
    twist: { scrape: (answer, { only_images: only }) => (only ? { ...answer, images: null } : answer) },
    check: "page/only_images-brings-images",
    requirement: meaning("only_images"),
  },
  {
    name: "brings no images for only the images, unless images are asked for",
    twist: {
      scrape: (answer, { only_images: only, scrape_images: images }) =>
        only && !images ? { ...answer, images: null } : answer,
    },
    check: "page/only_images-alone-brings-images",
    requirement: "scrape.request.only_images.alone",
  },
  {
    name: "shows images in the Markdown when it is told not to bring any",
    twist: {
      scrape: (answer, asked) =>
        asked.scrape_images === false && Object.keys(asked).length === 1
          ? { ...answer, markdown: `${answer.markdown}\n\n![](pictures/imgpelican.svg)` }
          : answer,
    },
    check: "page/scrape_images-false-in-markdown",
    requirement: "scrape.request.scrape_images.none-in-markdown",
  },
  {
    name: "lists images by the address of the page",
    twist: {
      scrape: (answer, asked, { url }) => {
        const [first, ...rest] = answer.images ?? [];
        return first && plainlyAsksImages(asked) ? { ...answer, images: [{ ...first, url }, ...rest] } : answer;
      },
    },
    check: "page/image-urls",
    requirement: "image.url.meaning",
  },
  {
    name: "describes pictures by the texts of other ones",
    twist: {
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
    check: "page/image-descriptions",
    requirement: "image.description.meaning",
  },
  {
    name: "gives the texts of images for their addresses",
    twist: {
      scrape: (answer) => ({
        ...answer,
        images: answer.images?.map((one) => (one.description ? { ...one, url: one.description } : one)) ?? null,
      }),
    },
    check: "page/image-urls",
    requirement: "image.url.meaning",
  },
  {
    name: "gives the address of an image for its description",
    twist: {
      scrape: (answer) => ({
        ...answer,
        images: answer.images?.map((one) => ({ ...one, description: one.url })) ?? null,
      }),
    },
    check: "page/image-descriptions",
    requirement: "image.description.meaning",
  },
  {
    name: "says of images nothing but a category",
    twist: {
      scrape: (answer, asked) =>
        plainlyAsksImages(asked)
          ? { ...answer, images: answer.images?.map(() => ({ url: null, category: "icon" })) ?? null }
          : answer,
    },
    check: "page/scrape_images-true",
    requirement: "scrape.response.images.meaning",
  },
  {
    name: "lists an image without an address in place of one that has one",
    twist: {
      scrape: (answer, asked) =>
        plainlyAsksImages(asked)
          ? {
              ...answer,
              images:
                answer.images?.map((one) => (one.url?.includes("imgpuffin") ? { url: null, category: "icon" } : one)) ??
                null,
            }
          : answer,
    },
    check: "page/scrape_images-true",
    requirement: meaning("scrape_images"),
  },
  {
    name: "lists images relative to another folder",
    twist: { taste: { imageUrl: (_, written) => `/${written}` } },
    check: "page/image-urls",
    requirement: "image.url.meaning",
  },
  {
    name: "leaves out the structure that was asked for",
    twist: { scrape: (answer) => ({ ...answer, structured: null }) },
    check: "page/structured-on-request",
    requirement: "scrape.optional-structure",
  },
  {
    name: "gives an empty object for the structure that was asked for",
    twist: { scrape: (answer, asked) => (asked.response_format ? { ...answer, structured: {} } : answer) },
    check: "page/structured-on-request",
    requirement: "scrape.optional-structure",
  },
  {
    name: "gives the bare data in place of structured data",
    twist: {
      scrape: (answer, asked) =>
        asked.response_format
          ? { ...answer, structured: Object.assign({}, answer.structured?.data ?? { name: "none" }) }
          : answer,
    },
    check: "page/structured-on-request",
    requirement: "scrape.optional-structure",
  },
  {
    name: "succeeds with data that does not fit",
    twist: structured({ name: "Lamp ambervessel", offers: [{ price: "129.50 EUR", currency: "EUR" }] }),
    check: "page/structured-follows-schema",
    requirement: meaning("response_format"),
  },
  {
    name: "succeeds with properties that the schema forbids",
    twist: structured({ name: "Lamp ambervessel", offers: [{ price: 129.5, currency: "EUR" }], colour: "brass" }),
    check: "page/structured-follows-schema",
    requirement: meaning("response_format"),
  },
  {
    name: "succeeds with an empty object for what is not on the page",
    twist: {
      scrape: (answer) =>
        answer.structured?.success === false ? { ...answer, structured: { success: true, data: {} } } : answer,
    },
    check: "page/structured-follows-schema",
    requirement: "structured.success.meaning",
  },
  {
    name: "makes up data for what is not on the page",
    twist: {
      scrape: (answer) =>
        answer.structured?.success === false
          ? { ...answer, structured: { success: true, data: { imoNumber: "IMO 9074729", decks: 4 } } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "scrape.response.structured.meaning",
  },
  {
    name: "makes up an optional member that the page says nothing of",
    twist: {
      scrape: (answer, { response_format: format }) =>
        JSON.stringify(format ?? {}).includes("captain")
          ? { ...answer, structured: { success: true, data: { name: "Lamp ambervessel", captain: "J. Smith" } } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "scrape.response.structured.meaning",
  },
  ...[
    { what: "name", data: { name: "A lamp", offers: [{ price: 129.5, currency: "EUR" }] } },
    { what: "price", data: { name: "Lamp ambervessel", offers: [{ price: 99.9, currency: "EUR" }] } },
    { what: "free", data: { name: "Lamp ambervessel", offers: [{ price: 0, currency: "EUR" }] } },
    { what: "currency", data: { name: "Lamp ambervessel", offers: [{ price: 129.5, currency: "USD" }] } },
  ].map(({ what, data }) => ({
    name: `gets the ${what} of the product wrong`,
    twist: {
      scrape: (answer: DataSpace, asked: Partial<ScrapeOptions>): DataSpace =>
        JSON.stringify(asked.response_format ?? {}).includes("offers")
          ? { ...answer, structured: { success: true, error: null, data } }
          : answer,
    },
    check: "page/structured-is-of-page",
    requirement: "structured.data.meaning",
  })),
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
