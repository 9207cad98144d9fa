import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { valueWithin } from "../async.ts";
import { jpegSize, type Size } from "./jpeg-size.ts";
import type { HoldKind } from "./screenshot-hold.ts";

/** A picture of a page, as the browser sent it. */
export interface ScreencastFrame {
  /** A JPEG file. */
  readonly jpeg: Uint8Array;
  /** Time between drawing and arrival, in milliseconds. */
  readonly ageMs: number;
  /** Number to acknowledge it with, `sessionId` in CDP; undefined when the browser expects no acknowledgement. */
  readonly ackId: number | undefined;
}

/** Options of a screencast. */
export interface ScreencastOptions {
  /** Largest size of the frames, in pixels. */
  readonly size: Size;
  /** Returns which frames drawn at a moment of `performance.now()` are dropped. */
  readonly hold: (drawnMs: number) => HoldKind | "none";
  /** Called when a frame was dropped. */
  readonly onDropped: () => void;
  /** Called when a frame can be taken. */
  readonly onFrame: () => void;
  /** Called when the main frame of the page navigates. */
  readonly onNavigation: () => void;
}

/** Quality of the JPEGs: text stays readable, and a page takes 10 to 80 KB. */
const quality = 65;
/** Timeout of an answer of the browser, in milliseconds. */
const answerTimeoutMs = 2_000;
/** A new size of the page counts after so long, in milliseconds: a full-page screenshot resizes the page for a moment. */
const resizeSettleMs = 250;
/** A page that would fill less of the picture than this part is a strip. A phone that is held upright fills a quarter of a wide picture. */
const stripPart = 0.2;
/**
 * Time after which a strip is shown, in milliseconds: clients enlarge the viewport to the size of a long page for a screenshot of it,
 * which the browser takes a second or more to draw.
 */
const stripSettleMs = 10_000;
/** Largest age of a frame, in milliseconds; an older one carries the time of a clock that was changed. */
const oldestFrameMs = 1_000;

/** Runs the CDP screencast of one page, which can be started and stopped. */
export class Screencast {
  /** The page. */
  readonly page: Page;
  readonly #devtools: CDPSession;
  readonly #options: ScreencastOptions;
  #isStarted = false;
  /** The newest frame that was accepted and not taken. */
  #pending: ScreencastFrame | undefined;
  #stopListening: () => void;
  /** Size of the page, `width x height`, as of the last frame that was accepted. */
  #size: string | undefined;
  /** The last frame of another size: the page was resized, or a client takes a screenshot of all of it. */
  #resized: { readonly size: string; readonly frame: ScreencastFrame; readonly atMs: number } | undefined;
  #resizeTimer: NodeJS.Timeout | undefined;
  /** Time at which the page became a strip, by `performance.now()`; undefined while it is not a strip. */
  #stripSinceMs: number | undefined;

  private constructor(page: Page, devtools: CDPSession, options: ScreencastOptions) {
    this.page = page;
    this.#devtools = devtools;
    this.#options = options;
    devtools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
      // oxlint-disable-next-line no-restricted-properties -- the browser gives the time of day
      const ageMs = Date.now() - (metadata.timestamp ?? 0) * 1_000;
      const isPlausible = ageMs >= 0 && ageMs <= oldestFrameMs;
      const frame = { jpeg: Buffer.from(data, "base64"), ageMs: isPlausible ? ageMs : 0, ackId: sessionId };
      this.#onFrame(frame, { width: metadata.deviceWidth, height: metadata.deviceHeight });
    });
    const onNavigated = (frame: unknown): void => {
      if (frame === page.mainFrame()) options.onNavigation();
    };
    page.on("framenavigated", onNavigated);
    this.#stopListening = () => page.off("framenavigated", onNavigated);
  }

  /**
   * Attaches to a page; resolves with undefined when that is not possible, for example because the page was closed.
   *
   * @param answerMs - How long the browser may take, in milliseconds. Default: 2,000.
   */
  static async attach(
    context: BrowserContext,
    page: Page,
    options: ScreencastOptions,
    answerMs = answerTimeoutMs,
  ): Promise<Screencast | undefined> {
    const attaching = context.newCDPSession(page);
    const devtools = await valueWithin(answerMs, attaching);
    // A session that comes after the timeout is not kept.
    if (!devtools) void attaching.then((late) => late.detach()).catch(() => undefined);
    return devtools && new Screencast(page, devtools, options);
  }

  /** True from `start` to `stop`. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Starts: the browser sends one frame at once, and one for each change. Resolves with false when it refuses, or does not answer. */
  async start(): Promise<boolean> {
    const { width: maxWidth, height: maxHeight } = this.#options.size;
    this.#isStarted = true;
    this.#pending = undefined;
    const answer = this.#devtools.send("Page.startScreencast", { format: "jpeg", quality, maxWidth, maxHeight });
    return (
      (await valueWithin(
        answerTimeoutMs,
        answer.then(() => true),
      )) ?? false
    );
  }

  /** Takes the newest frame; undefined when none has come since the last call. */
  take(): ScreencastFrame | undefined {
    const frame = this.#pending;
    this.#pending = undefined;
    return frame;
  }

  /** Acknowledges a frame. The browser sends the next one only then. */
  acknowledge(frame: ScreencastFrame | undefined): void {
    if (frame?.ackId === undefined) return;
    this.#devtools.send("Page.screencastFrameAck", { sessionId: frame.ackId }).catch(() => undefined);
  }

  /** Stops the frames. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    await valueWithin(answerTimeoutMs, this.#devtools.send("Page.stopScreencast"));
  }

  /** True while the page fills hardly any of the picture, and has not done so for long. */
  get isTransientStrip(): boolean {
    return this.#stripSinceMs !== undefined && performance.now() - this.#stripSinceMs < stripSettleMs;
  }

  /**
   * Takes a screenshot, whether the screen changed or not; resolves with undefined when the page is a transient strip, or the browser
   * refuses, or does not answer.
   *
   * @param answerMs - How long each answer is waited for, in milliseconds. Default: 2,000.
   * @param isOnly - True when any picture is better than none: one of a strip is taken, too. Default: false.
   */
  async screenshot(answerMs = answerTimeoutMs, isOnly = false): Promise<ScreencastFrame | undefined> {
    const metrics = isOnly ? undefined : await valueWithin(answerMs, this.#devtools.send("Page.getLayoutMetrics"));
    if (!metrics && !isOnly) return undefined;
    if (metrics) this.#measure(chooseSize(metrics.cssLayoutViewport));
    if (this.isTransientStrip && !isOnly) return undefined;
    const shot = await valueWithin(
      answerMs,
      this.#devtools.send("Page.captureScreenshot", { format: "jpeg", quality, optimizeForSpeed: true }),
    );
    return shot && { jpeg: Buffer.from(shot.data, "base64"), ageMs: 0, ackId: undefined };
  }

  /** Accepts a frame, or drops it. One that is dropped is acknowledged, so that more of them come. */
  #onFrame(frame: ScreencastFrame, shown: Size): void {
    // When the page is resized, a frame may show it as it was before.
    this.#measure(shown, jpegSize(frame.jpeg));
    const size = `${shown.width}x${shown.height}`;
    const hold = this.#options.hold(performance.now() - frame.ageMs);
    const isSameSize = this.#size === undefined || size === this.#size;
    if (this.isTransientStrip) {
      this.acknowledge(frame);
      this.#forgetResized();
    } else if (hold === "all" || (hold === "resized" && !isSameSize)) {
      this.acknowledge(frame);
      this.#forgetResized();
      this.#options.onDropped();
    } else if (isSameSize) {
      this.#forgetResized();
      this.#size = size;
      this.#accept(frame);
    } else {
      this.acknowledge(frame);
      const isRepeated = this.#resized?.size === size;
      this.#resized = { size, frame: { ...frame, ackId: undefined }, atMs: performance.now() };
      if (isRepeated) return;
      clearTimeout(this.#resizeTimer);
      this.#resizeTimer = setTimeout(() => this.#acceptResized(), resizeSettleMs);
    }
  }

  /** The page has had another size for long enough. */
  #acceptResized(): void {
    const { size, frame, atMs } = this.#resized ?? {};
    this.#resized = undefined;
    if (!frame || !this.#isStarted || this.#options.hold(atMs ?? 0) !== "none") return;
    this.#size = size;
    this.#accept({ ...frame, ageMs: frame.ageMs + performance.now() - (atMs ?? 0) });
  }

  #measure(...sizes: readonly (Size | undefined)[]): void {
    if (sizes.some((size) => size && isStrip(size, this.#options.size))) this.#stripSinceMs ??= performance.now();
    else this.#stripSinceMs = undefined;
  }

  #forgetResized(): void {
    clearTimeout(this.#resizeTimer);
    this.#resized = undefined;
  }

  #accept(frame: ScreencastFrame): void {
    // The frame before was not taken yet, and is replaced.
    this.acknowledge(this.#pending);
    this.#pending = frame;
    this.#options.onFrame();
  }

  /** Detaches from the page. */
  detach(): void {
    this.#forgetResized();
    this.#isStarted = false;
    this.#pending = undefined;
    this.#stopListening();
    this.#stopListening = () => undefined;
    this.#devtools.detach().catch(() => undefined);
  }
}

function chooseSize({ clientWidth: width, clientHeight: height }: { clientWidth: number; clientHeight: number }): Size {
  return { width, height };
}

/** Returns whether a page that is scaled into a picture, with its proportions, fills hardly any of it. */
function isStrip(page: Size, picture: Size): boolean {
  const proportions = (page.width * picture.height) / (page.height * picture.width);
  return Math.min(proportions, 1 / proportions) < stripPart;
}
