import { parseHTML } from "linkedom";
import { readDeclared } from "../../src/in-page/declared/declared.ts";
import type { DeclaredContent } from "../../src/in-page/declared/declared-data.ts";

/** What a page with this content declares; its address is https://shop.example/lamps/brass. */
export function declaredBy(body: string, head = ""): DeclaredContent {
  return readDeclared(getDocument(body, head));
}

/** A document with this content. */
export function getDocument(body: string, head = ""): Document {
  const base = '<base href="https://shop.example/lamps/brass">';
  return parseHTML(`<!doctype html><html lang="en"><head>${base}${head}</head><body>${body}</body></html>`).document;
}

/** A script of JSON-LD. */
export function jsonLd(data: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}
