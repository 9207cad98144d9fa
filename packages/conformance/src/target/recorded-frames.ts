/** A code that was read from a picture of the page that is recorded. */
export interface ClockCode {
  /** Number of the page that shows it: 0 to 255. */
  readonly mark: number;
  /** Number of ticks since the page has loaded. */
  readonly tick: number;
}

/** A frame of a recording. */
export interface RecordedFrame {
  /** Time at which it is shown, in milliseconds from the beginning of the video. */
  readonly atMs: number;
  /** The code that it shows; undefined when it shows none. */
  readonly code: ClockCode | undefined;
  /** Brightness of the parts of the picture, line by line, each from 0 to 255: what is left of it after any encoding. */
  readonly outline: readonly number[];
}

/** The frames of a recording, in the order in which they are shown; when they could not be decoded, a sentence that says why. */
export type Frames = { readonly frames: readonly RecordedFrame[] } | { readonly reason: string };

/** The films that a run decodes: that of the page which moves, and that of another session. */
export type Film = "recorded" | "other";
