import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A page whose main content is known. */
export interface KnownPage {
  set: "articles" | "mixed";
  id: string;
  type: string;
  url: string;
  truth: string;
  html: () => string;
}

/** The pages of a folder with `articles` and `mixed`, each with a `truth.json` and pages as `ID.html.gz`. */
export function knownPages(folder: string): KnownPage[] {
  return (["articles", "mixed"] as const).flatMap((set) => {
    const truths: Record<string, { url: string; text: string | null; page_type?: string }> = JSON.parse(
      readFileSync(join(folder, set, "truth.json"), "utf8"),
    );
    return Object.entries(truths).map(([id, { url, text, page_type }]) => ({
      set,
      id,
      type: page_type ?? "article",
      url,
      truth: text ?? "",
      html: () => gunzipSync(readFileSync(join(folder, set, `${id}.html.gz`))).toString("utf8"),
    }));
  });
}

/** A document without what runs or styles it, as the service hands it over: data about the page stays. */
export function withoutScripts<D extends { querySelectorAll(selector: string): Iterable<{ remove(): void }> }>(
  document: D,
): D {
  for (const element of document.querySelectorAll('script:not([type="application/ld+json"]),style,template'))
    element.remove();
  return document;
}
