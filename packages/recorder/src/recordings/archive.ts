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

/** Storage for finished recordings outside of the local folder. */
export interface Archive {
  /** Called with the state of a recording each time it changes. */
  readonly onState: (state: RecordingState) => void;
  /**
   * Stores a finished recording. Retried when it rejects, as encoding is.
   *
   * @returns Whether nothing of it is needed in the folder any more: it is removed, and not known there any more.
   */
  readonly store: (done: DoneRecording) => Promise<boolean>;
}
