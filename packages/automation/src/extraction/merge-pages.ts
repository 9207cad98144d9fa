import { isRecord } from "../json.ts";
import type { ExtractionKind } from "../task/step.ts";

/** Merges what was read from several pages: rows and items are concatenated, texts joined by a blank line. */
export function mergePages(pages: readonly unknown[], kind: ExtractionKind["kind"]): unknown {
  if (pages.length === 1) return pages[0];
  if (kind === "text") return pages.map(String).join("\n\n");
  if (pages.every((page) => Array.isArray(page))) return kind === "links" ? dropDuplicates(pages.flat()) : pages.flat();
  return pages.every(isRecord) ? mergeRecords(pages) : pages;
}

/** Properties of the first page; lists are concatenated over all pages. */
function mergeRecords(pages: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const names = [...new Set(pages.flatMap((page) => Object.keys(page)))];
  return Object.fromEntries(
    names.map((name) => {
      const values = pages.map((page) => page[name]).filter((value) => value !== undefined);
      return [name, values.every((value) => Array.isArray(value)) ? values.flat() : values[0]];
    }),
  );
}

/** Removes duplicates: pages repeat their menus. */
function dropDuplicates(items: readonly unknown[]): unknown[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
