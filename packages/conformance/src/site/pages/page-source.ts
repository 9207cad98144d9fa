/** What a page is made from. */
export interface PageSource {
  /** Address of the folder that the pages lie in, without a slash at its end. */
  readonly address: string;
  /** What the page does when it is there: it sets cookies, and tells the site that it has loaded. */
  readonly script: string;
  /** How long after loading the page that changes itself does so, in milliseconds. */
  readonly changeAfterMs: number;
  /** What the page that is recorded is told from others by, 0 to 255. */
  readonly mark: number;
}

/** The parts of a document. */
export interface DocumentParts {
  /** Its title: no word of it is looked for. */
  readonly title: string;
  /** More of its head. */
  readonly head: string;
  /** Its body. */
  readonly body: string;
  /** What runs at its end. */
  readonly script: string;
}

/** A document from its parts. */
export function documentOf({ title, head, body, script }: DocumentParts): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body>${body}
<script>${script}</script>
</body>
</html>
`;
}
