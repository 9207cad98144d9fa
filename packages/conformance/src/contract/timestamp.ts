/** Returns the pattern of a time with its offset; the last part of the time may have a fraction. */
const time = (colon: string): string =>
  String.raw`(?<hour>\d\d)(?:${colon}(?<minute>\d\d)(?:${colon}(?<second>\d\d))?)?(?<fraction>[.,]\d+)?` +
  String.raw`(?:Z|[-+\u2212](?<hours>\d\d)(?::?(?<minutes>\d\d))?)`;

/** Returns the pattern of a date: by month, by day of the year, or by week. */
const day = (dash: string): string =>
  String.raw`(?<year>\d{4})${dash}(?:(?<month>\d\d)${dash}(?<date>\d\d)|(?<ordinal>\d{3})|W(?<week>\d\d)${dash}(?<weekday>\d))`;

/** Patterns of the extended form and the basic one, which can't be mixed. */
const isoForms = [new RegExp(`^${day("-")}T${time(":")}$`), new RegExp(`^${day("")}T${time("")}$`)];

/** Patterns with a space for the T, or before the offset, or with letters in small case. Source: RFC 3339, section 5.6. */
const nearForms = [new RegExp(`^${day("-")}[Tt ]${time(":").replace("(?:Z|", " ?(?:[Zz]|")}$`)];

const dayForms = [new RegExp(`^${day("-")}$`), new RegExp(`^${day("")}$`)];

/**
 * Notation of a timestamp.
 *
 * `iso-8601`: as ISO 8601 has a timestamp with offset. `near`: so, but for a space in place of the T or before the offset, or letters in small case.
 * `day`: the day alone, as ISO 8601 has it.
 */
export type TimestampNotation = "iso-8601" | "near" | "day";

const forms: readonly (readonly [form: TimestampNotation, expressions: readonly RegExp[]])[] = [
  ["iso-8601", isoForms],
  ["near", nearForms],
  ["day", dayForms],
];

/**
 * Returns whether a text is a valid ISO 8601 timestamp with offset. A month 13 or a second 61 is invalid.
 *
 * Source: interface § Resources and their fields (ReplayResponse).
 */
export function isTimestamp(text: string): boolean {
  return timestampNotation(text) === "iso-8601";
}

/** Returns the notation of a timestamp; undefined when the text is not one. */
export function timestampNotation(text: string): TimestampNotation | undefined {
  return forms.find(([, expressions]) => expressions.some((form) => isValidTime(form.exec(text)?.groups)))?.[0];
}

function isValidTime(groups: Readonly<Record<string, string | undefined>> | undefined): boolean {
  if (!groups) return false;
  const part = (name: string): number => Number((groups[name] ?? "0").replace(",", "."));
  const seconds = (part("hour") * 60 + part("minute")) * 60 + part("second") + part("fraction");
  const isTime = part("minute") < 60 && part("second") <= 60 && seconds <= 24 * 3600;
  return isTime && part("hours") < 24 && part("minutes") < 60 && isDay(groups, part);
}

function isDay(
  { week, ordinal }: Readonly<Record<string, string | undefined>>,
  part: (name: string) => number,
): boolean {
  if (week !== undefined)
    return part("week") >= 1 && part("week") <= 53 && part("weekday") >= 1 && part("weekday") <= 7;
  const month = ordinal === undefined ? part("month") : 1;
  const midnight = new Date(Date.UTC(part("year"), month - 1, part(ordinal === undefined ? "date" : "ordinal")));
  if (ordinal !== undefined) return midnight.getUTCFullYear() === part("year");
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === part("date");
}
