import { BrowserError } from "../browser-error.ts";
import type { ProcessType } from "../chromium/browser-processes.ts";
import type { BrowserFacts, BrowserPoolOptions } from "./browser-pool-options.ts";
import type { PooledContext, ContextOptions } from "./pooled-context.ts";
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
  /** Number of contexts that are open or being opened. */
  openContexts: number;
  contextsSoFar: number;
  /** True once it used too much memory without spaces. */
  exceedsMemoryLimit: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Number of further contexts that always fit into browsers that are running or starting. */
const minFreeContexts = 3;

/** Limit of browsers that are asked for a context, one after the other. */
const maxTries = 3;

/**
 * Time after the start within which a crash counts as early: then no spare browser is started until a context is requested, as it would
 * crash, too.
 */
const earlyCrashMs = 5000;

/**
 * Keeps browsers ready for new contexts: each holds several contexts, and a further one is started before the
 * last is full. Fills few browsers rather than starting many: contexts of one browser share its processes' memory.
 *
 * @example
 * ```ts from=examples/api/browsers/browser-pool.ts
 * import { BrowserPool } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 2, contextsPerBrowser: 10 });
 * const { context } = await pool.open({ locale: "en-GB" });
 * const page = await context.newPage();
 * await page.setContent("<title>Ferries</title>");
 * console.log(await page.title()); // Ferries
 * await pool.close();
 * ```
 */
export class BrowserPool {
  readonly #binary: ChromiumBinary;
  readonly #options: BrowserPoolOptions;
  readonly #contextsPerBrowser: number;
  readonly #maxBrowsers: number;
  readonly #entries = new Set<PoolEntry>();
  readonly #closingBrowsers = new Set<Promise<void>>();
  #sandbox: SandboxState | undefined;
  #startsSpare = true;
  #closing: Promise<void> | undefined;

  private constructor(binary: ChromiumBinary, options: BrowserPoolOptions) {
    this.#binary = binary;
    this.#options = options;
    this.#contextsPerBrowser = options.contextsPerBrowser ?? 20;
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
    const running = [...this.#entries].flatMap(({ browser, openContexts: contextCount, contextsSoFar }) =>
      browser ? [{ browser, taken: contextCount, contextsSoFar }] : [],
    );
    return Promise.all(
      running.map(async ({ browser, taken: contextCount, contextsSoFar }) => ({
        pid: browser.process.pid,
        contexts: contextCount,
        contextsSoFar,
        memory: await browser.memory(),
      })),
    );
  }

  /**
   * Kills the process of a type that uses most memory of those of a browser, if that is so many bytes. Of a renderer the pages crash, and
   * no others; the GPU process is started again, and pages lose their WebGL contexts. Returns whether one was killed.
   */
  async killHeaviest(browserPid: number, type: ProcessType, leastBytes: number): Promise<boolean> {
    const entry = [...this.#entries].find(({ browser }) => browser?.process.pid === browserPid);
    return (await entry?.browser?.killHeaviest(type, leastBytes)) ?? false;
  }

  /**
   * Opens a context, in a running browser if one has room.
   *
   * @throws {BrowserError} `busy` if all browsers are full, `browser-missing` if none can be started,
   * `page-failed` if browsers crash repeatedly.
   */
  async open(options: ContextOptions = {}): Promise<PooledContext> {
    for (let tries = 1; ; tries += 1) {
      const known = new Set(this.#entries);
      const entry = this.#findEntry();
      try {
        return await this.#openIn(entry, options, tries === maxTries);
      } catch (error) {
        // The browser crashed or hung meanwhile, or a spare that was being started did not start: another one is tried.
        const isSpare = known.has(entry) && entry.browser === undefined;
        const isBrowserFault = error instanceof BrowserError && (error.code === "page-failed" || isSpare);
        if (!isBrowserFault || tries === maxTries || this.#closing) throw error;
      }
    }
  }

  /** Kills all running browsers, with their contexts; later contexts are opened in new browsers. */
  async kill(): Promise<void> {
    await Promise.all([...this.#entries].map(async ({ browser }) => browser?.process.end()));
  }

  /** Closes all browsers and their contexts. Resolves when their processes have ended and their files are removed. */
  async close(): Promise<void> {
    this.#closing ??= (async () => {
      const entries = [...this.#entries];
      for (const entry of entries) entry.abort.abort();
      await Promise.allSettled(entries.map((entry) => entry.started));
      for (const entry of entries) this.#retire(entry);
      await Promise.all(this.#closingBrowsers);
    })();
    await this.#closing;
  }

  async #openIn(entry: PoolEntry, options: ContextOptions, isLastTry: boolean): Promise<PooledContext> {
    clearTimeout(entry.idleTimer);
    entry.openContexts += 1;
    entry.contextsSoFar += 1;
    try {
      const browser = await entry.started;
      const pooled = await browser.open(options, isLastTry);
      void pooled.lost.then(() => this.#onContextClosed(entry));
      return pooled;
    } catch (error) {
      this.#onContextClosed(entry);
      throw error;
    } finally {
      this.#ensureSpare();
    }
  }

  /**
   * Returns the fullest browser that has room, so that others become empty; those due for replacement last, and those that may not be able to
   * open a page only when there is no other.
   */
  #findEntry(): PoolEntry {
    if (this.#closing) throw new BrowserError("busy", "the service is shutting down");
    const free = [...this.#entries].filter(
      (entry) => entry.openContexts < this.#contextsPerBrowser && entry.browser?.isAlive !== false,
    );
    const trusted = free.filter(({ browser }) => browser?.check() ?? true);
    const fresh = trusted
      .filter((entry) => !this.#isWornOut(entry))
      .sort((one, other) => other.openContexts - one.openContexts);
    const entry = fresh.find(({ browser }) => browser) ?? fresh[0];
    if (entry) return entry;
    if (this.#entries.size < this.#maxBrowsers) return this.#startBrowser();
    const last = trusted[0] ?? free.find(({ browser }) => browser?.isAlive);
    if (last) return last;
    throw new BrowserError(
      "busy",
      `browser limit reached (${this.#maxBrowsers} browsers with ${this.#contextsPerBrowser} sessions each); end a session, or raise the limit`,
    );
  }

  #isWornOut(entry: PoolEntry): boolean {
    return entry.exceedsMemoryLimit || entry.contextsSoFar >= (this.#options.contextsPerLife ?? 100);
  }

  #startBrowser(): PoolEntry {
    const abort = new AbortController();
    const { proxyServer, renameError, startTimeoutMs, answerTimeMs } = this.#options;
    const start = {
      binary: this.#binary,
      signal: abort.signal,
      ...(proxyServer === undefined ? {} : { proxyServer }),
      ...(renameError === undefined ? {} : { renameError }),
      ...(startTimeoutMs === undefined ? {} : { timeoutMs: startTimeoutMs }),
      ...(this.#sandbox === undefined ? {} : { sandbox: this.#sandbox }),
    };
    const started = SharedBrowser.start(start, answerTimeMs);
    const entry: PoolEntry = {
      started,
      startedAtMs: performance.now(),
      abort,
      browser: undefined,
      openContexts: 0,
      contextsSoFar: 0,
      exceedsMemoryLimit: false,
      idleTimer: undefined,
    };
    this.#entries.add(entry);
    started.then(
      (browser) => this.#onStarted(entry, browser),
      () => {
        this.#entries.delete(entry);
        this.#startsSpare = false;
      },
    );
    return entry;
  }

  #onStarted(entry: PoolEntry, browser: SharedBrowser): void {
    entry.browser = browser;
    this.#startsSpare = true;
    const { sandbox } = browser.process;
    if (this.#sandbox === undefined && sandbox !== "on")
      this.#warn(`Chromium runs without its sandbox: ${sandbox.off}.`);
    this.#sandbox = sandbox;
    void browser.exit.then((how) => {
      if (how === "died") this.#onCrashed(entry);
    });
  }

  #onCrashed(entry: PoolEntry): void {
    this.#warn(`A browser crashed; ${entry.openContexts} sessions ended with it.`);
    this.#options.onDeath?.();
    if (performance.now() - entry.startedAtMs < earlyCrashMs) this.#startsSpare = false;
    this.#retire(entry);
    this.#ensureSpare();
  }

  /** Handles the end of a context. */
  #onContextClosed(entry: PoolEntry): void {
    entry.openContexts -= 1;
    if (entry.openContexts > 0 || !this.#entries.has(entry) || this.#closing) return;
    if (this.#isWornOut(entry)) {
      this.#retire(entry);
      this.#ensureSpare();
      return;
    }
    void this.#checkMemory(entry);
    entry.idleTimer = setTimeout(() => {
      const others = [...this.#entries].filter((other) => other !== entry);
      if (entry.openContexts === 0 && this.#hasFreeContexts(others)) this.#retire(entry);
    }, this.#options.idleMs ?? 60_000).unref();
  }

  /** Replaces a browser that keeps much memory without spaces. */
  async #checkMemory(entry: PoolEntry): Promise<void> {
    const memory = await entry.browser?.memory().catch(() => undefined);
    if (!memory || memory.all <= (this.#options.emptyMemoryLimit ?? 500_000_000)) return;
    entry.exceedsMemoryLimit = true;
    if (entry.openContexts === 0 && this.#entries.has(entry)) this.#retire(entry);
    this.#ensureSpare();
  }

  #retire(entry: PoolEntry): void {
    clearTimeout(entry.idleTimer);
    this.#entries.delete(entry);
    if (!entry.browser) return;
    const closing = entry.browser.end();
    this.#closingBrowsers.add(closing);
    void closing.finally(() => this.#closingBrowsers.delete(closing));
  }

  /** Returns whether these browsers have room for some more contexts. */
  #hasFreeContexts(entries: Iterable<PoolEntry>): boolean {
    let free = 0;
    for (const entry of entries) {
      const isOffered = !this.#isWornOut(entry) && entry.browser?.isTrusted !== false;
      free += isOffered ? this.#contextsPerBrowser - entry.openContexts : 0;
    }
    let remaining = this.#options.maxContexts ?? Infinity;
    for (const { openContexts: contextCount } of this.#entries) remaining -= contextCount;
    return free >= Math.min(minFreeContexts, this.#contextsPerBrowser, remaining);
  }

  /** Starts a spare browser unless those running or starting have room for some more contexts. */
  #ensureSpare(): void {
    if (this.#closing || !this.#startsSpare || this.#entries.size >= this.#maxBrowsers) return;
    if (this.#hasFreeContexts(this.#entries)) return;
    this.#startBrowser().started.catch((error: unknown) => {
      if (!this.#closing)
        this.#warn(`A spare browser can't be started: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  #warn(message: string): void {
    this.#options.onWarning?.(message);
  }
}
