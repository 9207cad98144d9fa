import type { Frame, Page } from "playwright-core";
import { awaitWithin } from "../async.ts";

/**
 * Reads something from each frame of a page, from all at the same time; returns it in the order of the frames. Leaves out frames that do not
 * answer, such as those that are navigating.
 *
 * @param most - Most frames that are read. Default: all.
 */
export async function readFrames<Value>(
  page: Page,
  read: (frame: Frame) => Promise<Value>,
  { timeoutMs = Infinity, most = Infinity }: { readonly timeoutMs?: number; readonly most?: number } = {},
): Promise<Exclude<Value, undefined>[]> {
  const frames = page.frames().slice(0, most);
  const values = await Promise.all(frames.map((frame) => awaitWithin(timeoutMs, read(frame))));
  return values.filter((value): value is Exclude<Awaited<Value>, undefined> => value !== undefined);
}
