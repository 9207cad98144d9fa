/** The words of a text in lower case, of its first 2,000 characters by default. */
export function lowerWords(text: string, length = 2000): string[] {
  return (
    text
      .slice(0, length)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
