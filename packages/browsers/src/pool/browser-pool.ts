import { BrowserError } from "../browser-error.ts";
import type { BrowserSpace, SpaceOptions } from "./browser-space.ts";
import { findChromium, type ChromiumBinary, type ChromiumSettings } from "../chromium/chromium-binary.ts";
import type { SandboxState } from "../chromium/chromium-process.ts";
import type { BrowserMemory } from "../chromium/process-memory.ts";
import { SharedBrowser } from "./shared-browser.ts";

/** How a pool of browsers works. */
export interface BrowserPoolOptions {
  /** Which Chromium. Default: the one that comes with npm. */
  readonly binary?: ChromiumSettings;
  /** Address of the proxy that everything of the browsers goes through. Default: none. */
  readonly proxyServer?: string;
  /** How many spaces share one browser: they share its death, too. Default: 20. */
  readonly spacesPerBrowser?: number;
  /** Most browsers at a time, a spare one included. Default: 8. */
  readonly maxBrowsers?: number;
  /** Most spaces at a time that anybody will ask for: no browser is kept ready for more. Default: as many as fit. */
  readonly maxSpaces?: number;
  /** After how many spaces a browser is replaced by a fresh one. Default: 100. */
  readonly spacesPerLife?: number;
  /** Memory (PSS) of a browser without spaces above which it is replaced, in bytes. Default: 500 MB. */
  readonly emptyMemoryLimit?: number;
  /** After what time a browser without spaces is ended when there is room enough in others, in milliseconds. Default: 60,000. */
  readonly idleMs?: number;
  /** How long the start of a browser may take, in milliseconds. Default: 30,000. */
  readonly startTimeoutMs?: number;
  /** How long a browser may take to open or to close a space, and then to give a sign of life before it is ended, in milliseconds. Default: 20,000. */
  readonly answerTimeMs?: number;
  /** Is told what an operator should know: no sandbox, a crash, a spare browser that can't be started. Default: nobody is. */
  readonly onWarning?: (message: string) => void;
  /** Is told of each browser that died by itself. Default: nobody is. */
  readonly onDeath?: () => void;
}

/** Facts about a browser of a pool. */
export interface BrowserFacts {
  /** Id of its main process: that of its spaces. */
  readonly pid: number;
  /** How many spaces it has now. */
  readonly spaces: number;
  /** How many spaces it has had. */
  readonly spacesSoFar: number;
  /** Memory of its processes. Undefined where the platform does not tell. */
  readonly memory: BrowserMemory | undefined;
}

/** A browser of the pool, from the moment on at which its start begins. */
interface Seat {
  readonly started: Promise<SharedBrowser>;
  readonly startsSince: number;
  /** Calls the start off. */
  readonly abort: AbortController;
  browser: SharedBrowser | undefined;
  /** Spaces that are open or being opened. */
  taken: number;
  spacesSoFar: number;
  /** It has used too much memory. */
  bloated: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** For how many more spaces there is always room in a browser that runs or starts. */
const sparePlaces = 3;

/** After a browser died this soon, no spare one is started until a space is asked for: it would die as well. */
const diedEarlyMs = 5000;

/**
 * Chromiums that are ready when a space is asked for: each holds several spaces, and a further one is started before the
 * last is full. Few that are full rather than many: what the processes of a browser share, its spaces share.
 */
export class BrowserPool {
  readonly #binary: ChromiumBinary;
  readonly #options: BrowserPoolOptions;
  readonly #perBrowser: number;
  readonly #maxBrowsers: number;
  readonly #seats = new Set<Seat>();
  readonly #endings = new Set<Promise<void>>();
  #sandbox: SandboxState | undefined;
  #spareIsWorthIt = true;
  #closing: Promise<void> | undefined;

  private constructor(binary: ChromiumBinary, options: BrowserPoolOptions) {
    this.#binary = binary;
    this.#options = options;
    this.#perBrowser = options.spacesPerBrowser ?? 20;
    this.#maxBrowsers = options.maxBrowsers ?? 8;
  }

  /**
   * Finds Chromium and starts the first browser; resolves when that is ready.
   *
   * @throws {BrowserError} `browser-missing` when there is none for this machine, or it can't be started.
   */
  static async start(options: BrowserPoolOptions = {}): Promise<BrowserPool> {
    const pool = new BrowserPool(await findChromium(options.binary), options);
    await pool.#startBrowser().started;
    return pool;
  }

  /** Where Chromium came from. */
  get origin(): ChromiumBinary["origin"] {
    return this.#binary.origin;
  }

  /** State of the sandbox of the browsers. */
  get sandbox(): SandboxState {
    return this.#sandbox ?? { off: "no browser has started yet" };
  }

  /** The browsers that run now. */
  async browsers(): Promise<BrowserFacts[]> {
    const running = [...this.#seats].flatMap(({ browser, taken, spacesSoFar }) =>
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

  /**
   * Opens a space, in a browser that is warm when there is one.
   *
   * @throws {BrowserError} `busy` when all browsers are full, `browser-missing` when none can be started,
   * `page-failed` when browsers die under it.
   */
  async open(options: SpaceOptions = {}): Promise<BrowserSpace> {
    return this.#openIn(this.#freeSeat(), options).catch(async (error: unknown) => {
      // The browser died meanwhile, or it hung: another one is tried, once.
      if (!(error instanceof BrowserError) || error.code !== "page-failed" || this.#closing) throw error;
      return this.#openIn(this.#freeSeat(), options);
    });
  }

  /** Kills all browsers that run, with their spaces; whoever asks for a space afterwards gets one in a new browser. */
  async kill(): Promise<void> {
    await Promise.all([...this.#seats].map(async ({ browser }) => browser?.process.end()));
  }

  /** Ends all browsers and their spaces. Resolves when no process and no file of them is left. */
  async close(): Promise<void> {
    this.#closing ??= (async () => {
      const seats = [...this.#seats];
      for (const seat of seats) seat.abort.abort();
      await Promise.allSettled(seats.map((seat) => seat.started));
      for (const seat of seats) this.#retire(seat);
      await Promise.all(this.#endings);
    })();
    await this.#closing;
  }

  async #openIn(seat: Seat, options: SpaceOptions): Promise<BrowserSpace> {
    clearTimeout(seat.idleTimer);
    seat.taken += 1;
    seat.spacesSoFar += 1;
    try {
      const browser = await seat.started;
      const space = await browser.open(options);
      void space.lost.then(() => this.#leave(seat));
      return space;
    } catch (error) {
      this.#leave(seat);
      throw error;
    } finally {
      this.#keepSpare();
    }
  }

  /** The fullest browser that has room, so that others become empty; worn ones last. */
  #freeSeat(): Seat {
    if (this.#closing) throw new BrowserError("busy", "The service is shutting down.");
    const free = [...this.#seats].filter((seat) => seat.taken < this.#perBrowser && seat.browser?.isAlive !== false);
    const fresh = free.filter((seat) => !this.#isWorn(seat)).sort((one, other) => other.taken - one.taken);
    const seat = fresh.find(({ browser }) => browser) ?? fresh[0];
    if (seat) return seat;
    if (this.#seats.size < this.#maxBrowsers) return this.#startBrowser();
    if (free[0]) return free[0];
    throw new BrowserError(
      "busy",
      `Browser limit reached (${this.#maxBrowsers} browsers with ${this.#perBrowser} sessions each). End a session, or raise the limit.`,
    );
  }

  #isWorn(seat: Seat): boolean {
    return seat.bloated || seat.spacesSoFar >= (this.#options.spacesPerLife ?? 100);
  }

  #startBrowser(): Seat {
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
    const seat: Seat = {
      started,
      startsSince: Date.now(),
      abort,
      browser: undefined,
      taken: 0,
      spacesSoFar: 0,
      bloated: false,
      idleTimer: undefined,
    };
    this.#seats.add(seat);
    started.then(
      (browser) => this.#welcome(seat, browser),
      () => {
        this.#seats.delete(seat);
        this.#spareIsWorthIt = false;
      },
    );
    return seat;
  }

  #welcome(seat: Seat, browser: SharedBrowser): void {
    seat.browser = browser;
    this.#spareIsWorthIt = true;
    const { sandbox } = browser.process;
    if (this.#sandbox === undefined && sandbox !== "on")
      this.#warn(`Chromium runs without its sandbox: ${sandbox.off}.`);
    this.#sandbox = sandbox;
    void browser.gone.then((how) => {
      if (how === "died") this.#bury(seat);
    });
  }

  #bury(seat: Seat): void {
    this.#warn(`A browser crashed; ${seat.taken} sessions ended with it.`);
    this.#options.onDeath?.();
    if (Date.now() - seat.startsSince < diedEarlyMs) this.#spareIsWorthIt = false;
    this.#retire(seat);
    this.#keepSpare();
  }

  /** A space of a browser is gone. */
  #leave(seat: Seat): void {
    seat.taken -= 1;
    if (seat.taken > 0 || !this.#seats.has(seat) || this.#closing) return;
    if (this.#isWorn(seat)) {
      this.#retire(seat);
      this.#keepSpare();
      return;
    }
    void this.#weigh(seat);
    seat.idleTimer = setTimeout(() => {
      const others = [...this.#seats].filter((other) => other !== seat);
      if (seat.taken === 0 && this.#haveRoom(others)) this.#retire(seat);
    }, this.#options.idleMs ?? 60_000).unref();
  }

  /** A browser that keeps much memory when all its spaces are gone is replaced. */
  async #weigh(seat: Seat): Promise<void> {
    const memory = await seat.browser?.memory().catch(() => undefined);
    if (!memory || memory.all <= (this.#options.emptyMemoryLimit ?? 500_000_000)) return;
    seat.bloated = true;
    if (seat.taken === 0 && this.#seats.has(seat)) this.#retire(seat);
    this.#keepSpare();
  }

  #retire(seat: Seat): void {
    clearTimeout(seat.idleTimer);
    this.#seats.delete(seat);
    if (!seat.browser) return;
    const ending = seat.browser.end();
    this.#endings.add(ending);
    void ending.finally(() => this.#endings.delete(ending));
  }

  /** Tells whether some more spaces fit into these browsers, as many as may be asked for at once. */
  #haveRoom(seats: Iterable<Seat>): boolean {
    let free = 0;
    for (const seat of seats) free += this.#isWorn(seat) ? 0 : this.#perBrowser - seat.taken;
    let comes = this.#options.maxSpaces ?? Infinity;
    for (const { taken } of this.#seats) comes -= taken;
    return free >= Math.min(sparePlaces, this.#perBrowser, comes);
  }

  /** Sees to it that there is room for some more spaces in browsers that run or start. */
  #keepSpare(): void {
    if (this.#closing || !this.#spareIsWorthIt || this.#seats.size >= this.#maxBrowsers) return;
    if (this.#haveRoom(this.#seats)) return;
    this.#startBrowser().started.catch((error: unknown) => {
      if (!this.#closing)
        this.#warn(`A spare browser can't be started: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  #warn(message: string): void {
    this.#options.onWarning?.(message);
  }
}
