import { wordsOfName } from "./names.ts";

const currencySigns = /[\p{Sc}円元원]/gu;
const currencyCodes =
  /\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|ZAR|KRW|SGD|HKD|TRY|ILS|UAH|RUB)\b/g;

/** Separators in a number, as far as known. */
interface NumberMarks {
  /** True when it is written in a language whose decimals have a comma. */
  readonly decimalComma?: boolean;
  /** True when a point in it parts thousands. */
  readonly thousandsPoint?: boolean;
}

/**
 * Returns the number in a text, or undefined. "$1,299.00" is 1299, "1.299,00 €" is 1299, "1 234" is 1234. Words beside it are allowed only
 * when they name the property: "12 kg" for `weight_kg`, "87 reviews" for `review_count`. What has two numbers ("4.5 out of 5"), a
 * percentage, brackets around it ("(5)" may be -5), or separators that may mean either ("1.299 €") is no plain number.
 *
 * @param key - Key of the property.
 * @param marks - With a comma for decimals "1,125" is 1.125, and "1.299" may mean either; where a point parts thousands that is
 *   1299.
 */
export function plainNumber(text: string, key: string, marks: NumberMarks = {}): number | undefined {
  if (text.length > 80) return undefined;
  const trimmed = text.trim();
  const { thousandsPoint = false, decimalComma = thousandsPoint } = marks;
  const isGroup = oneGroup(".").test(trimmed);
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) && !(isGroup && thousandsPoint))
    return isGroup && decimalComma ? undefined : exactNumber(trimmed);
  const bare = trimmed
    .replace(currencySigns, " ")
    .replace(currencyCodes, " ")
    .replace(/\u2212/g, "-")
    .trim();
  const match = /^(\D*?)(-?\d[\d.,'’\s\u00a0\u202f]*)(\D*)$/u.exec(bare);
  if (!match) return undefined;
  const [, before = "", digits = "", after = ""] = match;
  const keyWords = new Set(key.split(" "));
  if (/[^\p{L}\s.:()]/u.test(before + after) || !wordsOfName(`${before} ${after}`).every((word) => keyWords.has(word)))
    return undefined;
  if (/\(\s*$/.test(before) && /^\s*\)/.test(after)) return undefined;
  const plain = withoutSeparators(digits.trim(), decimalComma, thousandsPoint);
  return plain === undefined ? undefined : exactNumber(plain);
}

/** Digits with a point for decimals, or undefined when the separators may mean either. */
function withoutSeparators(digits: string, decimalComma: boolean, thousandsPoint: boolean): string | undefined {
  const text = digits.replace(/[\s\u00a0\u202f'’]/gu, " ").replace(/[.,\s]+$/, "");
  if (/^-?\d+$/.test(text)) return text;
  for (const [thousands, point] of [
    [",", "."],
    [".", ","],
    [" ", "."],
    [" ", ","],
  ] as const) {
    const grouped = new RegExp(`^-?[1-9]\\d{0,2}(?:\\${thousands}\\d{3})+(?:\\${point}\\d+)?$`);
    const isOpen = (thousands === "." && !thousandsPoint) || (thousands === "," && decimalComma);
    const isEither = isOpen && oneGroup(thousands).test(text);
    if (grouped.test(text) && !isEither) return text.replaceAll(thousands, "").replace(point, ".");
  }
  if (/^-?\d+\.\d+$/.test(text)) return oneGroup(".").test(text) ? undefined : text;
  const decimals = decimalComma ? /^-?\d+,\d+$/ : /^-?(?:\d+,\d{1,2}|0,\d+)$/;
  return decimals.test(text) ? text.replace(",", ".") : undefined;
}

/** Matches one group of thousands that could be decimals as well: a group does not begin with 0. */
function oneGroup(separator: "." | ","): RegExp {
  return separator === "." ? /^-?[1-9]\d{0,2}\.\d{3}$/ : /^-?[1-9]\d{0,2},\d{3}$/;
}

/** The number that digits spell; undefined when it would be another one: an integer with more digits than a number can hold. */
export function exactNumber(digits: string): number | undefined {
  const number = Number(digits);
  if (!Number.isFinite(number)) return undefined;
  return /^-?\d+$/.test(digits) && BigInt(digits) !== BigInt(number) ? undefined : number;
}
