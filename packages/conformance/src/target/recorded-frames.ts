/** A code that was read from a picture of the page that is recorded. */
export interface ClockCode {
  /** Number of the page that shows it: 0 to 255. */
  readonly mark: number;
  /** Number of ticks since its loading. */
  readonly tick: number;
}

/** A frame of a recording. */
export interface Frame {
  /** When it is shown, in milliseconds from the beginning of the video. */
  readonly atMs: number;
  /** The code that it shows; undefined when it shows none. */
  readonly code: ClockCode | undefined;
}

/** Frames of a recording, or the reason why there are none. */
export type Frames = { readonly frames: readonly Frame[] } | { readonly reason: string };
