import type { PageTimeouts } from "../target/opened-pages.ts";

/** Default time limits of sessions and recordings, in milliseconds. */
export const defaultPageTimeouts: PageTimeouts = {
  request: 15_000,
  load: 5_000,
  change: 1_000,
  recording: 6_000,
  recordingReady: 60_000,
  expiry: 15_000,
};
