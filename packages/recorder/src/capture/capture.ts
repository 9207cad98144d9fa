import type { BrowserContext, Page } from "playwright-core";
import type { ActivePage } from "./active-page.ts";
import { Alarm } from "./wakeable-sleep.ts";
import { PictureHold, type HoldKind } from "./screenshot-hold.ts";
import { Screen, type Frame } from "./screencast.ts";
import type { Turns } from "./capture-queue.ts";

/** How closely the screen is looked at; `live` while somebody watches it. */
export type Pace = "live" | "full" | "frugal" | "none";

/** What is captured, and where it goes. */
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
  /** Looks of all sessions take turns: many at once would make a busy machine late for those who act. */
  readonly turns: Turns;
}

/** From an action to the look at what it did, in milliseconds: a look while the page is about to act makes it late. */
const closeMs = 150;
/** From the first one of several actions to the look, at most. */
const burstMs = 450;
/** Least times between one picture and the next: after an action or a quiet time, and after each picture more. */
const gapsMs = [450, 1_000] as const;
/** The same of a page that moves by itself: a picture of it costs more, and tells less. */
const movingGapsMs = { live: [500, 1_000], full: [1_000, 2_000, 4_000] } as const;
/** So many times as long as a picture of such a page took nothing more is asked for: on a busy machine there are fewer. */
const restOfPicture = 20;
/** Longest such time, in milliseconds. */
const longestRestMs = 5_000;
/** A change after so long is not one of a page that moves by itself, in milliseconds. */
const quietMs = 2_000;
/** So many looks in a row whose picture did not last tell that a page moves by itself. */
const unrestOfMoving = 2;
/** Least time between two pictures when space is scarce. */
const frugalMs = 5_000;
/** How long the first picture of a look is waited for, before it is asked for in another way. */
const firstFrameMs = 1_000;
/** How often a still screen is looked at again, in case that it fell silent. */
const silenceMs = 20_000;
/** How long a page that can't be watched is let alone. */
const retryMs = 1_000;
/** How often it is looked whether a picture that a client takes is there, if nothing tells. */
const holdMs = 500;
/** How long the last picture is waited for. */
const lastFrameMs = 200;

/**
 * Takes pictures of the page that a session is on, as few as tell what happened.
 *
 * A look at a page starts its screencast, which gives a picture at once, and stays: the browser does nothing until the screen
 * changes, and then sends the change. An action ends that, and a new look begins when what it did can be seen. After a picture nothing
 * more is accepted for half a second, and then for a second.
 * When the screen changes again meanwhile, the screencast stops until the while is over, because the browser would draw sixty
 * pictures a second that nobody needs. When that happens in two looks, the page moves by itself: until it stands still it is photographed,
 * soon after each action and every four seconds, which costs half of a look.
 */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #alarm = new Alarm();
  readonly #forget: () => void;
  readonly #looking: Promise<void>;
  readonly #hold = new PictureHold(() => this.#lookAfterHold());
  /** A frame was not believed. */
  #hasMissed = false;
  #screen: Screen | undefined;
  /** A look has begun, and its first picture has not come. */
  #awaitsFrame = false;
  /** Kept, and not acknowledged before the next look. */
  #held: Frame | undefined;
  #lastJpeg: Uint8Array | undefined;
  #lastChangeMs = -Infinity;
  /** When the next picture is due; Infinity while the browser is waited for to tell of a change. */
  #nextLookMs = -Infinity;
  /** When one is due because somebody acted; Infinity when nobody did. */
  #actionLookMs = Infinity;
  /** When that is due even if they go on. */
  #latestLookMs = Infinity;
  /** When a screen that tells nothing is looked at again. */
  #doubtMs = Infinity;
  /** How many pictures were new since the last action or quiet time. */
  #changes = 0;
  /** How many looks in a row had a picture that did not last. */
  #unrest = 0;
  #isEnding = false;
  /** Ends the wait for a turn. */
  #forgoTurn = (): void => {};
  /** Ends the turn that a look has. */
  #endTurn: (() => void) | undefined;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#forget = options.activePage.onChange(() => this.stir());
    this.#looking = this.#look();
  }

  /** Somebody acts on the page, or it goes elsewhere: what follows is captured closely. */
  stir(): void {
    this.#changes = 0;
    const pace = this.#options.pace();
    if (pace === "frugal" || pace === "none") return;
    const now = performance.now();
    if (this.#actionLookMs === Infinity) this.#latestLookMs = now + burstMs;
    this.#actionLookMs = Math.min(this.#latestLookMs, now + closeMs);
    this.#alarm.ring();
  }

  /** A client takes a picture of the page: what shows meanwhile is not how the page looks. Returns what is called when it has it. */
  hold(kind: HoldKind): () => void {
    return this.#hold.begin(kind);
  }

  /** Takes a last picture, within a fraction of a second, and lets the browser alone. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#forgoTurn();
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
      const waitMs = await this.#step().catch(() => this.#retry());
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
    if (!screen) return this.#retry();
    // A look that has begun is not given up for the next one: on a busy machine none would come to its end.
    if (this.#awaitsFrame) return this.#listen(screen, pace);
    const leftMs = Math.min(this.#nextLookMs, this.#actionLookMs) - performance.now();
    if (leftMs <= 0) return this.#lookAt(screen, pace);
    if (!screen.isStarted) return leftMs;
    if (this.#held) return this.#rest(screen, leftMs);
    if (leftMs === Infinity) return this.#listen(screen, pace);
    await screen.stop();
    return 0;
  }

  /** A picture is due. */
  async #lookAt(screen: Screen, pace: Pace): Promise<number> {
    // The end of the hold wakes it.
    if (this.#hold.kind === "all") return holdMs;
    this.#nextLookMs = Infinity;
    this.#actionLookMs = Infinity;
    if (this.#held) {
      screen.acknowledge(this.#held);
      this.#held = undefined;
      this.#unrest = 0;
      return 0;
    }
    if (screen.isStarted) await screen.stop();
    if (!(await this.#takeTurn())) return 0;
    if (this.#isMoving) return this.#photograph(screen, pace);
    this.#awaitsFrame = true;
    this.#doubtMs = performance.now() + firstFrameMs;
    return (await screen.start()) ? 0 : this.#retry();
  }

  /** Waits for a turn; false when the end comes before. */
  async #takeTurn(): Promise<boolean> {
    if (this.#isEnding) return false;
    const turn = this.#options.turns.take();
    const { promise: forgone, resolve } = Promise.withResolvers<undefined>();
    this.#forgoTurn = () => resolve(undefined);
    this.#endTurn = await Promise.race([turn, forgone]);
    if (!this.#endTurn) void turn.then((end) => end());
    return this.#endTurn !== undefined;
  }

  /** Waits for what the browser has to tell. When nothing came for long, it is asked anew, or in another way when that did not help. */
  async #listen(screen: Screen, pace: Pace): Promise<number> {
    const frame = screen.take();
    if (frame) return this.#keep(screen, frame, pace);
    const leftMs = this.#doubtMs - performance.now();
    if (leftMs > 0) return leftMs;
    if (this.#hold.kind === "all") return holdMs;
    if (this.#awaitsFrame) return this.#photograph(screen, pace);
    this.#nextLookMs = -Infinity;
    return 0;
  }

  async #photograph(screen: Screen, pace: Pace): Promise<number> {
    const fromMs = performance.now();
    const { count } = this.#hold;
    const photograph = await screen.photograph();
    if (!photograph) return this.#retry();
    // One that a client takes at the same time may show in it.
    if (this.#hold.count !== count && !this.#hold.isBlind) {
      this.#nextLookMs = performance.now() + closeMs;
      this.#awaitsFrame = false;
      this.#endTurn?.();
      return 0;
    }
    return this.#keep(screen, photograph, pace, performance.now() - fromMs);
  }

  /** Keeps a picture, and decides how long it is the last one. */
  async #keep(screen: Screen, frame: Frame, pace: Pace, tookMs = 0): Promise<number> {
    this.#awaitsFrame = false;
    this.#endTurn?.();
    this.#hold.sees();
    const isNew = await this.#keepIfNew(frame);
    const now = performance.now();
    this.#doubtMs = now + silenceMs;
    if (!isNew) {
      this.#unrest = 0;
      if (screen.isStarted) screen.acknowledge(frame);
      // A photograph like the one before: the page stands still, and is watched again.
      else this.#nextLookMs = now;
      return 0;
    }
    if (!this.#isMoving && now - this.#lastChangeMs > quietMs) this.#changes = 0;
    this.#lastChangeMs = now;
    this.#nextLookMs = now + (pace === "frugal" ? frugalMs : this.#gapAfter(tookMs, pace));
    this.#changes += 1;
    if (screen.isStarted) this.#held = frame;
    return 0;
  }

  /** How long a picture is the last one, if it took so long. */
  #gapAfter(tookMs: number, pace: Pace): number {
    const gapOf = (gaps: readonly number[]): number => gaps[Math.min(this.#changes, gaps.length - 1)] ?? 0;
    if (!this.#isMoving) return gapOf(gapsMs);
    return Math.max(
      gapOf(movingGapsMs[pace === "live" ? "live" : "full"]),
      Math.min(tookMs * restOfPicture, longestRestMs),
    );
  }

  get #isMoving(): boolean {
    return this.#unrest >= unrestOfMoving;
  }

  /** Waits until the next picture may come; when one comes before, the page is not watched until then. */
  async #rest(screen: Screen, leftMs: number): Promise<number> {
    if (!screen.take()) return leftMs;
    this.#held = undefined;
    this.#unrest += 1;
    await screen.stop();
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
    const onNavigation = (): void => {
      // The picture of the page that was may never come.
      this.#awaitsFrame = false;
      this.stir();
    };
    const onMissed = (): void => {
      this.#hasMissed = true;
      if (this.#hold.kind === "none") this.#lookAfterHold();
    };
    const hold = (drawnMs: number): HoldKind | "none" => this.#hold.kindAt(drawnMs);
    const options = { size: this.#options.viewport, hold, onMissed, onFrame, onNavigation };
    this.#screen = await Screen.of(this.#options.context, page, options);
    this.#nextLookMs = -Infinity;
    this.#changes = 0;
    this.#unrest = 0;
    return this.#screen;
  }

  /** No client takes a picture any more: the page is looked at when something was missed. */
  #lookAfterHold(): void {
    this.#alarm.ring();
    if (!this.#hasMissed) return;
    this.#hasMissed = false;
    this.#awaitsFrame = false;
    this.#screen?.acknowledge(this.#held);
    this.#held = undefined;
    const gapMs = this.#options.pace() === "frugal" ? frugalMs : closeMs;
    this.#nextLookMs = Math.min(this.#nextLookMs, performance.now() + gapMs);
  }

  #retry(): number {
    this.#leave();
    return retryMs;
  }

  #leave(): void {
    this.#held = undefined;
    this.#awaitsFrame = false;
    this.#endTurn?.();
    this.#screen?.detach();
    this.#screen = undefined;
  }
}
