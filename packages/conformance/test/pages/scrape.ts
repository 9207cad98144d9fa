/** Makes the result of a page scrape from the page that a browser is on. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Browser } from "./browser.ts";
import type { DomDocument, DomElement } from "./dom.ts";
import { MarkdownWriter, type Dialect } from "./markdown-writer.ts";

export interface ScrapeOptions {
  selector?: string | null;
  scrape_links: boolean;
  scrape_images: boolean;
  ignored_tags?: string[] | null;
  only_main_content: boolean;
  only_images: boolean;
  response_format?: object | null;
  instructions?: string | null;
  use_link_placeholders: boolean;
}

export const defaultOptions: ScrapeOptions = {
  scrape_links: true,
  scrape_images: false,
  only_main_content: false,
  only_images: false,
  use_link_placeholders: false,
};

export interface ListedImage {
  url: string | null;
  category?: string | null;
  description?: string | null;
}

export interface DataSpace {
  markdown: string;
  images?: ListedImage[] | null;
  structured?: { success?: boolean; error?: string | null; data?: unknown } | null;
}

/** Differences between correct servers. */
export interface Taste {
  dialect: Dialect;
  /** Writes what stands in place of an address. */
  placeholder: (kind: "link" | "image", address: string, number: number) => string;
  /** Address of an image in the list. */
  imageUrl: (address: string, source: string) => string | null;
  /** True to list other images besides those of the content. */
  otherImages: boolean;
  /** True to give null for missing images and structured data; false to leave the fields out. */
  nulls: boolean;
}

export function scrape({ document, url }: Browser, options: ScrapeOptions, taste: Taste): DataSpace {
  const empty = taste.nulls ? { images: null, structured: null } : {};
  const root = chosenPart(document, options);
  const images = options.scrape_images || options.only_images ? { images: listImages(document, url, taste) } : {};
  const structured = options.response_format ? { structured: extract(document, options.response_format) } : {};
  let number = 0;
  const writer = new MarkdownWriter({
    dialect: taste.dialect,
    page: url,
    links: options.scrape_links,
    images: options.scrape_images,
    ...(options.use_link_placeholders
      ? { placeholder: (kind: "link" | "image", address: string) => taste.placeholder(kind, address, (number += 1)) }
      : {}),
  });
  const markdown = options.only_images || !root ? "" : writer.write(root);
  return { markdown, ...empty, ...images, ...structured };
}

function chosenPart(
  document: DomDocument,
  { selector, ignored_tags, only_main_content }: ScrapeOptions,
): DomElement | null {
  const root = document.documentElement.cloneNode(true);
  const surroundings = only_main_content ? ["nav", "header", "footer", "aside"] : [];
  for (const tag of [...(ignored_tags ?? []), ...surroundings]) {
    for (const element of root.querySelectorAll(tag)) element.remove();
  }
  return selector === "html" ? root : root.querySelector(selector ?? "body");
}

function listImages(document: DomDocument, page: string, taste: Taste): ListedImage[] {
  const listImage = (source: string, category: string, description?: string): ListedImage => ({
    url: taste.imageUrl(new URL(source, page).href, source),
    category,
    ...(description === undefined ? {} : { description }),
  });
  const content = [...document.querySelectorAll("main img[alt]:not([role])")].map((image) =>
    listImage(image.getAttribute("src") ?? "", "content_image", image.getAttribute("alt") ?? ""),
  );
  if (!taste.otherImages) return content;
  return [
    listImage(document.querySelector("link[rel=icon]")?.getAttribute("href") ?? "/favicon.ico", "favicon"),
    ...[...document.querySelectorAll("nav img")].map((image) => listImage(image.getAttribute("src") ?? "", "icon")),
    ...content,
    ...[...document.querySelectorAll("img[role]")].map((image) =>
      listImage(image.getAttribute("src") ?? "", "decorative"),
    ),
    { url: null, category: "svg_content", description: "an arrow" },
  ];
}

/** Keeps no schema: requests bring their own. */
const ajv = new Ajv2020({ allowUnionTypes: true, addUsedSchema: false });

/** Takes the data of the product from the page, when it follows the schema. */
function extract(document: DomDocument, schema: object): NonNullable<DataSpace["structured"]> {
  const text = document.querySelector('script[type="application/ld+json"]')?.textContent ?? "{}";
  const { name, offers = {} }: { name?: string; offers?: { price?: number; priceCurrency?: string } } =
    JSON.parse(text);
  const heading = document.querySelector("h1")?.textContent;
  const whole = { name, heading, offers: [{ price: offers.price, currency: offers.priceCurrency }] };
  const { properties = {} }: { properties?: object } = schema;
  const data = Object.fromEntries(Object.entries(whole).filter(([member]) => Object.hasOwn(properties, member)));
  if (ajv.validate(schema, data)) return { success: true, error: null, data };
  return { success: false, error: "the page does not tell what was asked for", data: null };
}
