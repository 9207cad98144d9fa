import type { BrowserContext, CDPSession, Page } from "playwright-core";

/** A picture of a page. */
export interface Picture {
  /** Counts the pictures of a source. */
  readonly number: number;
  /** A JPEG file. */
  readonly jpeg: Uint8Array;
  /** Width of the viewport that it shows, in CSS pixels: input is given in these. */
  readonly width: number;
  /** Height of that viewport, in CSS pixels. */
  readonly height: number;
}

/** Quality of the JPEGs. */
const quality = 65;
/** Tallest picture, in pixels: a client's screenshot of a whole page makes that very tall for a moment. */
const maxHeight = 2_160;
/** How many frames Chromium sends without acknowledgement; it drops those that are drawn meanwhile, the last one too. */
const framesInFlight = 2;
/** How long the first frame of a page is waited for until the screencast is started again, in milliseconds. */
const firstFrameMs = 2_000;

/**
 * A screencast of one page at a time, for all viewers that want its size.
 *
 * Chromium draws no more pictures than are asked for: its frames are acknowledged when a viewer can take one.
 */
export class PictureSource {
  readonly #context: BrowserContext;
  readonly #width: number;
  readonly #onPicture: (picture: Picture) => void;
  #page: Page | undefined;
  #devtools: CDPSession | undefined;
  #unacknowledged: number[] = [];
  /** True when Chromium may have dropped a frame that is newer than the newest one here. */
  #mayHaveMissed = false;
  #newest: Picture | undefined;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param width - Widest picture, in pixels. */
  constructor(context: BrowserContext, width: number, onPicture: (picture: Picture) => void) {
    this.#context = context;
    this.#width = width;
    this.#onPicture = onPicture;
  }

  /** The newest picture; undefined before the first one. */
  get newest(): Picture | undefined {
    return this.#newest;
  }

  /** Shows another page from now on; undefined: none. */
  async show(page: Page | undefined): Promise<void> {
    if (page === this.#page) return;
    this.#page = page;
    this.#newest = undefined;
    this.#detach();
    if (!page) return;
    const devtools = await this.#context.newCDPSession(page).catch(() => undefined);
    if (!devtools) return;
    if (page !== this.#page) return void devtools.detach().catch(ignore);
    this.#devtools = devtools;
    devtools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
      if (devtools !== this.#devtools) return;
      clearTimeout(this.#timer);
      if (this.#unacknowledged.length === 0) this.#mayHaveMissed = false;
      this.#unacknowledged.push(sessionId);
      this.#accept(Buffer.from(data, "base64"), metadata.deviceWidth, metadata.deviceHeight);
    });
    this.#start(devtools);
  }

  /**
   * A viewer can take a picture.
   *
   * @param hasNewest - True when it has the newest one that is here.
   */
  resume(hasNewest: boolean): void {
    const devtools = this.#devtools;
    if (!devtools) return;
    const frames = this.#unacknowledged;
    this.#unacknowledged = [];
    for (const sessionId of frames) devtools.send("Page.screencastFrameAck", { sessionId }).catch(ignore);
    if (frames.length >= framesInFlight) this.#mayHaveMissed = true;
    if (!hasNewest || !this.#mayHaveMissed) return;
    this.#mayHaveMissed = false;
    this.#start(devtools);
  }

  /** Stops. */
  close(): void {
    this.#page = undefined;
    this.#detach();
  }

  /** Starts, or starts again: Chromium sends one frame at once, and one for each change. */
  #start(devtools: CDPSession): void {
    this.#unacknowledged = [];
    devtools.send("Page.stopScreencast").catch(ignore);
    devtools.send("Page.startScreencast", { format: "jpeg", quality, maxWidth: this.#width, maxHeight }).catch(ignore);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (devtools === this.#devtools) this.#start(devtools);
    }, firstFrameMs);
    this.#timer.unref();
  }

  #accept(jpeg: Uint8Array, width: number, height: number): void {
    const isSame =
      this.#newest?.width === width && this.#newest.height === height && Buffer.compare(this.#newest.jpeg, jpeg) === 0;
    // A page that draws the same again asks for no bytes, and for the next frame, at the pace of a screen.
    if (isSame) return void setTimeout(() => this.resume(true), 1_000 / 30).unref();
    this.#count += 1;
    this.#newest = { number: this.#count, jpeg, width, height };
    this.#onPicture(this.#newest);
  }

  #detach(): void {
    clearTimeout(this.#timer);
    const devtools = this.#devtools;
    this.#devtools = undefined;
    this.#unacknowledged = [];
    this.#mayHaveMissed = false;
    // A session that is detached ends its screencast.
    devtools?.detach().catch(ignore);
  }
}

/** Ignores that the page was closed, or is not the one shown any more. */
function ignore(): void {}
