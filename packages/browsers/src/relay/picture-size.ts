import { type Fields, isFields, refusal } from "../devtools/message.ts";

/** Most pixels of a page, a window or a picture: a gigabyte of memory. */
const mostPixels = 2 ** 28;
/** Most pixels of one of its sides. */
const longestSide = 2 ** 20;
/** Assumed length of a side that a command does not set. */
const usualSide = 1_280;

const positive = (value: unknown): number | undefined => (typeof value === "number" && value > 0 ? value : undefined);

/**
 * Tells whether a command asks for a page, a window or a picture that is larger than a browser can draw: Chromium would end of it, with
 * all sessions that it holds.
 */
export function isTooLarge(params: Fields): boolean {
  const { clip, bounds, viewport, deviceScaleFactor } = params;
  return [params, clip, bounds, viewport].filter(isFields).some(({ width, height, scale }) => {
    const factor = (positive(deviceScaleFactor) ?? 1) * (positive(scale) ?? 1);
    const across = (positive(width) ?? usualSide) * factor;
    const down = (positive(height) ?? usualSide) * factor;
    return Math.max(across, down) > longestSide || across * down > mostPixels;
  });
}

/** CDP error for a size that is too large. */
export const tooLarge = refusal(`Size too large: at most ${mostPixels} pixels, and ${longestSide} per side.`);
