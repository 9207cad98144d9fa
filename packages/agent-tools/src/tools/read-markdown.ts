import type { Snapshot } from "../page/snapshot-store.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** Part of a page that is read, in the words of the interface. */
export interface PageSelection {
  readonly selector?: string;
  readonly only_main_content?: boolean;
  readonly only_images?: boolean;
}

/** Options of reading Markdown. */
export interface PageReadOptions {
  readonly selection: PageSelection;
  /** True when invisible text is read, too. */
  readonly hasHidden: boolean;
  /** True when a stored snapshot may be used, to read the next part. */
  readonly readsOn: boolean;
  readonly signal: AbortSignal;
}

/** Preference for visible text: a service that knows it leaves out invisibly rendered text, others ignore it. */
const visibleText = "visible-text";

/** Returns the headers of a scrape with or without invisible text. */
export function scrapeHeaders(hasHidden: boolean): { readonly headers?: Readonly<Record<string, string>> } {
  return hasHidden ? {} : { headers: { prefer: visibleText } };
}

/** Returns whether a service reports that it has left out invisible text. */
function hasLeftOut({ headers }: Response): boolean {
  return (headers.get("preference-applied") ?? "").split(",").some((one) => one.trim() === visibleText);
}

/** Reads Markdown of a page anew, or finds that of which a later part is wanted. */
export async function readPageMarkdown(
  { client, snapshots }: Pick<ToolEnvironment, "client" | "snapshots">,
  id: string,
  { selection, hasHidden, readsOn, signal }: PageReadOptions,
): Promise<Snapshot & { readonly isKept: boolean }> {
  const key = JSON.stringify([id, selection, hasHidden]);
  const snapshot = readsOn ? snapshots.find(key) : undefined;
  if (snapshot !== undefined) return { ...snapshot, isKept: true };
  const options = { signal, ...scrapeHeaders(hasHidden) };
  if (selection.only_images === true) {
    const { data, response } = await client.scrape(id, { ...selection, only_images: true }, options).withResponse();
    const lines = data.images.map(
      ({ url, category, description }) => `- ${category ?? "image"}: ${description ?? ""} ${url ?? ""}`,
    );
    return { ...snapshots.keep(key, { markdown: lines.join("\n"), isVisible: hasLeftOut(response) }), isKept: false };
  }
  const { data, response } = await client.scrape(id, selection, options).withResponse();
  return { ...snapshots.keep(key, { markdown: data.markdown, isVisible: hasLeftOut(response) }), isKept: false };
}
