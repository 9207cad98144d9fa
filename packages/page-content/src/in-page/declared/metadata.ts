import type { DeclaredContent } from "./declared-data.ts";
import { readShownText } from "./shown-text.ts";
import { absoluteAddress } from "./shown-value.ts";

const maxElements = 300;
const maxValues = 20;
const maxValueLength = 4_000;
const addresses = /(?:^|:)(?:url|image|video|audio|src|secure_url)$/;

type Metadata = Pick<DeclaredContent, "url" | "title" | "canonical" | "lang" | "meta">;

/** Reads the metadata in the head of a document. */
export function readMetadata(document: Document): Metadata {
  const base = document.baseURI;
  const title = document.querySelector("title");
  const canonical = absoluteAddress(document.querySelector('link[rel~="canonical" i]')?.getAttribute("href"), base);
  const lang = document.documentElement?.getAttribute("lang")?.trim();
  const heading = title ? readShownText(title) : "";
  return {
    url: document.URL || base,
    ...(heading ? { title: heading } : {}),
    ...(canonical ? { canonical } : {}),
    ...(lang ? { lang } : {}),
    meta: readMeta(document, base),
  };
}

function readMeta(document: Document, base: string): DeclaredContent["meta"] {
  const values = new Map<string, string[]>();
  for (const element of [...document.querySelectorAll("meta[content]")].slice(0, maxElements)) {
    const name = (element.getAttribute("property") ?? element.getAttribute("name") ?? "").trim().toLowerCase();
    const content = element.getAttribute("content")?.trim().slice(0, maxValueLength);
    if (!name || !content) continue;
    const value = addresses.test(name) ? (absoluteAddress(content, base) ?? content) : content;
    const known = values.get(name) ?? [];
    if (known.length < maxValues && !known.includes(value)) known.push(value);
    values.set(name, known);
  }
  return Object.fromEntries(values);
}
