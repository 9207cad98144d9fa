import { wordsOfName } from "./names.ts";

const currencySigns = /[$€£¥₹₩₽₺₴₪₫฿]/gu;
const currencyCodes =
  /\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|ZAR|KRW|SGD|HKD|TRY|ILS|UAH|RUB)\b/g;

/**
 * The number that a text plainly is, or undefined. "$1,299.00" is 1299, "1.299,00 €" is 1299, "1 234" is 1234. Words may
 * stand by it only when the property is named by them: "12 kg" for `weight_kg`, "87 reviews" for `review_count`. What has
 * two numbers ("4.5 out of 5"), a percentage, or separators that may mean either ("1.299 €") is no plain number.
 *
 * @param key - Key of the property.
 *
 * Source: ours.
 */
export function plainNumber(text: string, key: string): number | undefined {
  if (text.length > 80) return undefined;
  const trimmed = text.trim();
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return finite(Number(trimmed));
  const bare = trimmed
    .replace(currencySigns, " ")
    .replace(currencyCodes, " ")
    .replace(/\u2212/g, "-")
    .trim();
  const match = /^(\D*?)(-?\d[\d.,'’\s\u00a0\u202f]*)(\D*)$/u.exec(bare);
  if (!match) return undefined;
  const [, before = "", digits = "", after = ""] = match;
  const asked = new Set(key.split(" "));
  if (/[^\p{L}\s.:()]/u.test(before + after) || !wordsOfName(`${before} ${after}`).every((word) => asked.has(word)))
    return undefined;
  const plain = withoutSeparators(digits.trim());
  return plain === undefined ? undefined : finite(Number(plain));
}

/** Digits with a point for decimals, or undefined when the separators may mean either. */
function withoutSeparators(digits: string): string | undefined {
  const text = digits.replace(/[\s\u00a0\u202f'’]/gu, " ").replace(/[.,\s]+$/, "");
  if (/^-?\d+$/.test(text)) return text;
  for (const [thousands, point] of [
    [",", "."],
    [".", ","],
    [" ", "."],
    [" ", ","],
  ] as const) {
    const grouped = new RegExp(`^-?\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\${point}\\d+)?$`);
    const isEither = thousands === "." && /^-?\d{1,3}\.\d{3}$/.test(text);
    if (grouped.test(text) && !isEither) return text.replaceAll(thousands, "").replace(point, ".");
  }
  if (/^-?\d+\.\d+$/.test(text)) return /^-?\d{1,3}\.\d{3}$/.test(text) ? undefined : text;
  if (/^-?\d+,\d{1,2}$/.test(text)) return text.replace(",", ".");
  return undefined;
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}
