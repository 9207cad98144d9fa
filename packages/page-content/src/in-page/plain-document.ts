import { addressOf, mediaTypeOf } from "./flatten/live-dom.ts";
import { wordsForAddress } from "./markdown/addresses.ts";
import { codeFence, escapeLabel, linkDestination } from "./markdown/escaping.ts";
import type { PageImage } from "./image-list.ts";
import type { InPageRequest } from "./page-request.ts";

/** A document that is not HTML. */
export interface PlainDocument {
  /** Content: text as it is, code in a fence, a link to anything else. */
  readonly markdown: string;
  /** Link reference definition to append to the Markdown; may be empty. */
  readonly legend: string;
  /** The document itself, when it is an image. */
  readonly images: readonly PageImage[];
  /** Its text, when that is JSON. */
  readonly json?: string;
}

/** Returns an empty document that declares the data of a JSON document. */
export function copyDeclarations({ json }: PlainDocument): Document {
  const document = new DOMParser().parseFromString("<!doctype html>", "text/html");
  const script = document.head.appendChild(document.createElement("script"));
  script.type = "application/ld+json";
  script.append(json ?? "");
  return document;
}

/** Reads a document of text, data, an image or a film; undefined when it is HTML. */
export function readPlainDocument(
  of: Document,
  { links, placeholders, maxCharacters }: Pick<InPageRequest, "links" | "placeholders" | "maxCharacters">,
): PlainDocument | undefined {
  const type = mediaTypeOf(of).toLowerCase();
  if (type === "text/html" || type === "application/xhtml+xml") return undefined;
  const address = addressOf(of);
  const linked = linkTo(wordsForAddress(address), address, links, placeholders);
  if (type.startsWith("image/")) {
    const description = of.querySelector("svg > title")?.textContent ?? null;
    const category = type.startsWith("image/svg") ? "svg_content" : "content_image";
    return { ...linked, images: [{ url: address, category, description }] };
  }
  if (/^(?:video|audio|font)\/|pdf|octet-stream/.test(type)) return { ...linked, images: [] };
  const text = /[/+]xml$/.test(type)
    ? serializeXml(of)
    : (of.querySelector("pre")?.textContent ?? of.documentElement?.textContent ?? "");
  const shown = text.slice(0, maxCharacters).trimEnd();
  const isMarkdown = type === "text/markdown" || /\.(?:md|markdown)$/i.test(address.replace(/[?#].*$/s, ""));
  const markdown = isMarkdown ? shown : codeFence(shown, getLanguage(type)).join("\n");
  return { markdown: shown === "" ? "" : markdown, legend: "", images: [], ...(isJson(type) ? { json: text } : {}) };
}

function linkTo(
  name: string,
  address: string,
  links: boolean,
  placeholders: boolean,
): { readonly markdown: string; readonly legend: string } {
  if (!links || !/^https?:/.test(address)) return { markdown: escapeLabel(name), legend: "" };
  const words = `[${escapeLabel(name)}]`;
  const destination = linkDestination(address);
  return placeholders
    ? { markdown: `${words}[link1]`, legend: `[link1]: ${destination}` }
    : { markdown: `${words}(${destination})`, legend: "" };
}

/** Returns the XML within the page that the browser shows for it. */
function serializeXml(of: Document): string {
  const source = of.getElementById("webkit-xml-viewer-source-xml");
  const serializer = new XMLSerializer();
  if (source === null) return serializer.serializeToString(of);
  return Array.from(source.childNodes, (node) => serializer.serializeToString(node)).join("\n");
}

function getLanguage(type: string): string {
  if (isJson(type)) return "json";
  if (type.endsWith("xml")) return "xml";
  if (type.includes("javascript")) return "js";
  return { "text/css": "css", "text/csv": "csv" }[type] ?? "";
}

function isJson(type: string): boolean {
  return type.includes("json");
}
