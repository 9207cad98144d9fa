import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { ServiceError } from "../service-error.ts";
import { EncodeQueue } from "./encode-queue.ts";
import { replayFile } from "./encoder.ts";
import { findFfmpeg } from "./ffmpeg.ts";
import { Presigner } from "./presign.ts";
import { Recorder, type RecordedSession } from "./recorder.ts";
import { Recording, replayPath, type Workshop } from "./recording.ts";
import { readState, writeState, type RecordingState } from "./recording-state.ts";
import { playlistOf, segmentsOf } from "./segments.ts";
import type { ServableFile } from "./serve-file.ts";
import { Turns } from "./turns.ts";

/** What the recordings are opened with. Source: ours. */
export interface RecordingsOptions {
  /** Folder that holds all of them. Made when it is not there. */
  readonly folder: string;
  /** Tells the time. */
  readonly clock: Clock;
  /** Key of the presigned addresses, at least 32 bytes. Another one makes all addresses given out before void. */
  readonly secret: Uint8Array;
  /** Address of the service as its callers see it, asked for at each replay. */
  readonly publicUrl: () => string;
  /** The ffmpeg to use. Default: npm's, else the one on the PATH. */
  readonly ffmpeg?: string;
  /** Encoders at a time. Default: 1. */
  readonly encodersAtOnce?: number;
  /** How long a recording is kept after the end of its session, in milliseconds. Default: 24 hours. */
  readonly retentionMs?: number;
  /** How long presigned addresses hold, in milliseconds; never longer than the recording is there. Default: 1 hour. */
  readonly urlTtlMs?: number;
  /** Most bytes that are captured of a session; less often from half of it on. Default: 1 GiB. */
  readonly maxBytes?: number;
  /** Told, in a sentence, of what does not go well with the recording of a session. */
  readonly onWarning?: (sessionId: string, what: string) => void;
}

/** What is answered for a recording. Source: interface § ReplayResponse. */
export interface Replay {
  /** Presigned address of the MP4. Source: interface § ReplayResponse. */
  readonly mp4_url: string;
  /** HLS playlist with presigned addresses of its segments. Source: interface § ReplayResponse. */
  readonly playlist_content: string;
  /** When the addresses expire, ISO 8601 with offset. Source: interface § ReplayResponse. */
  readonly expires_at: string;
  /** When the video starts, in whole milliseconds from the start of the session. Source: interface § ReplayResponse. */
  readonly video_start_ms: number;
  /** How long the MP4 plays, in whole milliseconds. Source: interface § ReplayResponse. */
  readonly video_duration_ms: number;
}

/** Why a presigned address opens nothing: it names no signature, a wrong one, its time is over, or the file is not there. Source: ours. */
export type Refusal = "unsigned" | "wrong" | "expired" | "missing";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long it is known that a recording was deleted, in milliseconds. */
const noteMs = 7 * dayMs;
/** How long encoders are waited for at the end, in milliseconds. */
const closeMs = 10_000;
const idPattern = /^[\w-]{1,128}$/u;

/** The recordings of all sessions: a folder for each, that tells all there is to know of it. Source: ours. */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #presigner: Presigner;
  readonly #closing = new AbortController();
  readonly #workshop: Workshop;
  readonly #recordings = new Map<string, Recording>();
  readonly #turns = new Turns();
  readonly #recorders = new Map<string, Recorder>();
  /** Of those that a process before this one left, what is done to finish them. */
  readonly #recoveries = new Map<string, Promise<void>>();
  readonly #alarms = new Map<string, () => void>();
  #ffmpeg: Promise<string> | undefined;

  private constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#presigner = new Presigner(options.secret, options.publicUrl);
    this.#workshop = {
      queue: new EncodeQueue(options.encodersAtOnce ?? 1),
      ffmpeg: () => this.#findFfmpeg(),
      signal: this.#closing.signal,
      retentionMs: options.retentionMs ?? dayMs,
      warn: (sessionId, what) => options.onWarning?.(sessionId, what),
    };
  }

  /** Opens the recordings that a folder holds; what is due to be deleted is. Finishes none: that is what {@link recover} is for. */
  static async open(options: RecordingsOptions): Promise<Recordings> {
    const recordings = new Recordings(options);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    for (const entry of await readdir(options.folder, { withFileTypes: true })) {
      if (entry.isDirectory() && idPattern.test(entry.name)) await recordings.#load(entry.name);
    }
    return recordings;
  }

  /**
   * Begins to record a session.
   *
   * @throws {ServiceError} `encoder-missing`; `usage` when it is recorded already, or its id can't name a folder.
   */
  async begin(session: RecordedSession): Promise<Recorder> {
    const { id, startedAtMs, viewport } = session;
    if (!idPattern.test(id)) throw new ServiceError("usage", "The id of a session has letters, digits, - and _ only.");
    if (this.#recordings.has(id)) throw new ServiceError("usage", "This session is recorded already.");
    await this.#findFfmpeg();
    const folder = join(this.#options.folder, id);
    const state: RecordingState = { version: 1, sessionId: id, startedAtMs, viewport, stage: { name: "recording" } };
    const recording = new Recording(folder, state, this.#workshop);
    this.#recordings.set(id, recording);
    try {
      await mkdir(folder, { mode: 0o700 });
      await writeState(folder, state);
    } catch (cause) {
      this.#recordings.delete(id);
      throw new ServiceError("recording-failed", "The recording could not be begun: is the disk full?", { cause });
    }
    const recorder = new Recorder(session, {
      clock: this.#options.clock,
      folder,
      maxBytes: this.#options.maxBytes ?? 2 ** 30,
      turns: this.#turns,
      onChunk: (chunk) => void recording.chunkIsComplete(chunk),
      onShort: (why) => this.#cutShort(recording, why),
      onEnd: () => this.#end(recording),
    });
    this.#recorders.set(id, recorder);
    return recorder;
  }

  /**
   * The replay of a session that has ended.
   *
   * @param waitMs - How long one that is being finished is waited for, in milliseconds. Default: not at all.
   * @throws {ServiceError} `unknown-session`, `recording-not-ready`, `recording-deleted` or `recording-failed`.
   */
  async replay(sessionId: string, waitMs = 0): Promise<Replay> {
    const recording = this.#recordings.get(sessionId);
    if (!recording) throw new ServiceError("unknown-session", "No session with this id was recorded.");
    const recovery = this.#recoveries.get(sessionId);
    const isSettled = await settledWithin(recovery ?? recording.finishing, waitMs);
    const { stage, deleteAtMs = Infinity } = recording.state;
    const now = this.#options.clock.now();
    if (stage.name === "deleted" || now >= deleteAtMs) {
      throw new ServiceError(
        "recording-deleted",
        "The recording was deleted, as all are some time after the end of their session.",
      );
    }
    if (stage.name === "failed") throw new ServiceError("recording-failed", `There is no recording: ${stage.why}.`);
    if (stage.name === "ended" && isSettled) {
      throw new ServiceError(
        "recording-failed",
        "The recording could not be encoded; it is tried again when the service starts.",
      );
    }
    if (stage.name !== "finished")
      throw new ServiceError("recording-not-ready", notReady(recovery ? "ended" : stage.name));
    const expiresAtMs = Math.min(now + (this.#options.urlTtlMs ?? hourMs), deleteAtMs);
    const address = (file: string): string => this.#presigner.address({ sessionId, file, expiresAtMs });
    return {
      mp4_url: address(replayFile),
      playlist_content: playlistOf(stage.durationMs, address),
      expires_at: new Date(expiresAtMs).toISOString().replace("Z", "+00:00"),
      video_start_ms: stage.startMs,
      video_duration_ms: stage.durationMs,
    };
  }

  /** The file that a presigned address gives access to, or why it gives none. */
  async find(sessionId: string, file: string, query: URLSearchParams): Promise<ServableFile | Refusal> {
    const now = this.#options.clock.now();
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

  /** Finishes what a process that died left. Resolves when all of it is done, or could not be. */
  async recover(): Promise<void> {
    const left = [...this.#recordings].filter(([id, { state }]) => {
      return !this.#recorders.has(id) && (state.stage.name === "recording" || state.stage.name === "ended");
    });
    const recoveries = left.map(([id, recording]) => {
      const recovery = this.#recover(recording);
      this.#recoveries.set(id, recovery);
      return recovery;
    });
    await Promise.all(recoveries);
  }

  /**
   * Ends what is still recorded, and waits for the encoders.
   * What they don't finish in time is finished after the next start.
   *
   * @param patienceMs - How long they are waited for, in milliseconds. Default: 10,000.
   */
  async close(patienceMs = closeMs): Promise<void> {
    await Promise.allSettled([...this.#recorders.values()].map((recorder) => recorder.end()));
    const finishing = Promise.allSettled([...this.#recordings.values()].map(async (recording) => recording.finishing));
    await settledWithin(finishing, patienceMs);
    this.#closing.abort();
    this.#workshop.queue.close();
    await finishing;
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }

  async #recover(recording: Recording): Promise<void> {
    await recording.finish();
    this.#scheduleDeletion(recording);
    await recording.finishing;
  }

  async #load(id: string): Promise<void> {
    const folder = join(this.#options.folder, id);
    const state = (await readState(folder)) ?? (await this.#stateOfUnknown(id, folder));
    const recording = new Recording(folder, state, this.#workshop);
    this.#recordings.set(id, recording);
    await recording.tidy();
    this.#scheduleDeletion(recording);
  }

  /** A folder that says nothing of itself is deleted like all others, in its time. */
  async #stateOfUnknown(sessionId: string, folder: string): Promise<RecordingState> {
    const madeMs = Math.round((await stat(folder)).mtimeMs);
    const deleteAtMs = madeMs + this.#workshop.retentionMs;
    const stage = { name: "failed", why: "its state could not be read" } as const;
    this.#workshop.warn(sessionId, `is kept, but ${stage.why}`);
    return {
      version: 1,
      sessionId,
      startedAtMs: madeMs,
      viewport: { width: 16, height: 16 },
      endedAtMs: madeMs,
      deleteAtMs,
      stage,
    };
  }

  #findFfmpeg(): Promise<string> {
    const { ffmpeg, folder } = this.#options;
    this.#ffmpeg ??= findFfmpeg(ffmpeg, join(folder, ".ffmpeg")).catch((error: unknown) => {
      this.#ffmpeg = undefined;
      throw error;
    });
    return this.#ffmpeg;
  }

  #cutShort(recording: Recording, short: string): void {
    this.#workshop.warn(recording.state.sessionId, `goes on without new pictures: ${short}`);
    recording.update({ short }).catch(() => undefined);
  }

  async #end(recording: Recording): Promise<void> {
    this.#recorders.delete(recording.state.sessionId);
    try {
      await recording.finish(this.#options.clock.now());
      this.#scheduleDeletion(recording);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#workshop.warn(recording.state.sessionId, `is finished only after the next start: ${why}`);
    }
  }

  /** Deletes it when its time is over, and later the note of that. */
  #scheduleDeletion(recording: Recording): void {
    const { sessionId, deleteAtMs, stage } = recording.state;
    this.#alarms.get(sessionId)?.();
    this.#alarms.delete(sessionId);
    if (deleteAtMs === undefined || this.#closing.signal.aborted) return;
    const isNote = stage.name === "deleted";
    const due = async (): Promise<void> => {
      try {
        if (isNote) return await this.#forget(recording);
        await recording.delete();
        this.#scheduleDeletion(recording);
      } catch (error) {
        this.#workshop.warn(
          sessionId,
          `could not be deleted: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    };
    this.#alarms.set(
      sessionId,
      this.#options.clock.at(isNote ? deleteAtMs + noteMs : deleteAtMs, () => void due()),
    );
  }

  async #forget(recording: Recording): Promise<void> {
    await rm(recording.folder, { recursive: true, force: true });
    this.#recordings.delete(recording.state.sessionId);
    this.#alarms.delete(recording.state.sessionId);
  }
}

function notReady(stage: "recording" | "ended"): string {
  return stage === "recording"
    ? "The session has not ended yet."
    : "The recording is being finished: try again in a few seconds.";
}

/** Whether something has settled, after waiting for it so long at most; false when there is nothing to wait for. */
async function settledWithin(promised: Promise<unknown> | undefined, waitMs: number): Promise<boolean> {
  if (!promised) return false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), waitMs)));
  const settled = promised.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
