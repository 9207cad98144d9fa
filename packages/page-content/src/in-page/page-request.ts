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
  /** True when text that is rendered, but so that nobody sees it, is left out. */
  readonly visibleOnly: boolean;
  /** True when data that the page declares are read. */
  readonly declared: boolean;
  /** Most nodes that are read. */
  readonly maxNodes: number;
  /** Most characters that are read, and that the Markdown has. */
  readonly maxCharacters: number;
  /** Longest time to read it, in milliseconds. */
  readonly maxMs: number;
}

/** Content of a page. */
export interface PageContent {
  /** The content. */
  readonly markdown: string;
  /** The images; null when none were asked for. */
  readonly images: readonly PageImage[] | null;
  /** Link reference definitions to append to the content, except those of listed images; empty if there are none. */
  readonly legend: string;
  /** URL by placeholder. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** Data that the page declares; null when they were not asked for. */
  readonly declared: DeclaredContent | null;
  /** True when a limit cut something off. */
  readonly cut: boolean;
  /** Address of the page. */
  readonly url: string;
  /** Its title. */
  readonly title: string;
}

/** Parts that have to be brought from outside before a page can be read. */
export interface Unread {
  /** How many shown frames are of another origin. */
  readonly frames: number;
  /** How many elements may have a closed shadow root. */
  readonly hosts: number;
}
