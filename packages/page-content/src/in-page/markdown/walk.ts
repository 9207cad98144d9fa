import type { FlatElement } from "../flatten/flat-tree.ts";
import type { Addresses } from "./addresses.ts";
import type { BlockOutput } from "./block-output.ts";
import type { Footnotes } from "./footnotes.ts";
import type { InlineRun } from "./inline-run.ts";
import type { MarkdownSettings } from "./markdown-settings.ts";

/** The pass over a document, as those see it that write a kind of element. */
export interface Walk {
  /** Settings of the conversion. */
  readonly settings: MarkdownSettings;
  /** Output of the blocks. */
  readonly out: BlockOutput;
  /** Writer of addresses. */
  readonly addresses: Addresses;
  /** The notes of the document. */
  readonly footnotes: Footnotes;
  /** The text that is gathered. */
  run: InlineRun;
  /** Writes the children of an element. */
  children(element: FlatElement): void;
  /** Writes one element. */
  element(element: FlatElement): void;
  /** Ends the paragraph before and after a block, or the line where paragraphs are not possible. */
  block(write: () => void): void;
  /** Writes the content of an element as one line. */
  line(element: FlatElement, breaks: "space" | "tag", link?: InlineRun["link"]): string;
}
