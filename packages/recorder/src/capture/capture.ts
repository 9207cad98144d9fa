import type { BrowserContext, Page } from "playwright-core";
import { WakeableSleep } from "../async.ts";
import type { ActivePage } from "./active-page.ts";
import { CaptureSlot, type CaptureQueue } from "./capture-queue.ts";
import { reducedIntervalMs, SamplingInterval, type SamplingMode } from "./sampling-interval.ts";
import { onlyPictureMs, takeLast } from "./last-picture.ts";
import { Screencast, type ScreencastFrame, type ScreencastOptions } from "./screencast.ts";
import { ScreenshotHold, type HoldKind } from "./screenshot-hold.ts";

/** Options of a capture. */
export interface CaptureOptions {
  /** The browser context of the session. */
  readonly context: BrowserContext;
  /** The active page of the session. */
  readonly activePage: ActivePage;
  /** Size of its pages, in pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** Stores a picture that differs from the previous one; resolves when it is stored. `ageMs` is the time since it was drawn. */
  readonly store: (jpeg: Uint8Array, ageMs: number) => Promise<void>;
  /** Returns the sampling mode; called before each sample. */
  readonly mode: () => SamplingMode;
  /** Shared by the sessions of a machine: samples of many at once would delay those who act on the pages. */
  readonly queue: CaptureQueue;
}

/** Delay between an action and the sample that shows its effect, in milliseconds: a sample while the page reacts would delay it. */
const activityDelayMs = 150;
/** Longest delay after the first of several actions, in milliseconds. */
const maxActivityDelayMs = 450;
/** Timeout of the first frame of a screencast, in milliseconds; then a screenshot is taken instead. */
const firstFrameTimeoutMs = 1_000;
/** Time without a frame after which the screencast is restarted, in case that the browser stopped it. */
const staleTimeoutMs = 20_000;
/** Delay after an error before the page is attached again, in milliseconds. */
const retryMs = 1_000;
/** Interval of the checks whether clients have their screenshots, if `onRelease` is not called. */
const holdCheckMs = 500;

/**
 * Captures the active page of a session in the fewest pictures that show what happened.
 *
 * A sample starts the screencast, which sends a frame at once, and leaves it running: the browser does nothing until the screen
 * changes, and then sends the change. An action ends that, and the next sample is taken when what it did can be seen. After a new
 * picture nothing more is stored for the sampling interval: the screencast runs on, its frame not acknowledged. When a second frame
 * comes all the same, the screencast is stopped until the interval is over, because the browser would draw sixty frames a second that
 * are not needed. A page that does this in two samples is animated: until it is still, screenshots are taken of it, soon after each
 * action and every four seconds, which costs half as much.
 */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #sleep = new WakeableSleep();
  readonly #interval = new SamplingInterval();
  readonly #screenshotHold = new ScreenshotHold(() => this.#sampleDropped());
  readonly #slot: CaptureSlot;
  readonly #ending = new AbortController();
  readonly #stopListening: () => void;
  readonly #loop: Promise<void>;
  #screencast: Screencast | undefined;
  /** True while a sample waits for its first frame. */
  #awaitsFirstFrame = false;
  /** Stored frame that is acknowledged at the end of the interval. */
  #unacknowledged: ScreencastFrame | undefined;
  /** Frames were dropped because of a client's screenshot: the page is sampled when that is done. */
  #hasDroppedFrames = false;
  #lastJpeg: Uint8Array | undefined;
  /** Time of the next sample; Infinity while the screencast runs. */
  #nextSampleMs = -Infinity;
  /** Time of the sample that follows an action on the page; Infinity without an action. */
  #activitySampleMs = Infinity;
  /** Latest time of that sample if more actions follow. */
  #activityDeadlineMs = Infinity;
  /** Time from which a screencast that sends nothing counts as stale. */
  #staleAtMs = Infinity;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#slot = new CaptureSlot(options.queue);
    this.#stopListening = options.activePage.onChange(() => this.onActivity());
    this.#loop = this.#run();
  }

  /** Schedules a sample soon, after an action on the page or a navigation. */
  onActivity(): void {
    this.#interval.onActivity();
    const mode = this.#options.mode();
    if (mode === "reduced" || mode === "off") return;
    const now = performance.now();
    if (this.#activitySampleMs === Infinity) this.#activityDeadlineMs = now + maxActivityDelayMs;
    this.#activitySampleMs = Math.min(this.#activityDeadlineMs, now + activityDelayMs);
    this.#sleep.wake();
  }

  /**
   * Drops the frames that show the page differently while a client takes a screenshot. Returns a function to be called when the client has
   * it.
   */
  holdForScreenshot(kind: HoldKind): () => void {
    return this.#screenshotHold.begin(kind);
  }

  /** Takes a last picture, and detaches from the browser. Takes a fraction of a second, or up to ten seconds for the only picture. */
  async end(): Promise<void> {
    this.#ending.abort();
    this.#stopListening();
    this.#sleep.wake();
    await this.#loop;
    const page = this.#options.activePage.current;
    const isOn = this.#options.mode() !== "off";
    const onlyUntilMs = this.#lastJpeg === undefined ? performance.now() + onlyPictureMs : undefined;
    if (isOn && page && onlyUntilMs !== undefined) await this.#attach(page, onlyPictureMs).catch(() => undefined);
    const screencast = this.#screencast;
    if (!screencast) return;
    const frame = isOn ? await takeLast(screencast, this.#sleep, onlyUntilMs) : undefined;
    if (frame) await this.#storeIfNew(frame).catch(() => undefined);
    screencast.detach();
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) {
      const sleepMs = await this.#step().catch(() => this.#retryLater());
      if (sleepMs > 0) await this.#sleep.sleep(sleepMs);
    }
  }

  /** Takes the samples that are due; returns the time until the next one, in milliseconds. */
  async #step(): Promise<number> {
    const page = this.#options.activePage.current;
    const mode = this.#options.mode();
    if (!page || mode === "off") {
      this.#detach();
      return staleTimeoutMs;
    }
    const screencast = await this.#attach(page);
    if (!screencast) return this.#retryLater();
    // A sample that has begun is not given up for the next one: on a busy machine none would be completed.
    if (this.#awaitsFirstFrame) return this.#receive(screencast, mode);
    const leftMs = Math.min(this.#nextSampleMs, this.#activitySampleMs) - performance.now();
    if (leftMs <= 0) return this.#sample(screencast, mode);
    if (!screencast.isStarted) return leftMs;
    if (this.#unacknowledged) return this.#waitInterval(screencast, leftMs);
    if (leftMs === Infinity) return this.#receive(screencast, mode);
    await screencast.stop();
    return 0;
  }

  /** Takes a sample: acknowledges the pending frame, starts the screencast, or takes a screenshot. */
  async #sample(screencast: Screencast, mode: SamplingMode): Promise<number> {
    // The release of the hold wakes the loop.
    if (this.#screenshotHold.kind === "all") return holdCheckMs;
    this.#nextSampleMs = Infinity;
    this.#activitySampleMs = Infinity;
    if (this.#unacknowledged) {
      screencast.acknowledge(this.#unacknowledged);
      this.#unacknowledged = undefined;
      this.#interval.onStable();
      return 0;
    }
    if (screencast.isStarted) await screencast.stop();
    if (!(await this.#slot.acquire(this.#ending.signal))) return 0;
    if (this.#interval.isAnimated) return this.#takeScreenshot(screencast, mode);
    this.#awaitsFirstFrame = true;
    this.#staleAtMs = performance.now() + firstFrameTimeoutMs;
    return (await screencast.start()) ? 0 : this.#retryLater();
  }

  /** Takes the frame that the screencast has sent. When it is stale, restarts it, or takes a screenshot when that did not help. */
  async #receive(screencast: Screencast, mode: SamplingMode): Promise<number> {
    const frame = screencast.take();
    if (frame) return this.#accept(screencast, frame, mode);
    const leftMs = this.#staleAtMs - performance.now();
    if (leftMs > 0) return leftMs;
    if (this.#screenshotHold.kind === "all") return holdCheckMs;
    if (this.#awaitsFirstFrame) return this.#takeScreenshot(screencast, mode);
    this.#nextSampleMs = -Infinity;
    return 0;
  }

  async #takeScreenshot(screencast: Screencast, mode: SamplingMode): Promise<number> {
    const startMs = performance.now();
    const { count } = this.#screenshotHold;
    const screenshot = await screencast.screenshot();
    if (!screenshot && !screencast.isTransientStrip) return this.#retryLater();
    // A client began its own screenshot meanwhile, which may show in this one; or it has resized the page for one.
    if (!screenshot || (this.#screenshotHold.count !== count && !this.#screenshotHold.isBlind)) {
      this.#nextSampleMs = performance.now() + activityDelayMs;
      this.#awaitsFirstFrame = false;
      this.#slot.release();
      return 0;
    }
    return this.#accept(screencast, screenshot, mode, performance.now() - startMs);
  }

  /** Stores a frame if it shows something new, and schedules the next sample. */
  async #accept(screencast: Screencast, frame: ScreencastFrame, mode: SamplingMode, tookMs = 0): Promise<number> {
    this.#awaitsFirstFrame = false;
    this.#slot.release();
    this.#screenshotHold.onFrameAccepted();
    const isNew = await this.#storeIfNew(frame);
    const now = performance.now();
    this.#staleAtMs = now + staleTimeoutMs;
    if (!isNew) {
      this.#interval.onStable();
      if (screencast.isStarted) screencast.acknowledge(frame);
      // The animated page is still: back to the screencast.
      else this.#nextSampleMs = now;
      return 0;
    }
    this.#nextSampleMs = now + this.#interval.afterChange(mode, tookMs);
    if (screencast.isStarted) this.#unacknowledged = frame;
    return 0;
  }

  /** Waits until the sampling interval is over; when another frame comes before, the screencast is stopped until then. */
  async #waitInterval(screencast: Screencast, leftMs: number): Promise<number> {
    if (!screencast.take()) return leftMs;
    this.#unacknowledged = undefined;
    this.#interval.onUnstable();
    await screencast.stop();
    return 0;
  }

  async #storeIfNew({ jpeg, ageMs }: ScreencastFrame): Promise<boolean> {
    if (this.#lastJpeg && Buffer.compare(this.#lastJpeg, jpeg) === 0) return false;
    await this.#options.store(jpeg, ageMs);
    this.#lastJpeg = jpeg;
    return true;
  }

  /** Attaches the screencast to a page, if it is not attached to that page already. */
  async #attach(page: Page, answerMs?: number): Promise<Screencast | undefined> {
    if (this.#screencast?.page === page) return this.#screencast;
    this.#detach();
    const options: ScreencastOptions = {
      size: this.#options.viewport,
      hold: (drawnMs) => this.#screenshotHold.kindAt(drawnMs),
      onDropped: () => {
        this.#hasDroppedFrames = true;
        if (this.#screenshotHold.kind === "none") this.#sampleDropped();
      },
      onFrame: () => this.#sleep.wake(),
      onNavigation: () => {
        // The first frame of the document before may never come.
        this.#awaitsFirstFrame = false;
        this.onActivity();
      },
    };
    this.#screencast = await Screencast.attach(this.#options.context, page, options, answerMs);
    this.#nextSampleMs = -Infinity;
    this.#interval.reset();
    return this.#screencast;
  }

  /** Samples the page after the last screenshot of a client, if frames were dropped. */
  #sampleDropped(): void {
    this.#sleep.wake();
    if (!this.#hasDroppedFrames) return;
    this.#hasDroppedFrames = false;
    this.#awaitsFirstFrame = false;
    this.#screencast?.acknowledge(this.#unacknowledged);
    this.#unacknowledged = undefined;
    const delayMs = this.#options.mode() === "reduced" ? reducedIntervalMs : activityDelayMs;
    this.#nextSampleMs = Math.min(this.#nextSampleMs, performance.now() + delayMs);
  }

  #retryLater(): number {
    this.#detach();
    return retryMs;
  }

  #detach(): void {
    this.#unacknowledged = undefined;
    this.#awaitsFirstFrame = false;
    this.#slot.release();
    this.#screencast?.detach();
    this.#screencast = undefined;
  }
}
