import { type Fields, isFields, refusal } from "./message.ts";

/** Most pixels of a page, a window or a picture: a gigabyte of memory. */
const mostPixels = 2 ** 28;
/** What counts for a side that a command leaves as it is. */
const usualSide = 1_280;

const positive = (value: unknown): number | undefined => (typeof value === "number" && value > 0 ? value : undefined);

/**
 * Whether a command asks for a page, a window or a picture that is larger than a browser can draw: Chromium would end of it, with
 * all sessions that it holds.
 *
 * Source: ours.
 */
export function isTooLarge(params: Fields): boolean {
  const { clip, bounds } = params;
  const { width, height, deviceScaleFactor, scale } = [clip, bounds].find(isFields) ?? params;
  const sides = [positive(width), positive(height)];
  if (sides.every((side) => side === undefined)) return false;
  const factor = (positive(deviceScaleFactor) ?? 1) * (positive(scale) ?? 1);
  return sides.reduce<number>((pixels, side) => pixels * (side ?? usualSide) * factor, 1) > mostPixels;
}

/** What a client reads then. Source: ours. */
export const tooLarge = refusal(
  `That is larger than a browser can draw: at most ${mostPixels} pixels can be asked for.`,
);
