import type { Clock } from "../clock.ts";
import { Capture, type CaptureOptions } from "../capture/capture.ts";
import { type Chunk, lastPictureMs } from "../journal/chunk.ts";
import { Journal } from "../journal/journal.ts";
import type { HoldKind } from "../capture/screenshot-hold.ts";
import type { GapReason } from "./recording-state.ts";
import type { CaptureQueue } from "../capture/capture-queue.ts";
import type { SamplingMode } from "../capture/sampling-interval.ts";
import { messageOf } from "../recorder-error.ts";

/** The session that is recorded. */
export interface RecordedSession extends Pick<CaptureOptions, "context" | "activePage" | "viewport"> {
  /** Its id: letters, digits, `-` and `_`, up to 128. */
  readonly id: string;
  /** When it started, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** How long its recording is kept after its end, in milliseconds. Default: as `RecordingsOptions.retentionMs` says. */
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
  readonly onChunk: (chunk: Chunk) => void;
  /** Called with the reason when writing pictures fails; then, without a reason, when it works again. */
  readonly onFault: (why: string | undefined) => void;
  /** Called when pictures may be missing from a time on. */
  readonly onGap: (fromMs: number, reason: GapReason) => void;
  /** Called with the end of such a gap. */
  readonly onGapEnd: (toMs: number) => void;
  /** Called once, when nothing of the browser is needed any more. */
  readonly onEnd: (capture: CaptureEnd) => Promise<void>;
}

/** How a capture ended. */
export interface CaptureEnd {
  /** How long it lasted, in whole milliseconds from the start of the session. */
  readonly lengthMs: number;
  /** Writes what could not be written before; rejects when it still can't be. Does nothing when all was. */
  readonly flush: () => Promise<void>;
}

/** Interval of the entries that say that the session is open, in milliseconds: a crash costs no more of the replay's length. */
const stillMs = 500;
/** How far the journal may reach beyond the moment of the end, in milliseconds. */
const lateMs = 250;

/** Records one session. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #journal: Journal;
  readonly #capture: Capture;
  readonly #timer: NodeJS.Timeout;
  /** Start of the session on the monotonic clock of the process. */
  readonly #origin: number;
  readonly #watchers = new Set<(jpeg: Uint8Array) => void>();
  #newest: Uint8Array | undefined;
  #lastMs = 0;
  /** When the last write succeeded, on the clock of the process. */
  #writtenAtMs = performance.now();
  #isFull = false;
  #isFailing = false;
  #ending: Promise<void> | undefined;

  constructor({ context, activePage, viewport, startedAtMs }: RecordedSession, options: RecorderOptions) {
    this.#options = options;
    this.#origin = performance.now() - Math.max(0, options.clock.now() - startedAtMs);
    const { folder, onChunk, onGapEnd } = options;
    const onGap = (fromMs: number): void => options.onGap(fromMs, "write-failed");
    this.#journal = new Journal({ folder, onChunk, onGap, onGapEnd });
    const store = (jpeg: Uint8Array, ageMs: number): Promise<void> => this.#store(jpeg, ageMs);
    const mode = (): SamplingMode => this.#samplingMode();
    const queue = options.captureQueue;
    this.#capture = new Capture({ context, activePage, viewport, store, mode, queue });
    this.#timer = setInterval(() => void this.#reportWrite(this.#journal.still(this.#now())), stillMs);
    this.#timer.unref();
  }

  /** Somebody acts on the page: what follows is sampled soon. */
  onActivity(): void {
    this.#capture.onActivity();
  }

  /** A client takes a screenshot, for which the page is drawn differently. Returns a function to be called when it has it. */
  holdForScreenshot(kind: HoldKind): () => void {
    return this.#capture.holdForScreenshot(kind);
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

  /** How many bytes of each file of the journal are safe on disk, by its name. They do not change any more. */
  get files(): ReadonlyMap<string, number> {
    return this.#journal.files;
  }

  /**
   * How long no write has succeeded, in milliseconds: what the death of the process would cost of the replay. About half a second when
   * all is well.
   */
  get lagMs(): number {
    return performance.now() - this.#writtenAtMs;
  }

  /** Takes the last picture. Resolves when nothing of the browser is needed any more; a second call waits for the same end. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const endMs = this.#now();
    await this.#capture.end();
    clearInterval(this.#timer);
    const lastMs = Math.min(Math.max(this.#now(), this.#lastMs + lastPictureMs), endMs + lateMs);
    const flush = (): Promise<void> => this.#journal.end(lastMs);
    await this.#reportWrite(flush());
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
    await this.#reportWrite(this.#journal.picture(atMs, jpeg));
    this.#lastMs = atMs;
  }

  /** Waits for a write; reports the first failure, and the first success after failures. */
  async #reportWrite(written: Promise<void>): Promise<void> {
    const why = await written.then(() => undefined, messageOf);
    if (why === undefined) this.#writtenAtMs = performance.now();
    if (this.#isFailing === (why !== undefined)) return;
    this.#isFailing = why !== undefined;
    this.#options.onFault(why);
  }
}
