const maxTagLength = 35;
/** Language tags checked so far; a page has one or two. */
const known = new Map<string, boolean>();
const maxKnown = 50;

/**
 * Returns whether a language writes decimals with a comma, as `de` and not `de-CH`; false if unknown.
 */
export function hasDecimalComma(language: string | undefined): boolean {
  if (!language || language.length > maxTagLength) return false;
  const answer = known.get(language) ?? lookUp(language);
  if (known.size >= maxKnown) known.clear();
  known.set(language, answer);
  return answer;
}

function lookUp(language: string): boolean {
  try {
    const locales = Intl.NumberFormat.supportedLocalesOf(language.trim().replaceAll("_", "-"));
    if (locales.length === 0) return false;
    const parts = new Intl.NumberFormat(locales).formatToParts(1.5);
    return parts.some(({ type, value }) => type === "decimal" && value === ",");
  } catch {
    // Malformed language tag.
    return false;
  }
}

/** The language of a document, where its decimals have a comma. */
export function findCommaLanguage(document: Document): string | undefined {
  const language = document.documentElement?.getAttribute("lang")?.trim();
  return hasDecimalComma(language) ? language : undefined;
}
