const longestTag = 35;
/** Language tags checked so far; a page has one or two. */
const known = new Map<string, boolean>();
const mostKnown = 50;

/**
 * Tells whether the decimals of a language have a comma, as in `de` and not in `de-CH`; false when that is not known.
 */
export function hasDecimalComma(language: string | undefined): boolean {
  if (!language || language.length > longestTag) return false;
  const answer = known.get(language) ?? lookUp(language);
  if (known.size >= mostKnown) known.clear();
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
    // It is no name of a language.
    return false;
  }
}

/** The language of a document, where its decimals have a comma. */
export function commaLanguageOf(document: Document): string | undefined {
  const language = document.documentElement?.getAttribute("lang")?.trim();
  return hasDecimalComma(language) ? language : undefined;
}
