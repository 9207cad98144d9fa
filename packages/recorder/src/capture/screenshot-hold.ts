/**
 * Frames that are dropped while a client takes a screenshot, for which the browser briefly draws the page differently:
 * `all` (the screenshot may show anything, in any size) or `resized` (frames of the size that the page had before are right).
 */
export type HoldKind = "all" | "resized";

/** Longest time that one screenshot of a client holds frames back, in milliseconds. */
const maxHoldMs = 30_000;
/** Time for which the browser may still draw for a client that already has its screenshot, in milliseconds. */
const redrawMs = 50;
/** Time without a frame after which frames of the right size are accepted in spite of screenshots, in milliseconds. */
const maxBlindMs = 5_000;

/** Tracks the screenshots that clients take of a page, and which frames of the screencast must be dropped because of them. */
export class ScreenshotHold {
  readonly #onRelease: () => void;
  /** One object for each screenshot under way: several may be of the same kind. */
  readonly #holds = new Set<{ readonly kind: HoldKind }>();
  #count = 0;
  /** Since when no frame was accepted because of screenshots; undefined while none is under way. */
  #blindSinceMs: number | undefined;
  /** Frames drawn before this moment may show a client's screenshot. */
  #redrawnUntilMs = -Infinity;

  /** @param onRelease - Called when the last screenshot under way is done. */
  constructor(onRelease: () => void) {
    this.#onRelease = onRelease;
  }

  /** Number of screenshots that have begun; two different readings mean that one began between them. */
  get count(): number {
    return this.#count;
  }

  /** Returns which frames drawn at a moment of `performance.now()` are dropped. They may arrive later. */
  kindAt(drawnMs: number): HoldKind | "none" {
    return this.#holds.size === 0 && drawnMs < this.#redrawnUntilMs ? "all" : this.kind;
  }

  /** Returns which frames drawn now are dropped. */
  get kind(): HoldKind | "none" {
    if (this.#holds.size === 0) return "none";
    if (this.isBlind || [...this.#holds].every(({ kind }) => kind === "resized")) return "resized";
    return "all";
  }

  /** True when no frame was accepted for five seconds. */
  get isBlind(): boolean {
    return this.#blindSinceMs !== undefined && performance.now() - this.#blindSinceMs > maxBlindMs;
  }

  /** Holds sampling while a client takes a screenshot; returns a function that releases the hold, which also ends after 30 s. */
  begin(kind: HoldKind): () => void {
    const hold = { kind };
    this.#holds.add(hold);
    this.#count += 1;
    this.#blindSinceMs ??= performance.now();
    const release = (): void => {
      clearTimeout(timer);
      if (kind === "all") this.#redrawnUntilMs = performance.now() + redrawMs;
      if (this.#holds.delete(hold) && this.#holds.size === 0) this.#onRelease();
    };
    const timer = setTimeout(release, maxHoldMs);
    timer.unref();
    return release;
  }

  /** A frame was accepted. */
  onFrameAccepted(): void {
    this.#blindSinceMs = this.#holds.size === 0 ? undefined : performance.now();
  }
}
