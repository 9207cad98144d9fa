/** A text as PostgreSQL can keep it: it has none with NUL or half of a surrogate pair in it. */
export function writableText(text: string | null): string | null {
  return text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null;
}
