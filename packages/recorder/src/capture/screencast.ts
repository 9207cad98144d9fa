import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { HoldKind } from "./screenshot-hold.ts";

/** A picture of a page, as the browser sent it. */
export interface Frame {
  /** A JPEG file. */
  readonly jpeg: Uint8Array;
  /** How long ago it was taken when it arrived, in milliseconds. */
  readonly ageMs: number;
  /** By what the browser is told that it was kept; undefined for one that it waits for no answer to. */
  readonly ticket: number | undefined;
}

/** What a screen is watched with. */
export interface ScreenOptions {
  /** Largest size of the pictures, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** What of a frame is not believed that was drawn at a moment of `performance.now()`. */
  readonly hold: (drawnMs: number) => HoldKind | "none";
  /** Told when a frame was not believed. */
  readonly onMissed: () => void;
  /** Told when a frame waits to be taken. */
  readonly onFrame: () => void;
  /** Told when the page goes to another address. */
  readonly onNavigation: () => void;
}

/** Quality of the JPEGs: text stays readable, and a page takes 10 to 80 KB. */
const quality = 65;
/** How long an answer of the browser is waited for, in milliseconds. */
const patienceMs = 2_000;
/** How long a page has had another size before that is believed, in milliseconds: for pictures of all of it, it has for a moment. */
const sizeMs = 250;
/** A frame that claims to be older was stamped by a clock that was set. */
const oldestMs = 1_000;

/** The screen of one page, over the DevTools protocol. Takes pictures while it is started. */
export class Screen {
  /** The page. */
  readonly page: Page;
  readonly #devtools: CDPSession;
  readonly #options: ScreenOptions;
  #isStarted = false;
  #waiting: Frame | undefined;
  #detach: () => void;
  /** Size of the page, as far as frames that were believed tell. */
  #size: string | undefined;
  /** A frame of another size, that may be the page's or that of a picture which a client takes. */
  #doubtful: { readonly size: string; readonly frame: Frame; readonly atMs: number } | undefined;
  #doubt: NodeJS.Timeout | undefined;

  private constructor(page: Page, devtools: CDPSession, options: ScreenOptions) {
    this.page = page;
    this.#devtools = devtools;
    this.#options = options;
    devtools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
      const ageMs = Date.now() - (metadata.timestamp ?? 0) * 1_000;
      const isTrue = ageMs >= 0 && ageMs <= oldestMs;
      const frame = { jpeg: Buffer.from(data, "base64"), ageMs: isTrue ? ageMs : 0, ticket: sessionId };
      this.#judge(frame, `${metadata.deviceWidth}x${metadata.deviceHeight}`);
    });
    const navigated = (frame: unknown): void => {
      if (frame === page.mainFrame()) options.onNavigation();
    };
    page.on("framenavigated", navigated);
    this.#detach = () => page.off("framenavigated", navigated);
  }

  /** Attaches to a page; undefined when that is not possible, because it has gone, say. */
  static async of(context: BrowserContext, page: Page, options: ScreenOptions): Promise<Screen | undefined> {
    const attaching = context.newCDPSession(page);
    const devtools = await within(attaching);
    // One that comes too late is not kept.
    if (!devtools) void attaching.then((late) => late.detach()).catch(() => undefined);
    return devtools && new Screen(page, devtools, options);
  }

  /** Whether it takes pictures: one at once, and one of each change. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Begins to take pictures; false when the page does not let it. */
  async start(): Promise<boolean> {
    const { width: maxWidth, height: maxHeight } = this.#options.size;
    this.#isStarted = true;
    this.#waiting = undefined;
    const answer = this.#devtools.send("Page.startScreencast", { format: "jpeg", quality, maxWidth, maxHeight });
    return (await within(answer.then(() => true))) ?? false;
  }

  /** The newest frame that waits, if one does. */
  take(): Frame | undefined {
    const frame = this.#waiting;
    this.#waiting = undefined;
    return frame;
  }

  /** Tells the browser that a frame was kept. */
  acknowledge(frame: Frame | undefined): void {
    if (frame?.ticket === undefined) return;
    this.#devtools.send("Page.screencastFrameAck", { sessionId: frame.ticket }).catch(() => undefined);
  }

  /** Takes no more pictures. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    await within(this.#devtools.send("Page.stopScreencast"));
  }

  /** A picture, whether the screen changed or not; undefined when the page gives none. */
  async photograph(): Promise<Frame | undefined> {
    const shot = await within(
      this.#devtools.send("Page.captureScreenshot", { format: "jpeg", quality, optimizeForSpeed: true }),
    );
    return shot && { jpeg: Buffer.from(shot.data, "base64"), ageMs: 0, ticket: undefined };
  }

  /** Believes a frame or not. One that is not is acknowledged: more of them may come. */
  #judge(frame: Frame, size: string): void {
    const hold = this.#options.hold(performance.now() - frame.ageMs);
    const isSame = this.#size === undefined || size === this.#size;
    if (hold === "all" || (hold === "sizes" && !isSame)) {
      this.acknowledge(frame);
      this.#forgetDoubt();
      this.#options.onMissed();
    } else if (isSame) {
      this.#forgetDoubt();
      this.#size = size;
      this.#accept(frame);
    } else {
      this.acknowledge(frame);
      const atMs = performance.now();
      const isKnown = this.#doubtful?.size === size;
      this.#doubtful = { size, frame: { ...frame, ticket: undefined }, atMs };
      if (isKnown) return;
      clearTimeout(this.#doubt);
      this.#doubt = setTimeout(() => this.#believe(), sizeMs);
    }
  }

  /** The page has had another size for long enough. */
  #believe(): void {
    const { size, frame, atMs } = this.#doubtful ?? {};
    this.#doubtful = undefined;
    if (!frame || !this.#isStarted || this.#options.hold(atMs ?? 0) !== "none") return;
    this.#size = size;
    this.#accept({ ...frame, ageMs: frame.ageMs + performance.now() - (atMs ?? 0) });
  }

  #forgetDoubt(): void {
    clearTimeout(this.#doubt);
    this.#doubtful = undefined;
  }

  #accept(frame: Frame): void {
    // One that was not taken yet is of no use any more; the browser gets its answer.
    this.acknowledge(this.#waiting);
    this.#waiting = frame;
    this.#options.onFrame();
  }

  /** Lets the page alone. */
  detach(): void {
    this.#forgetDoubt();
    this.#isStarted = false;
    this.#waiting = undefined;
    this.#detach();
    this.#detach = () => undefined;
    this.#devtools.detach().catch(() => undefined);
  }
}

/** What is promised; undefined when it fails, or takes too long. */
async function within<T>(promised: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patienceMs)));
  try {
    return await Promise.race([promised.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
