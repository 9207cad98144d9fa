/** Values that a page is rendered with. */
export interface PageSource {
  /** Address of the folder that the pages lie in, without a slash at its end. */
  readonly address: string;
  /** Script that sets cookies and reports to the site that the page has loaded. */
  readonly script: string;
  /** Time from loading until the page that changes itself does so, in milliseconds. */
  readonly changeAfterMs: number;
  /** Number that identifies the recorded page, 0 to 255. */
  readonly mark: number;
}

/** The parts of a document. */
export interface DocumentParts {
  /** Its title, whose words are not searched for. */
  readonly title: string;
  /** Further elements of its head. Default: none. */
  readonly head?: string;
  /** Its body. */
  readonly body: string;
  /** Script at the end of the body. Default: none. */
  readonly script?: string;
}

/** Writes a document from its parts. */
export function writeDocument({ title, head = "", body, script = "" }: DocumentParts): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body>${body}
<script>${script}</script>
</body>
</html>
`;
}
