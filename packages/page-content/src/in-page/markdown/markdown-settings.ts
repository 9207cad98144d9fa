/** Settings of the conversion of a document to Markdown. */
export interface MarkdownSettings {
  /** True when links keep their addresses. */
  readonly links: boolean;
  /** True when images are written. */
  readonly images: boolean;
  /** True when addresses are replaced by `link1`, `img1`. */
  readonly placeholders: boolean;
  /** Addresses of the images that are listed beside the Markdown, in their order. Default: none are. */
  readonly listedImages?: readonly (string | null)[];
  /** True when text behind a closed tab or disclosure is written. */
  readonly collapsed: boolean;
  /** Longest result, in characters. */
  readonly maxCharacters: number;
}

/** Result of the conversion. */
export interface MarkdownResult {
  /** The Markdown; not cut within a block. */
  readonly markdown: string;
  /** Link reference definitions to append to the Markdown, except those of listed images; may be empty. */
  readonly legend: string;
  /** URLs by placeholder. */
  readonly placeholders: Record<string, string>;
  /** True when `maxCharacters` was too little. */
  readonly cut: boolean;
}
