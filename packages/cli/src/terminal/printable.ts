/** Returns an untrusted text on one line, without characters that move the cursor or change the direction of text. */
export function printable(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll(/[\p{Cc}\p{Cf}]/gu, "");
}

/** Characters that change the direction of text, or separate lines invisibly. */
const turning = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Returns a text of several lines without characters that move the cursor, change colours or the direction of text, or ring: each control
 * character is shown as its symbol (`␛`).
 */
export function harmless(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/(?![\t\n])\p{Cc}/gu, drawControl)
    .replaceAll(turning, "");
}

/** Returns the symbol of a control character; for those beyond ASCII the replacement character. */
function drawControl(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code === 0x7f) return "␡";
  return code < 0x20 ? String.fromCharCode(0x24_00 + code) : "\ufffd";
}

/** Returns a value as JSON, with control characters escaped. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns a time of ISO 8601 up to its minute: `2030-01-31 12:00`. */
export function formatMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

/** Returns a number with its noun: `1 run`, `2 runs`. */
export function withNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns a time that passed, in its two largest units. */
export function formatDuration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  return s < 3600
    ? `${Math.floor(s / 60)} m ${s % 60} s`
    : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} m`;
}

/** Returns a size in bytes as people read it. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB"];
  const at = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** at).toFixed(1)} ${units[at - 1]}`;
}
