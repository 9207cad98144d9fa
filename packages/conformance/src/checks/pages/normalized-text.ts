/** Normalizes a text for comparison: Unicode form C, one kind of space, no invisible characters. */
export function normalizeText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\u00ad|\u200b|\u200e|\u200f|\u2060|[\u2066-\u2069]|\ufe0e|\ufe0f|\ufeff/g, "")
    .replace(/\s+/g, " ");
}
