/** Heading of a page, and the extent of its section. */
export interface Heading {
  /** Its number in the outline, such as `2.1`. */
  readonly number: string;
  /** Level, 1 to 6. */
  readonly level: number;
  /** Its text. */
  readonly title: string;
  /** Offset of its line in the Markdown, in characters. */
  readonly start: number;
  /** Offset of the next heading of its level or above. */
  readonly end: number;
}

const headingLine = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/u;
/** Number of characters of a line that are inspected. */
const longestLine = 1_000;
/** Longest heading that is shown, in characters. */
const longestTitle = 200;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/u;

/** Reads the headings of Markdown, in order. Lines in fenced code are skipped. */
export function readOutline(markdown: string): readonly Heading[] {
  const found: { level: number; title: string; start: number }[] = [];
  let fence: string | undefined;
  let start = 0;
  while (start <= markdown.length) {
    const feed = markdown.indexOf("\n", start);
    const end = feed === -1 ? markdown.length : feed;
    const line = markdown.slice(start, Math.min(end, start + longestLine));
    const [, mark = ""] = fenceLine.exec(line) ?? [];
    if (fence === undefined) {
      if (mark !== "") fence = mark;
      const [, marks = "", title = ""] = headingLine.exec(line) ?? [];
      if (marks !== "") found.push({ level: marks.length, title: titleIn(title), start });
    } else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    start = end + 1;
  }
  return numberHeadings(found, markdown.length);
}

/** Returns the text of a heading, without what may close it. */
function titleIn(text: string): string {
  return text
    .trim()
    .replace(/[ \t]+#+$/u, "")
    .slice(0, longestTitle);
}

/** Numbers headings by their depth among the open ones, so that skipped levels leave no gap, and sets their ends. */
function numberHeadings(
  found: readonly { level: number; title: string; start: number }[],
  length: number,
): readonly Heading[] {
  const headings: { number: string; level: number; title: string; start: number; end: number }[] = [];
  const open: { level: number; count: number; index: number }[] = [];
  let roots = 0;
  for (const { level, title, start } of found) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= level) {
      const heading = headings[open.pop()?.index ?? -1];
      if (heading !== undefined) heading.end = start;
    }
    const parent = open.at(-1);
    const count = parent === undefined ? (roots += 1) : (parent.count += 1);
    const above = parent === undefined ? "" : `${headings[parent.index]?.number}.`;
    open.push({ level, count: 0, index: headings.length });
    headings.push({ number: `${above}${count}`, level, title, start, end: length });
  }
  return headings;
}

/** Finds a heading by its number, or else by its text: the whole of it, or else a part, in any case. */
export function findHeading(outline: readonly Heading[], titleOrNumber: string): Heading | undefined {
  const text = titleOrNumber.trim().toLowerCase();
  if (text === "") return undefined;
  return (
    outline.find(({ number }) => number === text.replace(/\.$/u, "")) ??
    outline.find(({ title }) => title.toLowerCase() === text) ??
    outline.find(({ title }) => title.toLowerCase().includes(text))
  );
}
