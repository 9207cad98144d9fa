import type { StreamEvent } from "../events/event.ts";
import { cutText } from "../events/cut-text.ts";

/** A delta as JavaScript and Python serialize it, without escapes: the string is what JSON.parse would return. */
// oxlint-disable-next-line no-control-regex -- JSON strings must escape them
const deltaLine = /data: \{"type":( ?)"t(?:ext|hinking)_delta",\1"delta":\1"[^"\\\x00-\x1f]*"\}\n/y;

/**
 * Reads a line that holds only a delta, in the shortest form that there is for one layout.
 *
 * @param handleResult - called with what the callback returned
 * @returns the offset of the next line; 0 when the line is not a plain delta.
 */
export function readDelta(
  text: string,
  at: number,
  onEvent: (event: StreamEvent) => unknown,
  handleResult: (result: unknown) => void,
): number {
  deltaLine.lastIndex = at;
  if (!deltaLine.test(text)) return 0;
  const next = deltaLine.lastIndex;
  const space = text[at + 14] === " " ? 1 : 0;
  const thinking = text[at + 16 + space] === "h";
  const from = at + 36 + 3 * space + (thinking ? 4 : 0);
  handleResult(onEvent({ type: thinking ? "thinking_delta" : "text_delta", delta: cutText(text, from, next - 3) }));
  return next;
}
