import type { RecordingState } from "./recording-state.ts";

/** A recording of which all is done: encoded, or found to have nothing that could be. */
export interface DoneRecording {
  /** State that it has once it is archived. */
  readonly state: RecordingState;
  /** Folder with the files of the replay, of those that {@link replayFiles} names. */
  readonly folder: string;
  /** The file of its timeline; it may not be there. */
  readonly timeline: string;
  /** Aborts when it is deleted, or the process stops. */
  readonly signal: AbortSignal;
}

/** Keeps recordings elsewhere than in the folder in which they are made. */
export interface Archive {
  /** Called with the state of a recording each time it changes. */
  readonly onState: (state: RecordingState) => void;
  /**
   * Takes a recording of which all is done. While it rejects it is tried again, as encoding is.
   *
   * @returns Whether nothing of it is needed in the folder any more: it is removed, and not known there any more.
   */
  readonly take: (done: DoneRecording) => Promise<boolean>;
}
