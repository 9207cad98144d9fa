import type { JSX } from "preact";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

const units = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

/** Shows a moment as a time that has passed, or in local time when that is more than a day; the exact time on hover. */
export function Time({ at }: { at: string }): JSX.Element {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {formatMoment(date, Date.now())}
    </time>
  );
}

/** Returns a moment in words, as seen from another one in milliseconds since 1970. */
export function formatMoment(date: Date, nowMs: number): string {
  const seconds = (date.getTime() - nowMs) / 1_000;
  if (Math.abs(seconds) > 86_400) return short.format(date);
  const { unit, seconds: size } = units.find((one) => Math.abs(seconds) >= one.seconds) ?? {
    unit: "second",
    seconds: 1,
  };
  return relative.format(Math.round(seconds / size), unit);
}

/** Returns a duration in milliseconds as hours, minutes and seconds, such as `1:02:03` or `0:07`. */
export function formatDuration(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1_000));
  const parts = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** Returns a number of bytes with a unit, such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const names = ["B", "kB", "MB", "GB"];
  const power = bytes < 1_000 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${names[power] ?? ""}`;
}
