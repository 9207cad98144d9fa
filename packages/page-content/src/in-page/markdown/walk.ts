import type { FlatElement } from "../flatten/flat-tree.ts";
import type { Addresses } from "./addresses.ts";
import type { BlockOutput } from "./block-output.ts";
import type { Footnotes } from "./footnotes.ts";
import type { InlineRun } from "./inline-run.ts";
import type { MarkdownSettings } from "./markdown-settings.ts";

/** The pass over a document, as those see it that write a kind of element. */
export interface Walk {
  /** How the document becomes Markdown. */
  readonly settings: MarkdownSettings;
  /** Where blocks go. */
  readonly out: BlockOutput;
  /** Writer of addresses. */
  readonly addresses: Addresses;
  /** The notes of the document. */
  readonly footnotes: Footnotes;
  /** The text that is gathered. */
  run: InlineRun;
  /** Writes the children of an element. */
  children(element: FlatElement): void;
  /** Goes over one element. */
  element(element: FlatElement): void;
  /** Ends the paragraph before and after something, or the line where no paragraph can be. */
  block(write: () => void): void;
  /** Writes the content of an element as one line. */
  line(element: FlatElement, breaks: "space" | "tag", link?: InlineRun["link"]): string;
}
