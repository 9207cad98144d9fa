import type { DeclaredContent } from "./declared/declared-data.ts";
import type { PageImage } from "./image-list.ts";

/** Options of a scrape, as the page reads them. Source: interface § ScrapeRequest. */
export interface InPageRequest {
  /** True when links keep their addresses. */
  readonly links: boolean;
  /** True when images are written and listed. */
  readonly images: boolean;
  /** True when only images are listed, and no content is written. */
  readonly onlyImages: boolean;
  /** True when only the main content is written. */
  readonly mainContent: boolean;
  /** True when addresses are replaced by placeholders. */
  readonly placeholders: boolean;
  /** Names of elements to leave out. */
  readonly ignoredTags: readonly string[];
  /** True when only the elements of the selection are read, instead of the document. */
  readonly selection: boolean;
  /** True when invisibly rendered text is left out. */
  readonly visibleOnly: boolean;
  /** True when data that the page declares are read. */
  readonly declared: boolean;
  /** Maximum number of nodes that are read. */
  readonly maxNodes: number;
  /** Maximum number of characters that are read, and of the Markdown. */
  readonly maxCharacters: number;
  /** Longest time to read it, in milliseconds. */
  readonly maxMs: number;
}

/** Content of a page. */
export interface PageContent {
  /** The content. */
  readonly markdown: string;
  /** Images; null when they were not requested. */
  readonly images: readonly PageImage[] | null;
  /** Link reference definitions to append to the content, except those of listed images; may be empty. */
  readonly legend: string;
  /** URL by placeholder. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** Data that the page declares; null when they were not requested. */
  readonly declared: DeclaredContent | null;
  /** True when a limit truncated the content. */
  readonly cut: boolean;
  /** Address of the page. */
  readonly url: string;
  /** Its title. */
  readonly title: string;
}

/** Parts that have to be added from outside before a page can be read. */
export interface Unread {
  /** Number of visible cross-origin frames. */
  readonly frames: number;
  /** Number of elements that may have a closed shadow root. */
  readonly hosts: number;
}
