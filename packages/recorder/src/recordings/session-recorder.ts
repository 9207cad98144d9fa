import pTimeout from "p-timeout";
import type { Clock } from "../clock.ts";
import { Capture, type CaptureOptions } from "../capture/capture.ts";
import { type JournalChunk, lastPictureMs } from "../journal/chunk.ts";
import { Journal } from "../journal/journal.ts";
import { TimelineFile, timelineFile } from "../journal/timeline-file.ts";
import type { HoldKind } from "../capture/screenshot-hold.ts";
import type { GapReason } from "./recording-state.ts";
import type { CaptureQueue } from "../capture/capture-queue.ts";
import type { SamplingMode } from "../capture/sampling-interval.ts";
import { describeRecorderError } from "../recorder-error.ts";

/** The session that is recorded. */
export interface RecordedSession extends Pick<CaptureOptions, "context" | "activePage" | "viewport"> {
  /** Its id: letters, digits, `-` and `_`, up to 128. */
  readonly id: string;
  /** Start time, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Retention of its recording after its end, in milliseconds. Default: `RecordingsOptions.retentionMs`. */
  readonly retentionMs?: number;
}

/** Options of a recorder. */
export interface RecorderOptions {
  /** Clock that relates the start of the recorder to that of the session. */
  readonly clock: Clock;
  /** Folder of the journal. */
  readonly folder: string;
  /** Bytes after which nothing more is captured; from half of it on less is. */
  readonly maxBytes: number;
  /** Shared by all recorders of a machine. */
  readonly captureQueue: CaptureQueue;
  /** Called with each chunk that is complete. */
  readonly onChunk: (chunk: JournalChunk) => void;
  /** Called with the reason when writing pictures fails; then, without a reason, when it works again. */
  readonly onFault: (why: string | undefined) => void;
  /** Called with the time from which on pictures may be missing. */
  readonly onGap: (fromMs: number, reason: GapReason) => void;
  /** Called with the end of such a gap. */
  readonly onGapEnd: (toMs: number) => void;
  /** Called once, when nothing of the browser is needed any more. */
  readonly onEnd: (capture: CaptureEnd) => Promise<void>;
}

/** End of a capture. */
export interface CaptureEnd {
  /** Length, in whole milliseconds from the start of the session. */
  readonly lengthMs: number;
  /** Writes what could not be written before; rejects when it still can't be. Does nothing when all was. */
  readonly flush: () => Promise<void>;
}

/** Interval of the entries that say that the session is open, in milliseconds: a crash costs no more of the replay's length. */
const stillMs = 500;
/** Timeout of a write, in milliseconds: a lost file system never answers. */
const stuckMs = 5_000;

/** Records one session. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #journal: Journal;
  readonly #timeline: TimelineFile;
  readonly #capture: Capture;
  readonly #timer: NodeJS.Timeout;
  /** Start of the session on the monotonic clock of the process. */
  readonly #origin: number;
  readonly #watchers = new Set<(jpeg: Uint8Array) => void>();
  #newest: Uint8Array | undefined;
  #lastMs = 0;
  /** Time of the last successful write, on the clock of the process. */
  #writtenAtMs = performance.now();
  #isFull = false;
  #isFailing = false;
  /** A write does not end: until it does, nothing more is given to the journal, which would keep it all in memory. */
  #isStuck = false;
  /** The newest picture of that time. */
  #late: { readonly atMs: number; readonly jpeg: Uint8Array } | undefined;
  #ending: Promise<void> | undefined;

  constructor({ context, activePage, viewport, startedAtMs }: RecordedSession, options: RecorderOptions) {
    this.#options = options;
    this.#origin = performance.now() - Math.max(0, options.clock.now() - startedAtMs);
    const { folder, onChunk, onGapEnd } = options;
    const onGap = (fromMs: number): void => options.onGap(fromMs, "write-failed");
    this.#journal = new Journal({ folder, onChunk, onGap, onGapEnd });
    this.#timeline = new TimelineFile(folder);
    const store = (jpeg: Uint8Array, ageMs: number): Promise<void> => this.#store(jpeg, ageMs);
    const mode = (): SamplingMode => this.#samplingMode();
    const queue = options.captureQueue;
    this.#capture = new Capture({ context, activePage, viewport, store, mode, queue });
    this.#timer = setInterval(() => this.#keepStill(), stillMs);
    this.#timer.unref();
  }

  /** Schedules a sample soon, after an action on the page. */
  onActivity(): void {
    this.#capture.onActivity();
  }

  /** A client takes a screenshot, for which the page is drawn differently. Returns a function to be called when it has it. */
  holdForScreenshot(kind: HoldKind): () => void {
    return this.#capture.holdForScreenshot(kind);
  }

  /** Keeps a line of the session's timeline with its recording: JSON without a line feed. It is on disk within half a second. */
  note(line: string): void {
    this.#timeline.add(line);
  }

  /** Calls back with each new picture (JPEG), and with the latest one at once; returns a function that removes the listener. */
  watch(listener: (jpeg: Uint8Array) => void): () => void {
    this.#watchers.add(listener);
    this.#capture.onActivity();
    if (this.#newest) listener(this.#newest);
    return () => this.#watchers.delete(listener);
  }

  /** Bytes of the journal so far. */
  get bytes(): number {
    return this.#journal.size;
  }

  /** Number of bytes of each file of the journal and of the timeline that are safe on disk, by its name. They do not change any more. */
  get files(): ReadonlyMap<string, number> {
    const { bytes } = this.#timeline;
    return bytes === 0 ? this.#journal.files : new Map([...this.#journal.files, [timelineFile, bytes]]);
  }

  /**
   * Time since the last successful write, in milliseconds: the part of the replay that a crash of the process would cost. Usually about
   * half a second.
   */
  get lagMs(): number {
    return performance.now() - this.#writtenAtMs;
  }

  /** Takes the last picture. Resolves when the browser is no longer needed; a second call waits for the same end. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    await this.#capture.end();
    clearInterval(this.#timer);
    // However long the last picture took: until then nothing has ended the session, and the replay shows that time as well.
    const lastMs = Math.max(this.#now(), this.#lastMs + lastPictureMs);
    const late = this.#late;
    const flush = async (): Promise<void> => {
      // The end of the journal waits for the write that does not end; the picture that came meanwhile is before it.
      const pictured = late && this.#journal.picture(late.atMs, late.jpeg);
      await Promise.all([pictured, this.#journal.end(lastMs), this.#timeline.flush()]);
    };
    await this.#awaitWrite(flush(), lastMs);
    await this.#options.onEnd({ lengthMs: Math.round(lastMs), flush });
  }

  #now(): number {
    return performance.now() - this.#origin;
  }

  #samplingMode(): SamplingMode {
    if (this.#isFull) return "off";
    const { maxBytes, onGap } = this.#options;
    if (this.#journal.size < maxBytes / 2) return this.#watchers.size > 0 ? "live" : "normal";
    if (this.#journal.size < maxBytes) return "reduced";
    this.#isFull = true;
    onGap(Math.round(this.#now()), "size-limit");
    return "off";
  }

  async #store(jpeg: Uint8Array, ageMs: number): Promise<void> {
    const atMs = Math.max(0, this.#now() - ageMs);
    this.#newest = jpeg;
    for (const watcher of this.#watchers) watcher(jpeg);
    // The journal keeps one that can't be written: the capture continues.
    if (this.#isStuck) this.#late = { atMs, jpeg };
    else await this.#awaitWrite(this.#journal.picture(atMs, jpeg), atMs);
    this.#lastMs = atMs;
  }

  #keepStill(): void {
    const atMs = this.#now();
    if (!this.#isStuck) void this.#awaitWrite(this.#journal.still(atMs), atMs);
  }

  /** Waits for a write until its timeout; then it is reported as failing until it ends. */
  async #awaitWrite(written: Promise<void>, atMs: number): Promise<void> {
    const reported = this.#reportWrite(written);
    const isOver = await pTimeout(
      reported.then(() => true),
      { milliseconds: stuckMs, fallback: () => false },
    );
    if (isOver || this.#isStuck) return;
    this.#isStuck = true;
    this.#options.onFault(`a write has not ended after ${stuckMs / 1_000} s`);
    this.#options.onGap(Math.round(atMs), "write-failed");
    void reported.then(() => this.#continue());
  }

  /** The write that did not end has ended. */
  #continue(): void {
    this.#isStuck = false;
    const late = this.#late;
    this.#late = undefined;
    if (this.#ending) return;
    if (!this.#isFailing) {
      this.#options.onFault(undefined);
      this.#options.onGapEnd(Math.round(late?.atMs ?? this.#now()));
    }
    if (late) void this.#awaitWrite(this.#journal.picture(late.atMs, late.jpeg), late.atMs);
  }

  /** Waits for a write; reports the first failure, and the first success after failures. */
  async #reportWrite(written: Promise<void>): Promise<void> {
    const why = await written.then(() => undefined, describeRecorderError);
    if (why === undefined) this.#writtenAtMs = performance.now();
    if (this.#isFailing === (why !== undefined)) return;
    this.#isFailing = why !== undefined;
    this.#options.onFault(why);
  }
}
