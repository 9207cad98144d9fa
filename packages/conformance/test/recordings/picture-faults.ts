/** Recordings whose pictures are wrong. */
import type { MovieOptions } from "./clock-movies.ts";

export interface PictureFault {
  /** The recording, as the end of "a recording of the page". */
  readonly film: string;
  /** Options of drawing its frames. */
  readonly movie: MovieOptions;
  /** The check that finds it, without `recording/`. */
  readonly check: string;
  /** The requirement that the finding names, without `recording.`. */
  readonly requirement: string;
}

/** Recordings of a page that break a sentence each. */
export const pictureFaults: readonly PictureFault[] = [
  { film: "of another run", movie: { otherMark: 1 }, check: "shows-the-page", requirement: "includes-visual-state" },
  { film: "that is black", movie: { black: true }, check: "shows-the-page", requirement: "includes-visual-state" },
  {
    film: "of one picture",
    movie: { ageAt: () => 400 },
    check: "shows-changes",
    requirement: "includes-dom-changes",
  },
  ...[
    { film: "at twice the speed", ageAt: (ms: number) => ms * 2 },
    { film: "at half the speed", ageAt: (ms: number) => ms / 2 },
    { film: "that leaves out five seconds", ageAt: (ms: number) => (ms < 1500 ? ms : ms + 5000) },
    { film: "backwards", ageAt: (ms: number) => 3000 - ms },
  ].map(({ film, ageAt }) => ({
    film,
    movie: { ageAt },
    check: "keeps-time",
    requirement: "includes-real-time-timing",
  })),
];
