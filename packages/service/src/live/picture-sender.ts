import type { Picture, PictureSource } from "./picture-source.ts";

/** How often a viewer wants pictures. */
export interface Pace {
  /** Most pictures a second. */
  readonly maxFps: number;
}

/**
 * Sends one viewer the newest picture whenever it has acknowledged the one before and its interval is over. What comes meanwhile is left
 * out, so a slow viewer gets fewer pictures, and none is kept for it.
 */
export class PictureSender {
  readonly #send: (picture: Picture, number: number) => void;
  #source: PictureSource | undefined;
  #intervalMs = 0;
  /** Number of the picture that the viewer has to acknowledge; undefined when there is none. */
  #awaited: number | undefined;
  #count = 0;
  #last: Picture | undefined;
  #nextMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (picture: Picture, number: number) => void) {
    this.#send = send;
  }

  /** Takes pictures of another source, or at another pace, from now on. */
  follow(source: PictureSource, { maxFps }: Pace): void {
    if (source !== this.#source) this.#last = undefined;
    this.#source = source;
    this.#intervalMs = 1_000 / maxFps;
    this.#sendNext();
  }

  /** The source has a new picture. */
  onPicture(): void {
    this.#sendNext();
  }

  /** The viewer has acknowledged a picture. Returns false when it was not the one that it has to. */
  acknowledge(number: number): boolean {
    if (number !== this.#awaited) return false;
    this.#awaited = undefined;
    this.#sendNext();
    return true;
  }

  /** Sends nothing more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#source = undefined;
  }

  #sendNext(): void {
    const source = this.#source;
    if (!source || this.#awaited !== undefined) return;
    clearTimeout(this.#timer);
    const leftMs = this.#nextMs - performance.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#sendNext(), leftMs);
      this.#timer.unref();
      return;
    }
    const { newest } = source;
    if (newest === undefined || newest === this.#last) return source.resume(true);
    this.#last = newest;
    this.#nextMs = performance.now() + this.#intervalMs;
    this.#count += 1;
    this.#awaited = this.#count;
    this.#send(newest, this.#count);
    source.resume(false);
  }
}
