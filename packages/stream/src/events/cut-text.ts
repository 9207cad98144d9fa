/**
 * Cuts a part out of a text, and copies it: it would otherwise keep the whole text in memory. Engines copy up to 12
 * characters when they cut, and joining two such parts is three times as fast as any other way to copy.
 */
export function cutText(text: string, from: number, to: number): string {
  if (to - from > 24) return ` ${text.slice(from, to)}`.slice(1);
  const middle = from + 12;
  return to > middle ? text.slice(from, middle) + text.slice(middle, to) : text.slice(from, to);
}
