import { addressOf, mediaTypeOf } from "./live-dom.ts";
import { wordsForAddress } from "./markdown/addresses.ts";
import { codeFence, escapeLabel, linkDestination } from "./markdown/escaping.ts";
import type { PageImage } from "./image-list.ts";

/** A document that is no HTML. Source: ours. */
export interface PlainDocument {
  /** What it says: text as it is, code in a fence, a link to what is no text. */
  readonly markdown: string;
  /** The document itself, when it is an image. */
  readonly images: readonly PageImage[];
  /** Its text, when that is JSON. */
  readonly json?: string;
}

/** A document without content that declares, as pages do in theirs, what a document of JSON says. Source: ours. */
export function declaringDocumentOf({ json }: PlainDocument): Document {
  const made = new DOMParser().parseFromString("<!doctype html>", "text/html");
  const script = made.head.appendChild(made.createElement("script"));
  script.type = "application/ld+json";
  script.append(json ?? "");
  return made;
}

/** Reads a document of text, data, an image or a film; undefined when it is HTML. Source: ours. */
export function readPlainDocument(of: Document, links: boolean, maxCharacters: number): PlainDocument | undefined {
  const type = mediaTypeOf(of).toLowerCase();
  if (type === "text/html" || type === "application/xhtml+xml") return undefined;
  const address = addressOf(of);
  const name = wordsForAddress(address);
  if (type.startsWith("image/")) {
    const description = of.querySelector("svg > title")?.textContent ?? null;
    const category = type.startsWith("image/svg") ? "svg_content" : "content_image";
    return { markdown: linkTo(name, address, links), images: [{ url: address, category, description }] };
  }
  if (/^(?:video|audio|font)\/|pdf|octet-stream/.test(type))
    return { markdown: linkTo(name, address, links), images: [] };
  const text = /[/+]xml$/.test(type)
    ? xmlOf(of)
    : (of.querySelector("pre")?.textContent ?? of.documentElement?.textContent ?? "");
  const shown = text.slice(0, maxCharacters).trimEnd();
  const isMarkdown = type === "text/markdown" || /\.(?:md|markdown)$/i.test(address.replace(/[?#].*$/s, ""));
  const markdown = isMarkdown ? shown : codeFence(shown, languageOf(type)).join("\n");
  return { markdown: shown === "" ? "" : markdown, images: [], ...(isJson(type) ? { json: text } : {}) };
}

function linkTo(name: string, address: string, links: boolean): string {
  return links && /^https?:/.test(address) ? `[${escapeLabel(name)}](${linkDestination(address)})` : escapeLabel(name);
}

/** What the browser shows of XML is a page of its own; the XML is kept within it. */
function xmlOf(of: Document): string {
  const kept = of.getElementById("webkit-xml-viewer-source-xml");
  const serializer = new XMLSerializer();
  if (kept === null) return serializer.serializeToString(of);
  return Array.from(kept.childNodes, (node) => serializer.serializeToString(node)).join("\n");
}

function languageOf(type: string): string {
  if (isJson(type)) return "json";
  if (type.endsWith("xml")) return "xml";
  if (type.includes("javascript")) return "js";
  return { "text/css": "css", "text/csv": "csv" }[type] ?? "";
}

function isJson(type: string): boolean {
  return type.includes("json");
}
