/**
 * Reads a JSON string with escapes, and with its quotes, whose escapes need not be valid.
 *
 * @returns undefined when one is not.
 */
export function readEscaped(quoted: string | undefined): string | undefined {
  try {
    return String(JSON.parse(quoted ?? ""));
  } catch {
    return undefined;
  }
}

/** Reads a JSON number, true, false or null. */
export function readScalar(written: string): number | boolean | null {
  const { length } = written;
  let value = 0;
  for (let at = 0; at < length; at++) {
    const code = written.charCodeAt(at);
    if (code > 101) return code === 110 ? null : code === 116; // n, t, f
    if (code < 48 || code > 57 || length > 15) return Number(written);
    value = value * 10 + code - 48;
  }
  return value;
}

/**
 * Copies what was cut from a text, which it would otherwise keep in memory. Engines copy up to 12 characters when they
 * cut, and joining two such parts is three times as fast as any other way to copy.
 */
export function copyText(cut: string): string {
  const { length } = cut;
  if (length < 13) return cut;
  return length > 24 ? ` ${cut}`.slice(1) : cut.slice(0, 12) + cut.slice(12);
}
