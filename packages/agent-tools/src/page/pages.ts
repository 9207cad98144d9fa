/** Share of a page in which a better place to cut is looked for. */
const searched = 0.25;

/**
 * Cuts text into pages of at most `size` characters, at the end of a paragraph, or else of a line, or else of a word, where one is near, and never
 * inside of a character.
 */
export function splitPages(text: string, size: number): readonly string[] {
  const pages: string[] = [];
  let start = 0;
  while (text.length - start > size) {
    const end = start + findCut(text.slice(start, start + size + 1), size);
    pages.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length || pages.length === 0) pages.push(text.slice(start));
  return pages;
}

/** Returns where a piece of `size` characters and one more is cut. */
function findCut(piece: string, size: number): number {
  const least = Math.floor(size * (1 - searched));
  for (const end of ["\n\n", "\n", " "]) {
    const at = piece.lastIndexOf(end, size - end.length);
    if (at >= least) return at + end.length;
  }
  const last = piece.charCodeAt(size - 1);
  return last >= 0xd800 && last <= 0xdbff ? Math.max(1, size - 1) : size;
}
