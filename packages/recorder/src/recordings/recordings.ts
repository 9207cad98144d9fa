import { access, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { answered, settledWithin } from "../async.ts";
import { systemClock, type Clock } from "../clock.ts";
import { EncodeQueue } from "../encoding/encode-queue.ts";
import { replayFile } from "../encoding/encoder.ts";
import { findFfmpeg } from "../encoding/ffmpeg.ts";
import { splitSegments } from "../encoding/hls-segments.ts";
import { describeStorageError } from "../describe-storage-error.ts";
import { RecorderError } from "../recorder-error.ts";
import { Presigner } from "../serving/presigned-url.ts";
import type { ServableFile } from "../serving/serve-file.ts";
import { OpenRecorders } from "./open-recorders.ts";
import type { RecordingContext } from "./recording-context.ts";
import { isUnfinished, RecordingFolder } from "./recording-folder.ts";
import type { RecordingState } from "./recording-state.ts";
import { type StoredTimeline, findVideo } from "./stored-timeline.ts";
import { readTimeline } from "../journal/timeline-file.ts";
import { measureProgress, viewOfRecording, type Circumstances, type RecordingView } from "./recording-view.ts";
import { replayPath } from "./recording.ts";
import type { RecordingsOptions } from "./recordings-options.ts";
import { explainMissingReplay } from "./refusal.ts";
import { makeReplay, type Replay } from "./replay.ts";
import type { Recorder, RecordedSession } from "./session-recorder.ts";
import { isAbsence, storageFailure } from "../storage-failure.ts";

/** Reasons why a presigned URL is refused: it has no signature, a wrong one, it has expired, or the file does not exist. */
export type UrlRefusal = "unsigned" | "wrong" | "expired" | "missing";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Default time for which `close` waits for encoders, in milliseconds. */
const closeMs = 10_000;

/**
 * The recordings of all sessions, in one folder: begins and finishes them, and gives out their replays.
 *
 * @example
 * ```ts from=examples/api/recorder/recordings.ts
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
 * import { Recordings } from "@cloud-browser/recorder";
 *
 * const recordings = await Recordings.open({
 *   folder: await mkdtemp(join(tmpdir(), "recordings-")),
 *   secret: crypto.getRandomValues(new Uint8Array(32)), // signs the URLs
 *   publicUrl: () => "http://127.0.0.1:8000",
 * });
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const activePage = new ActivePage(context);
 * const viewport = { width: 640, height: 480 };
 * const recorder = await recordings.begin({ id: "first", context, activePage, viewport, startedAtMs: Date.now() });
 *
 * const page = await context.newPage();
 * await page.setContent("<h1>Recorded</h1>");
 * recorder.onActivity(); // samples the page soon
 * await page.waitForTimeout(1_000);
 * await recorder.end();
 *
 * const { mp4_url } = await recordings.replay("first", 30_000);
 * console.log(new URL(mp4_url).pathname); // /recordings/first/replay.mp4
 * await recordings.close();
 * await pool.close();
 * ```
 */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #clock: Clock;
  readonly #presigner: Presigner;
  readonly #closing = new AbortController();
  readonly #context: RecordingContext;
  readonly #folder: RecordingFolder;
  readonly #recorders: OpenRecorders;
  #ffmpeg: Promise<string> | undefined;

  private constructor(options: RecordingsOptions) {
    this.#options = options;
    const clock = options.clock ?? systemClock;
    const context: RecordingContext = {
      queue: new EncodeQueue(options.encodersAtOnce ?? 1),
      ffmpeg: () => this.#findFfmpeg(),
      signal: this.#closing.signal,
      now: () => clock.now(),
      retryDelaysMs: options.retryDelaysMs ?? { first: 1_000, longest: 300_000 },
      retentionMs: options.retentionMs ?? dayMs,
      warn: (sessionId, what) => options.onWarning?.(sessionId, what),
      onEncoderFailure: () => options.onEncoderFailure?.(),
      archive: options.archive,
    };
    const folder = new RecordingFolder({ path: options.folder, clock, sweepMs: options.sweepMs ?? 15_000, context });
    this.#clock = clock;
    this.#context = context;
    this.#presigner = new Presigner(options.secret, options.publicUrl);
    this.#folder = folder;
    this.#recorders = new OpenRecorders({ folder, context, clock, maxBytes: options.maxBytes ?? 2 ** 30 });
  }

  /** Opens the recordings in a folder, and deletes those that are due. Finishes none: call {@link recover} for that. */
  static async open(options: RecordingsOptions): Promise<Recordings> {
    const recordings = new Recordings(options);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await recordings.#folder.removeUnfinished();
    await recordings.#folder.load();
    return recordings;
  }

  /**
   * Begins to record a session.
   *
   * @throws {RecorderError} `encoder-missing`; `usage` when it is recorded already, or its id can't name a folder; `storage-failed`.
   */
  begin(session: RecordedSession): Promise<Recorder> {
    return this.#recorders.begin(session);
  }

  /**
   * The replay of a session that has ended.
   *
   * @param waitMs - How long to wait for a recording that is being finished, in milliseconds. Default: not at all.
   * @throws {RecorderError} `unknown-session`; `recording-not-ready` while it is open or being encoded, `recording-delayed` when that
   * failed and is tried again; `recording-empty`, `recording-deleted`, `recording-failed`.
   */
  async replay(sessionId: string, waitMs = 0): Promise<Replay> {
    const recording = this.#folder.get(sessionId);
    if (!recording) throw notRecorded();
    await this.settled(sessionId, waitMs);
    const now = this.#clock.now();
    const refusal = explainMissingReplay(measureProgress(recording, this.#circumstances(sessionId)), now);
    if (refusal) throw refusal;
    const { stage, deleteAtMs = Infinity } = recording.state;
    if (stage.name !== "finished" || !(await exists(replayPath(recording, replayFile)))) {
      throw new RecorderError(
        "recording-failed",
        "the files of this recording are missing: they were removed from outside",
      );
    }
    const expiresAtMs = Math.min(now + (this.#options.urlTtlMs ?? hourMs), deleteAtMs);
    return makeReplay({ sessionId, video: stage, presigner: this.#presigner, expiresAtMs });
  }

  /**
   * Deletes the recording of a session before it is due.
   *
   * @throws {RecorderError} `unknown-session`; `recording-not-ready` while it is open or being finished; `storage-failed` when not all of
   * its files could be removed: it is deleted for everybody all the same, and its files are as soon as that can be.
   */
  async delete(sessionId: string): Promise<void> {
    const recording = this.#folder.get(sessionId);
    if (!recording) throw notRecorded();
    if (isUnfinished(recording)) throw notFinished();
    try {
      await this.#folder.expire(recording);
    } catch (cause) {
      const why = describeStorageError(cause);
      throw new RecorderError("storage-failed", `files of the recording could not be removed yet: ${why}`, { cause });
    }
  }

  /** Returns the progress of the recording of a session; undefined when it is unknown. */
  view(sessionId: string): RecordingView | undefined {
    const recording = this.#folder.get(sessionId);
    return recording && viewOfRecording(recording, this.#circumstances(sessionId));
  }

  /**
   * Reads the stored timeline of a session, that of an open one as far as it is written; undefined when it is not recorded here.
   *
   * @throws {RecorderError} `recording-deleted`, `storage-failed`.
   */
  async timeline(sessionId: string): Promise<StoredTimeline | undefined> {
    const recording = this.#folder.get(sessionId);
    if (!recording) return undefined;
    const now = this.#clock.now();
    const refusal = explainMissingReplay(measureProgress(recording, this.#circumstances(sessionId)), now);
    if (refusal?.code === "recording-deleted") throw refusal;
    const what = "the timeline can't be read";
    const text = (await whereThere(what, readTimeline(recording.folder))) ?? "";
    return { text, video: findVideo(recording.state) };
  }

  /** The last moment at which a session is known to have been open, in milliseconds since 1970: its journal was written then. */
  async lastSeen(sessionId: string): Promise<number | undefined> {
    const recording = this.#folder.get(sessionId);
    if (!recording) return undefined;
    const { endedAtMs, startedAtMs } = recording.state;
    return endedAtMs ?? startedAtMs + (await recording.lastEntryMs());
  }

  /** Bytes of pictures written by this process. */
  get bytes(): number {
    return this.#recorders.bytes;
  }

  /** Age of the oldest write of an open session that has not succeeded, in milliseconds; 0 when none waits. */
  get lagMs(): number {
    return this.#recorders.lagMs;
  }

  /** Returns why recordings can't be finished at the moment, in words that name no path; undefined when they can. */
  async fault(): Promise<string | undefined> {
    const program = await this.#findFfmpeg().catch(() => undefined);
    if (program === undefined) return "ffmpeg can't be started: install it, or configure its path";
    const waiting = this.#folder.all.filter(
      ({ failed, state }) => failed && !failed.isEncoded && state.stage.name === "ended",
    );
    if (waiting.length === 0) return undefined;
    return `${waiting.length} recordings could not be encoded yet; retrying. The records of their sessions say why`;
  }

  /** The file that a presigned URL gives access to, or the reason why it is refused. @throws {RecorderError} `storage-failed` */
  async find(sessionId: string, file: string, query: URLSearchParams): Promise<ServableFile | UrlRefusal> {
    const now = this.#clock.now();
    const verdict = this.#presigner.verdict(sessionId, file, query, now);
    if (verdict !== "good") return verdict;
    const recording = this.#folder.get(sessionId);
    // A URL is good for no longer than the tombstone of its recording is kept: that could not be read.
    if (!recording) throw new RecorderError("storage-failed", "the recording can't be read now; try again");
    if (recording.state.stage.name !== "finished" || now >= (recording.state.deleteAtMs ?? Infinity)) return "missing";
    const { durationMs } = recording.state.stage;
    const isMp4 = file === replayFile;
    if (!isMp4 && !splitSegments(durationMs).some((segment) => segment.file === file)) return "missing";
    const path = replayPath(recording, file);
    const found = await whereThere("the file can't be read", stat(path));
    if (!found) return "missing";
    return { path, size: found.size, modifiedMs: found.mtimeMs, type: isMp4 ? "video/mp4" : "video/mp2t" };
  }

  /** The sessions that are being recorded, or whose recordings are not finished. */
  get unfinished(): readonly string[] {
    return this.#folder.unfinished.map(({ state }) => state.sessionId);
  }

  /** The sessions whose recordings are in the folder. */
  get ids(): readonly string[] {
    return this.#folder.all.map(({ state }) => state.sessionId);
  }

  /** Finishes the recordings that a crashed process left. Resolves after the first attempt at each. */
  async recover(): Promise<void> {
    const left = this.#folder.unfinished.filter(
      ({ state, finishing }) => !this.#recorders.has(state.sessionId) && !finishing,
    );
    await Promise.all(left.map((recording) => this.#folder.recover(recording)));
  }

  /**
   * Finishes a recording that another machine began.
   *
   * @param state - The last state that the other machine stored.
   * @param fill - Writes the files of the journal into a folder.
   */
  adopt(state: RecordingState, fill: (folder: string) => Promise<void>): Promise<void> {
    return this.#folder.adopt(state, fill);
  }

  /** Removes a recording from the folder and forgets it; stops an attempt to finish it. Its session must have ended. */
  remove(sessionId: string): Promise<void> {
    return this.#folder.remove(sessionId);
  }

  /** Waits for the attempt to finish a recording that is under way here, for at most so many milliseconds. */
  async settled(sessionId: string, waitMs: number): Promise<void> {
    await settledWithin(waitMs, this.#folder.attempt(sessionId));
  }

  /**
   * Ends all recorders, and waits for the encoders. Recordings that are not finished in time are finished after the next start.
   *
   * @param timeoutMs - How long to wait for encoders, in milliseconds. Default: 10,000.
   */
  async close(timeoutMs = closeMs): Promise<void> {
    await this.#recorders.endAll();
    const attempts = Promise.allSettled(this.#folder.all.map(async (recording) => recording.attempt));
    await settledWithin(timeoutMs, attempts);
    this.#closing.abort();
    this.#context.queue.close();
    // A file system that is lost keeps no process from its end.
    await settledWithin(closeMs, attempts);
    await settledWithin(closeMs, this.#folder.close());
  }

  #findFfmpeg(): Promise<string> {
    const { ffmpeg, folder } = this.#options;
    this.#ffmpeg ??= findFfmpeg(ffmpeg, join(folder, ".ffmpeg")).catch((error: unknown) => {
      this.#ffmpeg = undefined;
      throw error;
    });
    return this.#ffmpeg;
  }

  #circumstances(sessionId: string): Circumstances {
    return {
      nowMs: this.#clock.now(),
      isOpen: this.#recorders.has(sessionId),
      isUndeleted: this.#folder.isUndeleted(sessionId),
    };
  }
}

function notRecorded(): RecorderError {
  return new RecorderError("unknown-session", "no session with this id was recorded");
}

/** The error for a recording that is to be deleted, and is still being made. */
export function notFinished(): RecorderError {
  const message = "the recording is still being made: end its session, wait until it is ready, and delete it then";
  return new RecorderError("recording-not-ready", message);
}

async function exists(path: string): Promise<boolean> {
  const found = access(path).then(() => true);
  return (await whereThere("the recording can't be read", found)) ?? false;
}

/** Resolves with undefined when a file is missing; rejects when it can't be read. @throws {RecorderError} `storage-failed` */
async function whereThere<T>(what: string, found: Promise<T>): Promise<T | undefined> {
  try {
    return await answered(what, found);
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw storageFailure(what, cause);
  }
}
