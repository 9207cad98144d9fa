import { BrowserError } from "../browser-error.ts";
import type { BrowserFacts, BrowserPoolOptions } from "./browser-pool-options.ts";
import type { BrowserSpace, SpaceOptions } from "./browser-space.ts";
import { findChromium, type ChromiumBinary } from "../chromium/chromium-binary.ts";
import type { SandboxState } from "../chromium/chromium-process.ts";
import { SharedBrowser } from "./shared-browser.ts";

/** A browser of the pool; exists from the beginning of its start. */
interface PoolEntry {
  readonly started: Promise<SharedBrowser>;
  readonly startedAtMs: number;
  /** Aborts the start. */
  readonly abort: AbortController;
  browser: SharedBrowser | undefined;
  /** Spaces that are open or being opened. */
  openSpaces: number;
  spacesSoFar: number;
  /** True once it used too much memory without spaces. */
  exceedsMemoryLimit: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Number of further spaces that always fit into browsers that are running or starting. */
const minFreeSpaces = 3;

/** After a crash this soon after the start, no spare browser is started until a space is requested: it would crash, too. */
const earlyCrashMs = 5000;

/**
 * Keeps browsers ready for new spaces: each holds several spaces, and a further one is started before the
 * last is full. Fills few browsers rather than starting many: spaces of one browser share its processes' memory.
 */
export class BrowserPool {
  readonly #binary: ChromiumBinary;
  readonly #options: BrowserPoolOptions;
  readonly #spacesPerBrowser: number;
  readonly #maxBrowsers: number;
  readonly #entries = new Set<PoolEntry>();
  readonly #closingBrowsers = new Set<Promise<void>>();
  #sandbox: SandboxState | undefined;
  #startsSpare = true;
  #closing: Promise<void> | undefined;

  private constructor(binary: ChromiumBinary, options: BrowserPoolOptions) {
    this.#binary = binary;
    this.#options = options;
    this.#spacesPerBrowser = options.spacesPerBrowser ?? 20;
    this.#maxBrowsers = options.maxBrowsers ?? 8;
  }

  /**
   * Finds Chromium and starts the first browser; resolves when that is ready.
   *
   * @throws {BrowserError} `browser-missing` if Chromium is not available for this machine, or can't be started.
   */
  static async start(options: BrowserPoolOptions = {}): Promise<BrowserPool> {
    const pool = new BrowserPool(await findChromium(options.binary), options);
    await pool.#startBrowser().started;
    return pool;
  }

  /** Origin of Chromium. */
  get origin(): ChromiumBinary["origin"] {
    return this.#binary.origin;
  }

  /** State of the sandbox of the browsers. */
  get sandbox(): SandboxState {
    return this.#sandbox ?? { off: "no browser has started yet" };
  }

  /** Lists the running browsers. */
  async browsers(): Promise<BrowserFacts[]> {
    const running = [...this.#entries].flatMap(({ browser, openSpaces: taken, spacesSoFar }) =>
      browser ? [{ browser, taken, spacesSoFar }] : [],
    );
    return Promise.all(
      running.map(async ({ browser, taken, spacesSoFar }) => ({
        pid: browser.process.pid,
        spaces: taken,
        spacesSoFar,
        memory: await browser.memory(),
      })),
    );
  }

  /** Kills the renderer process of a browser that uses most memory, if that is so many bytes: its pages crash, and no others. */
  async killHeaviestRenderer(browserPid: number, leastBytes: number): Promise<void> {
    const entry = [...this.#entries].find(({ browser }) => browser?.process.pid === browserPid);
    await entry?.browser?.killHeaviestRenderer(leastBytes);
  }

  /**
   * Opens a space, in a running browser if one has room.
   *
   * @throws {BrowserError} `busy` if all browsers are full, `browser-missing` if none can be started,
   * `page-failed` if browsers crash repeatedly.
   */
  async open(options: SpaceOptions = {}): Promise<BrowserSpace> {
    return this.#openIn(this.#findEntry(), options).catch(async (error: unknown) => {
      // The browser crashed or hung meanwhile: another one is tried, once.
      if (!(error instanceof BrowserError) || error.code !== "page-failed" || this.#closing) throw error;
      return this.#openIn(this.#findEntry(), options);
    });
  }

  /** Kills all running browsers, with their spaces; later spaces are opened in new browsers. */
  async kill(): Promise<void> {
    await Promise.all([...this.#entries].map(async ({ browser }) => browser?.process.end()));
  }

  /** Closes all browsers and their spaces. Resolves when their processes and files are gone. */
  async close(): Promise<void> {
    this.#closing ??= (async () => {
      const seats = [...this.#entries];
      for (const seat of seats) seat.abort.abort();
      await Promise.allSettled(seats.map((seat) => seat.started));
      for (const seat of seats) this.#retire(seat);
      await Promise.all(this.#closingBrowsers);
    })();
    await this.#closing;
  }

  async #openIn(seat: PoolEntry, options: SpaceOptions): Promise<BrowserSpace> {
    clearTimeout(seat.idleTimer);
    seat.openSpaces += 1;
    seat.spacesSoFar += 1;
    try {
      const browser = await seat.started;
      const space = await browser.open(options);
      void space.lost.then(() => this.#onSpaceClosed(seat));
      return space;
    } catch (error) {
      this.#onSpaceClosed(seat);
      throw error;
    } finally {
      this.#ensureSpare();
    }
  }

  /** Returns the fullest browser that has room, so that others become empty; those due for replacement last. */
  #findEntry(): PoolEntry {
    if (this.#closing) throw new BrowserError("busy", "The service is shutting down.");
    const free = [...this.#entries].filter(
      (seat) => seat.openSpaces < this.#spacesPerBrowser && seat.browser?.isAlive !== false,
    );
    const fresh = free.filter((seat) => !this.#isWornOut(seat)).sort((one, other) => other.openSpaces - one.openSpaces);
    const seat = fresh.find(({ browser }) => browser) ?? fresh[0];
    if (seat) return seat;
    if (this.#entries.size < this.#maxBrowsers) return this.#startBrowser();
    if (free[0]) return free[0];
    throw new BrowserError(
      "busy",
      `Browser limit reached (${this.#maxBrowsers} browsers with ${this.#spacesPerBrowser} sessions each). End a session, or raise the limit.`,
    );
  }

  #isWornOut(seat: PoolEntry): boolean {
    return seat.exceedsMemoryLimit || seat.spacesSoFar >= (this.#options.spacesPerLife ?? 100);
  }

  #startBrowser(): PoolEntry {
    const abort = new AbortController();
    const { proxyServer, startTimeoutMs, answerTimeMs } = this.#options;
    const start = {
      binary: this.#binary,
      signal: abort.signal,
      ...(proxyServer === undefined ? {} : { proxyServer }),
      ...(startTimeoutMs === undefined ? {} : { timeoutMs: startTimeoutMs }),
      ...(this.#sandbox === undefined ? {} : { sandbox: this.#sandbox }),
    };
    const started = SharedBrowser.start(start, answerTimeMs);
    const seat: PoolEntry = {
      started,
      startedAtMs: Date.now(),
      abort,
      browser: undefined,
      openSpaces: 0,
      spacesSoFar: 0,
      exceedsMemoryLimit: false,
      idleTimer: undefined,
    };
    this.#entries.add(seat);
    started.then(
      (browser) => this.#onStarted(seat, browser),
      () => {
        this.#entries.delete(seat);
        this.#startsSpare = false;
      },
    );
    return seat;
  }

  #onStarted(seat: PoolEntry, browser: SharedBrowser): void {
    seat.browser = browser;
    this.#startsSpare = true;
    const { sandbox } = browser.process;
    if (this.#sandbox === undefined && sandbox !== "on")
      this.#warn(`Chromium runs without its sandbox: ${sandbox.off}.`);
    this.#sandbox = sandbox;
    void browser.exit.then((how) => {
      if (how === "died") this.#onCrashed(seat);
    });
  }

  #onCrashed(seat: PoolEntry): void {
    this.#warn(`A browser crashed; ${seat.openSpaces} sessions ended with it.`);
    this.#options.onDeath?.();
    if (Date.now() - seat.startedAtMs < earlyCrashMs) this.#startsSpare = false;
    this.#retire(seat);
    this.#ensureSpare();
  }

  /** Handles the end of a space. */
  #onSpaceClosed(seat: PoolEntry): void {
    seat.openSpaces -= 1;
    if (seat.openSpaces > 0 || !this.#entries.has(seat) || this.#closing) return;
    if (this.#isWornOut(seat)) {
      this.#retire(seat);
      this.#ensureSpare();
      return;
    }
    void this.#checkMemory(seat);
    seat.idleTimer = setTimeout(() => {
      const others = [...this.#entries].filter((other) => other !== seat);
      if (seat.openSpaces === 0 && this.#hasFreeSpaces(others)) this.#retire(seat);
    }, this.#options.idleMs ?? 60_000).unref();
  }

  /** Replaces a browser that keeps much memory without spaces. */
  async #checkMemory(seat: PoolEntry): Promise<void> {
    const memory = await seat.browser?.memory().catch(() => undefined);
    if (!memory || memory.all <= (this.#options.emptyMemoryLimit ?? 500_000_000)) return;
    seat.exceedsMemoryLimit = true;
    if (seat.openSpaces === 0 && this.#entries.has(seat)) this.#retire(seat);
    this.#ensureSpare();
  }

  #retire(seat: PoolEntry): void {
    clearTimeout(seat.idleTimer);
    this.#entries.delete(seat);
    if (!seat.browser) return;
    const closing = seat.browser.end();
    this.#closingBrowsers.add(closing);
    void closing.finally(() => this.#closingBrowsers.delete(closing));
  }

  /** Returns whether these browsers have room for some more spaces. */
  #hasFreeSpaces(seats: Iterable<PoolEntry>): boolean {
    let free = 0;
    for (const seat of seats) free += this.#isWornOut(seat) ? 0 : this.#spacesPerBrowser - seat.openSpaces;
    let remaining = this.#options.maxSpaces ?? Infinity;
    for (const { openSpaces: taken } of this.#entries) remaining -= taken;
    return free >= Math.min(minFreeSpaces, this.#spacesPerBrowser, remaining);
  }

  /** Starts a spare browser unless those running or starting have room for some more spaces. */
  #ensureSpare(): void {
    if (this.#closing || !this.#startsSpare || this.#entries.size >= this.#maxBrowsers) return;
    if (this.#hasFreeSpaces(this.#entries)) return;
    this.#startBrowser().started.catch((error: unknown) => {
      if (!this.#closing)
        this.#warn(`A spare browser can't be started: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  #warn(message: string): void {
    this.#options.onWarning?.(message);
  }
}
