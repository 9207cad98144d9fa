import { getContent } from "./replay-host.ts";

/** The video of the replay. */
export const video = getContent("video", 300_000);
export const contents = { "video.mp4": video };

/** Options under which nothing waits long for its next attempt. */
export const quick = { retryDelayMs: 1 };
