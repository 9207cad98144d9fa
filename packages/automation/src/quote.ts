/** Quotes the beginning of a text for a message. */
export function quoteText(text: string, most = 60): string {
  return JSON.stringify(text.slice(0, most));
}

/** Quotes the first texts of a list for a message, with the number of the others. */
export function quoteList(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : "";
  return (
    texts
      .slice(0, most)
      .map((text) => quoteText(text))
      .join(", ") + more
  );
}

/** Escapes a text for a pattern that matches it as it is. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** Returns an address without its user, query and fragment, which may contain secrets. */
export function formatUrl(address: string): string {
  return address
    .replace(/[?#].*$/s, "")
    .replace(/\/\/[^/@]*@/, "//")
    .slice(0, 200);
}

/** Shortens a text to a number of characters; its end becomes "…". */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
