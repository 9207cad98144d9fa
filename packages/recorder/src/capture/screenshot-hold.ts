/**
 * What is believed of pictures while a client takes one of its own, for which the browser draws the page otherwise for a while:
 * `all`: it may show anything, of any size; `sizes`: what has the size of before is as it was.
 */
export type HoldKind = "all" | "sizes";

/** Longest time that one command of a client is respected, in milliseconds. */
const longestHoldMs = 30_000;
/** How long a browser may draw what it drew for a client after that has it, in milliseconds. */
const afterMs = 50;
/** Without a picture for so long, those of the right size are believed whatever goes on, in milliseconds. */
const longestBlindMs = 5_000;

/** The pictures that clients take of a page at the moment. */
export class PictureHold {
  readonly #onRelease: () => void;
  readonly #holds = new Set<HoldKind[]>();
  #count = 0;
  #blindSinceMs: number | undefined;
  /** What was drawn before may be a client's picture. */
  #untilMs = -Infinity;

  /** @param onRelease - Told when no picture is being taken any more. */
  constructor(onRelease: () => void) {
    this.#onRelease = onRelease;
  }

  /** How many have begun so far: tells whether one did meanwhile. */
  get count(): number {
    return this.#count;
  }

  /** What is not believed of a picture that was drawn at a moment of `performance.now()`; it may arrive later. */
  kindAt(drawnMs: number): HoldKind | "none" {
    return this.#holds.size === 0 && drawnMs < this.#untilMs ? "all" : this.kind;
  }

  /** What is not believed now. */
  get kind(): HoldKind | "none" {
    if (this.#holds.size === 0) return "none";
    if (this.isBlind || [...this.#holds].every(([kind]) => kind === "sizes")) return "sizes";
    return "all";
  }

  /** Whether nothing was believed for long. */
  get isBlind(): boolean {
    return this.#blindSinceMs !== undefined && performance.now() - this.#blindSinceMs > longestBlindMs;
  }

  /** A client begins to take a picture; returns a function to be called when it has it. */
  begin(kind: HoldKind): () => void {
    const hold = [kind];
    this.#holds.add(hold);
    this.#count += 1;
    this.#blindSinceMs ??= performance.now();
    const release = (): void => {
      clearTimeout(timer);
      if (kind === "all") this.#untilMs = performance.now() + afterMs;
      if (this.#holds.delete(hold) && this.#holds.size === 0) this.#onRelease();
    };
    const timer = setTimeout(release, longestHoldMs);
    timer.unref();
    return release;
  }

  /** A picture was believed. */
  sees(): void {
    this.#blindSinceMs = this.#holds.size === 0 ? undefined : performance.now();
  }
}
