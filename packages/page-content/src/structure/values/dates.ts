const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/**
 * The day that a text plainly is, as `2024-05-01`: the day of an ISO 8601 time, or a day with the English name of its
 * month. Days in numbers alone ("01/05/2024") may mean either.
 */
export function plainDate(text: string): string | undefined {
  const trimmed = text.trim().slice(0, 60);
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T\s]\d{2}:.*)?$/.exec(trimmed);
  if (iso) return isRealDate(iso[1], Number(iso[2]), Number(iso[3]));
  const named =
    /^(?:\p{L}+,?\s+)?(?<month>\p{L}+)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/u.exec(trimmed) ??
    /^(?:\p{L}+,?\s+)?(?<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?<month>\p{L}+)\.?,?\s+(?<year>\d{4})$/u.exec(trimmed);
  const { month = "", day, year } = named?.groups ?? {};
  const number =
    months.findIndex((name) => month.length >= 3 && name.startsWith(month.toLowerCase().replace(/^sept$/, "sep"))) + 1;
  return number > 0 ? isRealDate(year, number, Number(day)) : undefined;
}

/** Returns the date and time in a text, as in RFC 3339; undefined for a time without an offset. */
export function plainDateTime(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T\s](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})$/i.exec(
    text.trim().slice(0, 60),
  );
  if (!match) return undefined;
  const [, day, minutes, seconds = ":00", offset = ""] = match;
  return `${day}T${minutes}${seconds}${/^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase()}`;
}

function isRealDate(year: string | undefined, month: number, day: number): string | undefined {
  const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
