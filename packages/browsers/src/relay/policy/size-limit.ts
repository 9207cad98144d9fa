import { type Fields, isFields, readPositiveNumber, refusal } from "../../devtools/message.ts";

/** Most pixels of a page, a window or a screenshot, which take a gigabyte of memory. */
const maxPixels = 2 ** 28;
/** Most pixels per side. */
const maxSidePixels = 2 ** 20;
/** Assumed length of a side that a command does not set. */
const defaultSidePixels = 1_280;

/**
 * Returns whether a command requests a page, a window or a screenshot that is too large to render: Chromium would crash, with
 * all its sessions.
 */
export function isTooLarge(params: Fields): boolean {
  const { clip, bounds, viewport, deviceScaleFactor } = params;
  return [params, clip, bounds, viewport].filter(isFields).some(({ width, height, scale }) => {
    const factor = (readPositiveNumber(deviceScaleFactor) ?? 1) * (readPositiveNumber(scale) ?? 1);
    const across = (readPositiveNumber(width) ?? defaultSidePixels) * factor;
    const down = (readPositiveNumber(height) ?? defaultSidePixels) * factor;
    return Math.max(across, down) > maxSidePixels || across * down > maxPixels;
  });
}

/** CDP error for a size that is too large. */
export const tooLarge = refusal(`Size too large: at most ${maxPixels} pixels, and ${maxSidePixels} per side.`);
