import type { BrowserContext, Page } from "playwright-core";
import type { ActivePage } from "../sessions/active-page.ts";
import { Alarm } from "./alarm.ts";
import { Screen, type Frame } from "./screen.ts";

/** How closely the screen is looked at. Source: ours. */
export type Pace = "full" | "frugal" | "none";

/** What is captured, and where it goes. Source: ours. */
export interface CaptureOptions {
  /** The browser of the session. */
  readonly context: BrowserContext;
  /** The page that it is on. */
  readonly activePage: ActivePage;
  /** Size of its pages, in pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** Keeps a picture that is not the one before; resolves when it is safe. The age is how long ago it was taken, in milliseconds. */
  readonly keep: (jpeg: Uint8Array, ageMs: number) => Promise<void>;
  /** Asked before each look. */
  readonly pace: () => Pace;
}

/** Least time between the first two pictures after an action, in milliseconds; it doubles with each picture more. */
const closeMs = 150;
/** Least time between two pictures of a page that moves by itself. */
const movingMs = 1_000;
/** A change after so long is not one of a page that moves by itself, in milliseconds. */
const quietMs = 2_000;
/** Least time between two pictures when space is scarce. */
const frugalMs = 5_000;
/** How long the first picture of a look is waited for, before it is asked for in another way. */
const firstFrameMs = 1_000;
/** How long after an action a screen that reported no change is looked at again, in case that it fell silent. */
const doubtMs = 400;
/** How often a still screen is looked at again, for the same reason. */
const silenceMs = 20_000;
/** How long a page that can't be watched is let alone. */
const retryMs = 1_000;
/** How long the last picture is waited for. */
const lastFrameMs = 200;

/**
 * Takes pictures of the page that a session is on, as few as tell what happened.
 *
 * A look at a page starts its screencast, which gives a picture at once, and stays: the browser does nothing until the screen
 * changes, and then sends the change. After a change nothing more is accepted for a while, 150 ms after an action or a quiet time,
 * twice as long after each picture more, up to one second. When the screen changes again meanwhile, it moves by itself: the screencast stops until
 * the while is over, because the browser would draw many pictures that nobody needs, and a new look begins. From then on it stops after each picture,
 * until a look finds the screen as it was.
 *
 * Source: ours.
 */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #alarm = new Alarm();
  readonly #forget: () => void;
  readonly #looking: Promise<void>;
  #screen: Screen | undefined;
  #hasFrame = false;
  /** Kept, and not acknowledged before the next look. */
  #held: Frame | undefined;
  #lastJpeg: Uint8Array | undefined;
  #lastLookMs = -Infinity;
  #lastChangeMs = -Infinity;
  #nextLookMs = -Infinity;
  #doubtMs = Infinity;
  #gapMs = closeMs;
  /** The screen changed again while a picture was the last one. */
  #isMoving = false;
  #isEnding = false;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#forget = options.activePage.onChange(() => this.stir());
    this.#looking = this.#look();
  }

  /** Somebody acts on the page, or it goes elsewhere: what follows is captured closely. */
  stir(): void {
    const now = performance.now();
    this.#gapMs = closeMs;
    this.#nextLookMs = Math.min(this.#nextLookMs, this.#lastLookMs + closeMs);
    if (this.#hasFrame) this.#doubtMs = Math.min(this.#doubtMs, now + doubtMs);
    this.#alarm.ring();
  }

  /** Takes a last picture, within a fraction of a second, and lets the browser alone. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#forget();
    this.#alarm.ring();
    await this.#looking;
    const screen = this.#screen;
    if (!screen) return;
    if (this.#options.pace() !== "none" && !screen.page.isClosed()) await this.#lastLook(screen);
    screen.detach();
  }

  async #look(): Promise<void> {
    while (!this.#isEnding) {
      const waitMs = await this.#step().catch(() => retryMs);
      if (waitMs > 0) await this.#alarm.wait(waitMs);
    }
  }

  /** Does what is due; returns how long nothing is, in milliseconds. */
  async #step(): Promise<number> {
    const page = this.#options.activePage.current;
    const pace = this.#options.pace();
    if (!page || pace === "none") {
      this.#leave();
      return silenceMs;
    }
    const screen = await this.#screenOf(page);
    if (!screen) return retryMs;
    const now = performance.now();
    if (!screen.isStarted) return now < this.#nextLookMs ? this.#nextLookMs - now : this.#begin(screen);
    if (this.#held) return this.#hold(screen, this.#held);
    const frame = screen.take();
    if (frame) return this.#keep(screen, frame, pace);
    if (now < this.#doubtMs) return this.#doubtMs - now;
    return this.#doubt(screen, pace);
  }

  async #begin(screen: Screen): Promise<number> {
    const now = performance.now();
    this.#lastLookMs = now;
    this.#hasFrame = false;
    this.#held = undefined;
    this.#doubtMs = now + firstFrameMs;
    if (await screen.start()) return 0;
    this.#leave();
    return retryMs;
  }

  /** Nothing came for long: asks anew, or in another way when that did not help. */
  async #doubt(screen: Screen, pace: Pace): Promise<number> {
    if (this.#hasFrame) {
      await screen.stop();
      this.#nextLookMs = -Infinity;
      return 0;
    }
    const photograph = await screen.photograph();
    if (photograph) return this.#keep(screen, photograph, pace);
    this.#leave();
    return retryMs;
  }

  /** Keeps a picture, and decides how long it is the last one. */
  async #keep(screen: Screen, frame: Frame, pace: Pace): Promise<number> {
    this.#hasFrame = true;
    const isNew = await this.#keepIfNew(frame);
    const now = performance.now();
    this.#lastLookMs = now;
    this.#doubtMs = now + silenceMs;
    if (!isNew) {
      this.#isMoving = false;
      screen.acknowledge(frame);
      return 0;
    }
    if (now - this.#lastChangeMs > quietMs) this.#gapMs = closeMs;
    this.#lastChangeMs = now;
    this.#nextLookMs = now + (pace === "frugal" ? frugalMs : this.#gapMs);
    this.#gapMs = Math.min(this.#gapMs * 2, movingMs);
    if (this.#isMoving) await screen.stop();
    else this.#held = frame;
    return 0;
  }

  /** Waits until the next picture may come; when one comes before, the page moves, and is not watched until then. */
  async #hold(screen: Screen, held: Frame): Promise<number> {
    const leftMs = this.#nextLookMs - performance.now();
    if (screen.take()) {
      this.#held = undefined;
      this.#isMoving = true;
      await screen.stop();
      return 0;
    }
    if (leftMs > 0) return leftMs;
    this.#held = undefined;
    screen.acknowledge(held);
    return 0;
  }

  async #keepIfNew({ jpeg, ageMs }: Frame): Promise<boolean> {
    if (this.#lastJpeg && Buffer.compare(this.#lastJpeg, jpeg) === 0) return false;
    await this.#options.keep(jpeg, ageMs);
    this.#lastJpeg = jpeg;
    return true;
  }

  async #lastLook(screen: Screen): Promise<void> {
    const until = performance.now() + lastFrameMs;
    const look = async (): Promise<void> => {
      if (screen.isStarted) await screen.stop();
      await screen.start();
    };
    const started = look().catch(() => undefined);
    for (let left = lastFrameMs; left > 0; left = until - performance.now()) {
      const frame = screen.take();
      if (frame) return void (await this.#keepIfNew(frame).catch(() => undefined));
      await this.#alarm.wait(left);
    }
    void started;
  }

  async #screenOf(page: Page): Promise<Screen | undefined> {
    if (this.#screen?.page === page) return this.#screen;
    this.#leave();
    const onFrame = (): void => this.#alarm.ring();
    const options = { size: this.#options.viewport, onFrame, onNavigation: () => this.stir() };
    this.#screen = await Screen.of(this.#options.context, page, options);
    this.#nextLookMs = -Infinity;
    this.#gapMs = closeMs;
    return this.#screen;
  }

  #leave(): void {
    this.#held = undefined;
    this.#screen?.detach();
    this.#screen = undefined;
  }
}
