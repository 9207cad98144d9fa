import { mkdir, rm } from "node:fs/promises";
import { answered, settledWithin } from "../async.ts";
import { CaptureQueue } from "../capture/capture-queue.ts";
import type { Clock } from "../clock.ts";
import { RecorderError } from "../recorder-error.ts";
import type { RecordingContext } from "./recording-context.ts";
import { idPattern, type RecordingFolder } from "./recording-folder.ts";
import { writeState, type RecordingState } from "./recording-state.ts";
import type { Recording } from "./recording.ts";
import { Recorder, type CaptureEnd, type RecordedSession } from "./session-recorder.ts";
import { storageFailure } from "../storage-failure.ts";

/** Time for which the refusal of a session waits until its unfinished recording is removed, in milliseconds. */
const removalMs = 1_000;

/** Options of recorders. */
export interface OpenRecordersOptions {
  /** Folder of the recordings. */
  readonly folder: RecordingFolder;
  /** Dependencies that all recordings share. */
  readonly context: RecordingContext;
  /** Returns the current time. */
  readonly clock: Clock;
  /** Limit of the bytes that are captured of a session. */
  readonly maxBytes: number;
}

/** The recorders of the sessions that are open. */
export class OpenRecorders {
  readonly #options: OpenRecordersOptions;
  readonly #captureQueue = new CaptureQueue();
  readonly #recorders = new Map<string, Recorder>();
  /** Bytes of pictures of sessions that have ended. */
  #endedBytes = 0;

  constructor(options: OpenRecordersOptions) {
    this.#options = options;
  }

  /**
   * Begins to record a session.
   *
   * @throws {RecorderError} `encoder-missing`; `usage` when it is recorded already, or its id can't name a folder; `storage-failed`.
   */
  async begin(session: RecordedSession): Promise<Recorder> {
    const { folder, context, clock, maxBytes } = this.#options;
    const { id, startedAtMs, viewport, retentionMs } = session;
    if (!idPattern.test(id))
      throw new RecorderError("usage", "malformed session id: only letters, digits, - and _ are allowed, up to 128");
    if (folder.get(id)) throw new RecorderError("usage", "this session is recorded already");
    await context.ffmpeg();
    const recording = await this.#start({
      version: 1,
      sessionId: id,
      startedAtMs,
      viewport,
      ...(retentionMs !== undefined && { retentionMs }),
      stage: { name: "recording" },
    });
    const recorder = new Recorder(session, {
      clock,
      folder: folder.buildPath(id),
      maxBytes,
      captureQueue: this.#captureQueue,
      onChunk: (chunk) => void recording.chunkIsComplete(chunk),
      onFault: (why) => this.#warnOfFault(id, why),
      onGap: (fromMs, reason) => {
        if (reason === "size-limit")
          context.warn(id, `reached its limit of ${maxBytes} bytes; no more pictures are recorded`);
        recording.openGap(fromMs, reason);
      },
      onGapEnd: (toMs) => recording.closeGap(toMs),
      onEnd: (capture) => this.#end(recording, capture),
    });
    this.#recorders.set(id, recorder);
    return recorder;
  }

  /** Returns whether a session is being recorded. */
  has(sessionId: string): boolean {
    return this.#recorders.has(sessionId);
  }

  /** Bytes of pictures written by this process. */
  get bytes(): number {
    return [...this.#recorders.values()].reduce((sum, { bytes }) => sum + bytes, this.#endedBytes);
  }

  /** Age of the oldest write that has not succeeded, in milliseconds; 0 when none waits. */
  get lagMs(): number {
    return Math.max(0, ...[...this.#recorders.values()].map(({ lagMs }) => lagMs));
  }

  /** Ends all recorders. */
  async endAll(): Promise<void> {
    await Promise.allSettled([...this.#recorders.values()].map((recorder) => recorder.end()));
  }

  async #start(state: RecordingState): Promise<Recording> {
    const { folder } = this.#options;
    const path = folder.buildPath(state.sessionId);
    const recording = folder.add(state);
    const making = (async (): Promise<void> => {
      await mkdir(path, { mode: 0o700 });
      await writeState(path, state);
    })();
    try {
      await answered("the recording could not be started", making);
      return recording;
    } catch (cause) {
      folder.forget(state.sessionId);
      // What hangs may yet be made: it goes then.
      const removed = making
        .catch(() => undefined)
        .then(() => rm(path, { recursive: true, force: true }))
        .catch(() => undefined);
      await settledWithin(removalMs, removed);
      throw storageFailure("the recording could not be started", cause);
    }
  }

  async #end(recording: Recording, capture: CaptureEnd): Promise<void> {
    const { sessionId } = recording.state;
    this.#endedBytes += this.#recorders.get(sessionId)?.bytes ?? 0;
    this.#recorders.delete(sessionId);
    await recording.finish(capture);
    this.#options.folder.watch(recording);
  }

  #warnOfFault(sessionId: string, why: string | undefined): void {
    const { warn } = this.#options.context;
    if (why === undefined) warn(sessionId, "continues: writing works again");
    else warn(sessionId, `is paused: writing fails (${why}); retrying`);
  }
}
