import { access, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { settledWithin } from "../async.ts";
import { systemClock, type Clock } from "../clock.ts";
import { RecorderError } from "../recorder-error.ts";
import { adoptedFolder, removeUnfinished } from "./adopted-folder.ts";
import { Deletions } from "./deletions.ts";
import { storageTrouble } from "../storage-trouble.ts";
import { EncodeQueue } from "../encoding/encode-queue.ts";
import { replayFile } from "../encoding/encoder.ts";
import { findFfmpeg } from "../encoding/ffmpeg.ts";
import { Presigner } from "../serving/presigned-url.ts";
import { Recorder, type CaptureEnd, type RecordedSession } from "./session-recorder.ts";
import type { RecordingsOptions } from "./recordings-options.ts";
import { refusalOf } from "./refusal.ts";
import { replayOf, type Replay } from "./replay.ts";
import { Recording, replayPath } from "./recording.ts";
import type { RecordingContext } from "./recording-context.ts";
import { readState, unreadableState, writeState, type RecordingState } from "./recording-state.ts";
import { progressOf, viewOfRecording, type Circumstances, type RecordingView } from "./recording-view.ts";
import { segmentsOf } from "../encoding/segments.ts";
import type { ServableFile } from "../serving/serve-file.ts";
import { CaptureQueue } from "../capture/capture-queue.ts";

/** Reasons why a presigned URL is refused: it has no signature, a wrong one, its time is over, or the file is not there. */
export type Refusal = "unsigned" | "wrong" | "expired" | "missing";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long encoders are waited for at the end, in milliseconds. */
const closeMs = 10_000;
const idPattern = /^[\w-]{1,128}$/u;

/** The recordings of all sessions: a folder for each, that tells all there is to know of it. */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #clock: Clock;
  readonly #presigner: Presigner;
  readonly #closing = new AbortController();
  readonly #context: RecordingContext;
  readonly #recordings = new Map<string, Recording>();
  readonly #captureQueue = new CaptureQueue();
  readonly #recorders = new Map<string, Recorder>();
  /** Of those that a process before this one left, what is done to finish them. */
  readonly #recoveries = new Map<string, Promise<void>>();
  readonly #deletions: Deletions;
  #ffmpeg: Promise<string> | undefined;
  /** Of sessions that have ended. */
  #bytes = 0;

  private constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#presigner = new Presigner(options.secret, options.publicUrl);
    this.#context = {
      queue: new EncodeQueue(options.encodersAtOnce ?? 1),
      ffmpeg: () => this.#findFfmpeg(),
      signal: this.#closing.signal,
      now: () => this.#clock.now(),
      pausesMs: options.pausesMs ?? { first: 1_000, longest: 300_000 },
      retentionMs: options.retentionMs ?? dayMs,
      warn: (sessionId, what) => options.onWarning?.(sessionId, what),
      onEncoderFailure: () => options.onEncoderFailure?.(),
      archive: options.archive,
    };
    this.#deletions = new Deletions({
      clock: this.#clock,
      sweepMs: options.sweepMs ?? 15_000,
      beforeSweep: () => this.#loadAll(),
      onForgotten: (sessionId) => void this.#recordings.delete(sessionId),
      warn: this.#context.warn,
    });
  }

  /** Opens the recordings that a folder holds; what is due to be deleted is. Finishes none: that is what {@link recover} is for. */
  static async open(options: RecordingsOptions): Promise<Recordings> {
    const recordings = new Recordings(options);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(options.folder);
    await recordings.#loadAll();
    return recordings;
  }

  /**
   * Begins to record a session.
   *
   * @throws {RecorderError} `encoder-missing`; `usage` when it is recorded already, or its id can't name a folder.
   */
  async begin(session: RecordedSession): Promise<Recorder> {
    const { id, startedAtMs, viewport } = session;
    if (!idPattern.test(id))
      throw new RecorderError("usage", "Malformed session id: only letters, digits, - and _ are allowed, up to 128.");
    if (this.#recordings.has(id)) throw new RecorderError("usage", "This session is recorded already.");
    await this.#findFfmpeg();
    const folder = join(this.#options.folder, id);
    const state: RecordingState = { version: 1, sessionId: id, startedAtMs, viewport, stage: { name: "recording" } };
    const recording = new Recording(folder, state, this.#context);
    this.#recordings.set(id, recording);
    try {
      await mkdir(folder, { mode: 0o700 });
      await writeState(folder, state);
    } catch (cause) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      this.#recordings.delete(id);
      throw new RecorderError("storage-failed", `The recording could not be started: ${storageTrouble(cause)}.`, {
        cause,
      });
    }
    const { maxBytes = 2 ** 30 } = this.#options;
    const recorder = new Recorder(session, {
      clock: this.#clock,
      folder,
      maxBytes,
      captureQueue: this.#captureQueue,
      onChunk: (chunk) => void recording.chunkIsComplete(chunk),
      onFault: (why) => this.#tellFault(id, why),
      onGap: (fromMs, reason) => {
        if (reason === "size-limit")
          this.#context.warn(id, `reached its limit of ${maxBytes} bytes; no more pictures are recorded`);
        recording.openGap(fromMs, reason);
      },
      onGapEnd: (toMs) => recording.closeGap(toMs),
      onEnd: (capture) => this.#end(recording, capture),
    });
    this.#recorders.set(id, recorder);
    return recorder;
  }

  /**
   * The replay of a session that has ended.
   *
   * @param waitMs - How long one that is being finished is waited for, in milliseconds. Default: not at all.
   * @throws {RecorderError} `unknown-session`; `recording-not-ready` while it is open or being encoded, `recording-delayed` when that
   * failed and is tried again; `recording-empty`, `recording-deleted`, `recording-failed`.
   */
  async replay(sessionId: string, waitMs = 0): Promise<Replay> {
    const recording = this.#recordings.get(sessionId);
    if (!recording) throw new RecorderError("unknown-session", "No session with this id was recorded.");
    await this.settled(sessionId, waitMs);
    const now = this.#clock.now();
    const refusal = refusalOf(progressOf(recording, this.#around(sessionId)), now);
    if (refusal) throw refusal;
    const { stage, deleteAtMs = Infinity } = recording.state;
    if (stage.name !== "finished" || !(await isThere(replayPath(recording, replayFile)))) {
      throw new RecorderError(
        "recording-failed",
        "The files of this recording are missing: they were removed from outside.",
      );
    }
    const expiresAtMs = Math.min(now + (this.#options.urlTtlMs ?? hourMs), deleteAtMs);
    return replayOf({ sessionId, video: stage, presigner: this.#presigner, expiresAtMs });
  }

  /** How far the recording of a session is; undefined when there is none. */
  view(sessionId: string): RecordingView | undefined {
    const recording = this.#recordings.get(sessionId);
    return recording && viewOfRecording(recording, this.#around(sessionId));
  }

  /** The last moment at which a session is known to have been open, in milliseconds since 1970: its journal was written then. */
  async lastSeen(sessionId: string): Promise<number | undefined> {
    const recording = this.#recordings.get(sessionId);
    if (!recording) return undefined;
    const { endedAtMs, startedAtMs } = recording.state;
    return endedAtMs ?? startedAtMs + (await recording.lastMoment());
  }

  /** Bytes of pictures that this process has written. */
  get bytes(): number {
    return [...this.#recorders.values()].reduce((sum, { bytes }) => sum + bytes, this.#bytes);
  }

  /** How long no write of the session that waits longest has succeeded, in milliseconds; 0 when none is recorded. */
  get lagMs(): number {
    return Math.max(0, ...[...this.#recorders.values()].map(({ lagMs }) => lagMs));
  }

  /** Returns why recordings can't be finished at the moment, in words that name no path; undefined when they can. */
  async fault(): Promise<string | undefined> {
    const program = await this.#findFfmpeg().catch(() => undefined);
    if (program === undefined) return "ffmpeg can't be started: install it, or set its path with --ffmpeg";
    const waiting = [...this.#recordings.values()].filter(
      ({ failed, state }) => failed && !failed.isEncoded && state.stage.name === "ended",
    );
    if (waiting.length === 0) return undefined;
    return `${waiting.length} recordings could not be encoded yet; retrying. The records of their sessions say why`;
  }

  /** The file that a presigned address gives access to, or why it gives none. */
  async find(sessionId: string, file: string, query: URLSearchParams): Promise<ServableFile | Refusal> {
    const now = this.#clock.now();
    const verdict = this.#presigner.verdict(sessionId, file, query, now);
    if (verdict !== "good") return verdict;
    const recording = this.#recordings.get(sessionId);
    if (recording?.state.stage.name !== "finished" || now >= (recording.state.deleteAtMs ?? Infinity)) return "missing";
    const { durationMs } = recording.state.stage;
    const isMp4 = file === replayFile;
    if (!isMp4 && !segmentsOf(durationMs).some((segment) => segment.file === file)) return "missing";
    const path = replayPath(recording, file);
    const found = await stat(path).catch(() => undefined);
    if (!found) return "missing";
    return { path, size: found.size, modifiedMs: found.mtimeMs, type: isMp4 ? "video/mp4" : "video/mp2t" };
  }

  /** The sessions that are being recorded, or whose recordings are not finished. */
  get unfinished(): readonly string[] {
    return [...this.#recordings.values()].filter(isUnfinished).map(({ state }) => state.sessionId);
  }

  /** The sessions whose recordings are known here. */
  get ids(): readonly string[] {
    return [...this.#recordings.keys()];
  }

  /** Finishes what a process that died left. Resolves when all of it is done, or could not be. */
  async recover(): Promise<void> {
    const left = [...this.#recordings.values()].filter((recording) => {
      const { sessionId } = recording.state;
      return !this.#recorders.has(sessionId) && !recording.finishing && isUnfinished(recording);
    });
    await Promise.all(left.map((recording) => this.#recover(recording)));
  }

  /**
   * Finishes a recording that another machine began.
   *
   * @param state - As that one knew it last.
   * @param fill - Writes the files of the journal into a folder.
   */
  async adopt(state: RecordingState, fill: (folder: string) => Promise<void>): Promise<void> {
    await this.remove(state.sessionId);
    await adoptedFolder(this.#options.folder, state, fill);
    await this.#load(state.sessionId);
    const adopted = this.#recordings.get(state.sessionId);
    if (adopted && isUnfinished(adopted)) await this.#recover(adopted);
  }

  /** Removes a recording from the folder, whatever is done for it, and knows nothing of it any more. It may not be recorded any more. */
  async remove(sessionId: string): Promise<void> {
    const recording = this.#recordings.get(sessionId);
    if (!recording) return;
    this.#deletions.unwatch(sessionId);
    await recording.remove();
    if (this.#recordings.get(sessionId) === recording) this.#recordings.delete(sessionId);
  }

  /** Waits for the attempt to finish a recording that is under way here, for at most so many milliseconds. */
  async settled(sessionId: string, waitMs: number): Promise<void> {
    await settledWithin(waitMs, this.#recoveries.get(sessionId) ?? this.#recordings.get(sessionId)?.attempt);
  }

  /**
   * Ends what is still recorded, and waits for the encoders.
   * What they don't finish in time is finished after the next start.
   *
   * @param timeoutMs - How long they are waited for, in milliseconds. Default: 10,000.
   */
  async close(timeoutMs = closeMs): Promise<void> {
    await Promise.allSettled([...this.#recorders.values()].map((recorder) => recorder.end()));
    const attempts = Promise.allSettled([...this.#recordings.values()].map(async (recording) => recording.attempt));
    await settledWithin(timeoutMs, attempts);
    this.#closing.abort();
    this.#context.queue.close();
    await attempts;
    this.#deletions.close();
  }

  async #recover(recording: Recording): Promise<void> {
    const { sessionId } = recording.state;
    const recovery = recording.finish().then(async () => {
      this.#watch(recording);
      await recording.attempt;
    });
    this.#recoveries.set(sessionId, recovery);
    await recovery;
    this.#recoveries.delete(sessionId);
  }

  /** From now on it is known when it is to be deleted; or it is removed when the archive has it. */
  #watch(recording: Recording): void {
    this.#deletions.watch(recording);
    const { sessionId } = recording.state;
    void recording.finishing?.then(async () => {
      if (!recording.isArchived || this.#recordings.get(sessionId) !== recording) return;
      await this.remove(sessionId).catch((error: unknown) =>
        this.#context.warn(sessionId, `has files left that could not be removed: ${messageOf(error)}`),
      );
    });
  }

  /** Gets to know what the folder holds and nobody knows: at the start all of it, later what somebody else put there. */
  async #loadAll(): Promise<void> {
    for (const entry of await readdir(this.#options.folder, { withFileTypes: true })) {
      const { name: id } = entry;
      if (!entry.isDirectory() || !idPattern.test(id) || this.#recordings.has(id)) continue;
      await this.#load(id).catch((error: unknown) => this.#context.warn(id, `can't be read: ${messageOf(error)}`));
    }
  }

  async #load(id: string): Promise<void> {
    const folder = join(this.#options.folder, id);
    let read = await readState(folder);
    if (!read) {
      read = await unreadableState(folder, id, this.#context.retentionMs);
      this.#context.warn(id, "is kept until its retention time is over, but its state could not be read");
    }
    // Nothing is kept longer than from now on: the clock was set back, or what is due was written by somebody else.
    const latestMs = this.#clock.now() + this.#context.retentionMs;
    const state = read.deleteAtMs === undefined ? read : { ...read, deleteAtMs: Math.min(read.deleteAtMs, latestMs) };
    const recording = new Recording(folder, state, this.#context);
    this.#recordings.set(id, recording);
    await recording.tidy().catch((error: unknown) => {
      if (state.stage.name === "deleted") this.#deletions.setLate(id);
      this.#context.warn(id, `has files left that could not be removed: ${messageOf(error)}`);
    });
    this.#deletions.watch(recording);
  }

  #findFfmpeg(): Promise<string> {
    const { ffmpeg, folder } = this.#options;
    this.#ffmpeg ??= findFfmpeg(ffmpeg, join(folder, ".ffmpeg")).catch((error: unknown) => {
      this.#ffmpeg = undefined;
      throw error;
    });
    return this.#ffmpeg;
  }

  #around(sessionId: string): Circumstances {
    return {
      nowMs: this.#clock.now(),
      isOpen: this.#recorders.has(sessionId),
      isUndeleted: this.#deletions.isLate(sessionId),
    };
  }

  #tellFault(sessionId: string, why: string | undefined): void {
    if (why === undefined) this.#context.warn(sessionId, "continues: writing works again");
    else this.#context.warn(sessionId, `is paused: writing fails (${why}); retrying`);
  }

  async #end(recording: Recording, capture: CaptureEnd): Promise<void> {
    this.#bytes += this.#recorders.get(recording.state.sessionId)?.bytes ?? 0;
    this.#recorders.delete(recording.state.sessionId);
    await recording.finish(capture);
    this.#watch(recording);
  }
}

function isUnfinished({ state: { stage } }: Recording): boolean {
  return stage.name === "recording" || stage.name === "ended";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
