import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import pRetry from "p-retry";
import { chunkFile, chunksIn, type JournalChunk } from "../journal/chunk.ts";
import { timelineFile } from "../journal/timeline-file.ts";
import { draftPrefix, replayFolder } from "../encoding/encoder.ts";
import { ChunkEncodings } from "./chunk-encodings.ts";
import type { RecordingContext } from "./recording-context.ts";
import type { CaptureEnd } from "./session-recorder.ts";
import { writeState, type Gap, type GapReason, type RecordingState } from "./recording-state.ts";
import { describeRecorderError } from "../recorder-error.ts";

/** An attempt to finish a recording that failed. */
export interface FailedAttempt {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Message of its error. */
  readonly why: string;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly nextAtMs: number;
  /** True when encoding succeeded, and the archive failed. */
  readonly isEncoded: boolean;
}

/** The files and the state of one session's recording. */
export class Recording {
  /** Folder of its files. */
  readonly folder: string;
  readonly #context: RecordingContext;
  readonly #deletion = new AbortController();
  readonly #encodings: ChunkEncodings;
  #state: RecordingState;
  #flush: (() => Promise<void>) | undefined;
  #finishing: Promise<void> | undefined;
  #attempt: Promise<void> | undefined;
  #failed: FailedAttempt | undefined;
  #isEncoded = false;
  #isArchived = false;
  #isRemoved = false;
  #removal = Promise.resolve();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(folder: string, state: RecordingState, context: RecordingContext) {
    this.folder = folder;
    this.#state = state;
    this.#context = context;
    this.#encodings = new ChunkEncodings(folder, state, context, this.#deletion.signal);
  }

  /** State of the recording, including changes that could not be written yet. */
  get state(): RecordingState {
    return this.#state;
  }

  /** Settles when the current attempt to finish it succeeds or fails; undefined when none is in progress. */
  get attempt(): Promise<void> | undefined {
    return this.#attempt;
  }

  /** Last attempt to finish it, if it failed and the next one has not started. */
  get failed(): FailedAttempt | undefined {
    return this.#failed;
  }

  /** Resolves when it is finished, or given up; undefined before its session has ended. */
  get finishing(): Promise<void> | undefined {
    return this.#finishing;
  }

  /** True when the archive has it, and its local files are no longer needed. */
  get isArchived(): boolean {
    return this.#isArchived;
  }

  /** Records that pictures may be missing from a moment on. */
  openGap(fromMs: number, reason: GapReason): void {
    this.#changeGaps([...(this.#state.gaps ?? []), { fromMs, reason }]);
  }

  /** Records the end of a gap; removes the gap when it ends where it started. */
  closeGap(toMs: number): void {
    const { gaps = [] } = this.#state;
    this.#changeGaps(closed(gaps, isOpenForWrites, toMs).filter((gap) => gap.toMs !== gap.fromMs));
  }

  /** Encodes a chunk that is complete while the session is open. */
  async chunkIsComplete(chunk: JournalChunk): Promise<void> {
    try {
      await this.#encodings.encode(chunk, false);
      await rm(join(this.folder, chunkFile(chunk.startMs, "journal")), { force: true });
    } catch {
      // Tried again when the session has ended.
    }
  }

  /**
   * Creates the replay after the end of the session. Resolves when the attempt has started. A failed attempt is retried with exponential
   * backoff until it succeeds, the recording is deleted or the service stops.
   *
   * @param capture - How it ended. Default: at the last moment that was captured, because the process died then.
   */
  async finish(capture?: CaptureEnd): Promise<void> {
    if (this.#state.stage.name === "recording") {
      const lengthMs = capture?.lengthMs ?? (await this.lastEntryMs());
      // Never before the start, even when the clock was set back.
      const endedAtMs = capture
        ? Math.max(this.#state.startedAtMs, this.#context.now())
        : this.#state.startedAtMs + lengthMs;
      this.#state = {
        ...this.#state,
        stage: { name: "ended" },
        endedAtMs: Math.round(endedAtMs),
        lengthMs,
        deleteAtMs: Math.round(endedAtMs + (this.#state.retentionMs ?? this.#context.retentionMs)),
      };
    }
    this.#flush = capture?.flush;
    this.#finishing ??= this.#finish();
  }

  /** Returns the time of the last entry of the journal, in milliseconds from the start of the session; 0 if it is empty. */
  async lastEntryMs(): Promise<number> {
    return (await chunksIn(this.folder)).at(-1)?.endMs ?? 0;
  }

  /** Ends its retention time now; it is deleted next. */
  expire(): void {
    const now = Math.round(this.#context.now());
    this.#state = { ...this.#state, deleteAtMs: Math.min(now, this.#state.deleteAtMs ?? now) };
  }

  /**
   * Deletes all but a tombstone.
   *
   * @throws {Error} When not all of it could be. It is known as deleted all the same, and can be tried again.
   */
  delete(): Promise<void> {
    return this.#enqueueRemoval(async () => {
      if (this.#isRemoved) return;
      this.#state = { ...this.#state, stage: { name: "deleted" } };
      // Somebody else may have removed all of it.
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      // First what takes room: on a full disk nothing can be noted before.
      await this.#clear(() => true);
      await this.#save();
    });
  }

  /** Aborts the work on it, and removes all of it. */
  remove(): Promise<void> {
    return this.#enqueueRemoval(async () => {
      this.#isRemoved = true;
      this.#state = { ...this.#state, stage: { name: "deleted" } };
      await rm(this.folder, { recursive: true, force: true });
    });
  }

  /** Removes files that a process left which has died. */
  async cleanUp(): Promise<void> {
    const { name } = this.#state.stage;
    if (name === "deleted") return this.#clear(() => true);
    await this.#clear((file) => file.startsWith(draftPrefix) || (name === "finished" && file.startsWith("chunk-")));
  }

  /** Aborts the work on it, then runs a removal; one removal at a time. */
  #enqueueRemoval(work: () => Promise<void>): Promise<void> {
    this.#deletion.abort();
    const done = this.#removal.then(async () => {
      await Promise.allSettled([this.#finishing, this.#encodings.untilSettled()]);
      await work();
    });
    this.#removal = done.catch(() => undefined);
    return done;
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([this.#deletion.signal, this.#context.signal]);
  }

  #changeGaps(gaps: readonly Gap[]): void {
    this.#state = { ...this.#state, gaps: [...gaps] };
    // What can't be written now is written with the next change.
    this.#save().catch(() => undefined);
  }

  /** Writes its state. */
  async #save(): Promise<void> {
    const written = this.#writing.then(() => writeState(this.folder, this.#state));
    this.#writing = written.catch(() => undefined);
    this.#context.archive?.onState(this.#state);
    await written;
  }

  async #finish(): Promise<void> {
    const signal = this.#signal;
    const { first, longest } = this.#context.retryDelaysMs;
    try {
      await pRetry((attempt) => this.#try(attempt), {
        retries: Infinity,
        minTimeout: first,
        maxTimeout: longest,
        unref: true,
        signal,
        onFailedAttempt: ({ error, attemptNumber, retryDelay }) =>
          this.#willTryAgain({
            attempt: attemptNumber,
            why: error.message,
            nextAtMs: this.#context.now() + retryDelay,
            isEncoded: this.#isEncoded,
          }),
      });
    } catch (error) {
      if (!signal.aborted) this.#warn(`could not be finished: ${describeRecorderError(error)}`);
    }
  }

  async #try(attempt: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#attempt = promise;
    this.#failed = undefined;
    try {
      await this.#make();
      if (attempt > 1) this.#warn(`is finished, at attempt ${attempt}`);
    } catch (cause) {
      throw new Error(describeRecorderError(cause), { cause });
    } finally {
      this.#attempt = undefined;
      // Whoever waits for it looks when what comes of it is known.
      setImmediate(resolve);
    }
  }

  #willTryAgain(failed: FailedAttempt): void {
    this.#failed = failed;
    const next = new Date(failed.nextAtMs).toISOString();
    this.#warn(
      `could not be ${failed.isEncoded ? "stored" : "encoded"} (attempt ${failed.attempt}), retrying at ${next}: ${failed.why}`,
    );
  }

  async #make(): Promise<void> {
    this.#context.queue.prioritize(this.#state.sessionId);
    await this.#encodings.untilSettled();
    await this.#flush?.();
    // It holds the journal and all that leads to it: the page, the session.
    this.#flush = undefined;
    if (this.#state.stage.name === "ended") {
      const { lengthMs = 0, gaps = [] } = this.#state;
      if (gaps.length > 0)
        this.#state = { ...this.#state, gaps: closed(gaps, ({ toMs }) => toMs === undefined, lengthMs) };
      await this.#save();
      this.#isEncoded = false;
      const stage = await this.#encodings.encodeAll(this.#state.lengthMs);
      this.#isEncoded = true;
      if (await this.#archive({ ...this.#state, stage })) return;
      this.#state = { ...this.#state, stage };
    }
    await this.#save();
    await this.#clear((file) => file.startsWith("chunk-"));
  }

  async #archive(state: RecordingState): Promise<boolean> {
    const { archive } = this.#context;
    const folder = join(this.folder, replayFolder);
    const timeline = join(this.folder, timelineFile);
    this.#isArchived = (await archive?.store({ state, folder, timeline, signal: this.#signal })) ?? false;
    return this.#isArchived;
  }

  async #clear(isOld: (file: string) => boolean): Promise<void> {
    const files = (await readdir(this.folder)).filter((file) => file !== "recording.json" && isOld(file));
    await Promise.all(files.map((file) => rm(join(this.folder, file), { recursive: true, force: true })));
  }

  #warn(what: string): void {
    this.#context.warn(this.#state.sessionId, what);
  }
}

/** Returns the path of a file of a finished replay. */
export function replayPath(recording: Recording, file: string): string {
  return join(recording.folder, replayFolder, file);
}

function isOpenForWrites({ reason, toMs }: Gap): boolean {
  return reason === "write-failed" && toMs === undefined;
}

/** Gaps, of which some end at a moment. */
function closed(gaps: readonly Gap[], isOpen: (gap: Gap) => boolean, endMs: number): Gap[] {
  return gaps.map((gap) => {
    const { fromMs, reason } = gap;
    return isOpen(gap) ? { fromMs, toMs: Math.max(fromMs, endMs), reason } : gap;
  });
}
