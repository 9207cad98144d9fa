import pTimeout from "p-timeout";
import type { BrowserContext, Page } from "playwright-core";
import type { PageEventListener } from "../acts/page-event.ts";
import { BrowserError } from "../browser-error.ts";
import type { ProcessType } from "../chromium/browser-processes.ts";
import { startChromium, type ChromiumProcess, type ChromiumStart } from "../chromium/chromium-process.ts";
import { browserMemory, killHeaviest, type BrowserMemory } from "../chromium/process-memory.ts";
import type { OpenChannel } from "../devtools/devtools-channel.ts";
import { AnswerWatch } from "./answer-watch.ts";
import { BrowserTrust, openProbe } from "./browser-trust.ts";
import type { DownloadListener } from "./context-downloads.ts";
import { createContext } from "./create-context.ts";
import { connectDriver, type DriverConnection } from "./driver-connection.ts";
import type { PooledContext, ContextOptions } from "./pooled-context.ts";

/** Timeout to open or close a context, and then to respond to a ping, in milliseconds. */
const defaultAnswerTimeMs = 20_000;

/** How long it may take to respond to a ping while a context or a page is opened, before another browser is asked, in milliseconds. */
const pingMs = 5_000;

/** Timeout for a graceful close before the browser is killed, in milliseconds. */
const closeTimeoutMs = 1000;

/**
 * One Chromium with several contexts, and the driver connected to it.
 */
export class SharedBrowser {
  /** The processes. */
  readonly process: ChromiumProcess;
  /** Resolves when the browser was closed by this process (`ended`), or crashed (`died`). */
  readonly exit: Promise<"ended" | "died">;
  /** Driver that is connected to it. */
  readonly driver: DriverConnection;
  readonly #answerTimeMs: number;
  readonly #answers: AnswerWatch;
  readonly #trust: BrowserTrust;
  #exitedHow: "ended" | "died" | undefined;
  readonly #exitListeners = new Set<(how: "ended" | "died") => void>();
  #opening: Promise<unknown> = Promise.resolve();
  #ending = false;

  private constructor(process: ChromiumProcess, driver: DriverConnection, answerTimeMs: number) {
    this.process = process;
    this.driver = driver;
    this.#answerTimeMs = answerTimeMs;
    this.#answers = new AnswerWatch({
      ping: () => driver.devtools.send("Browser.getVersion"),
      timeoutMs: answerTimeMs,
      onExit: (listener) => this.onExit(listener),
      kill: () => void process.end(),
      onSilence: () => this.suspect(),
    });
    this.#trust = new BrowserTrust({
      group: process.pid,
      prove: () => this.#openProbe(),
      giveUp: () => void process.end(),
    });
    const disconnected = new Promise<void>((resolve) => driver.browser.once("disconnected", () => resolve()));
    this.exit = Promise.race([process.exited, disconnected]).then(() => (this.#ending ? "ended" : "died"));
    void this.exit.then((how) => {
      // Child processes that the browser left behind are killed, too.
      void process.end();
      this.#exitedHow = how;
      for (const listener of this.#exitListeners) listener(how);
    });
  }

  /**
   * Starts a browser.
   *
   * @param answerTimeMs - Timeout to open or close a context, and then to respond to a ping, in milliseconds.
   * @throws {BrowserError} `browser-missing` if it does not start.
   */
  static async start(start: ChromiumStart, answerTimeMs = defaultAnswerTimeMs): Promise<SharedBrowser> {
    const process = await startChromium(start);
    try {
      return new SharedBrowser(process, await connectDriver(process, start.timeoutMs ?? 30_000), answerTimeMs);
    } catch (error) {
      await process.end();
      throw new BrowserError("browser-missing", "Chromium started, but did not respond to its driver", {
        cause: error,
      });
    }
  }

  /** False once it was closed, has crashed or was given up. */
  get isAlive(): boolean {
    return !this.#ending && !this.#trust.isLost && this.driver.browser.isConnected();
  }

  /** False while it has to show that it can open pages, and once it is not alive. */
  get isTrusted(): boolean {
    return this.isAlive && this.#trust.isTrusted;
  }

  /** Looks whether its processes can open pages; returns `isTrusted`. One that has lost a process that it needs is given up. */
  check(): boolean {
    return this.isAlive && this.#trust.check();
  }

  /** Gives it no further contexts before it has opened a page; it is given up when it can't. */
  suspect(): void {
    this.#trust.suspect();
  }

  /**
   * Calls back on exit, at once if it has exited; returns a function that removes the listener. Each context has to remove its listener:
   * a handler of the promise would be kept as long as the browser runs.
   */
  onExit(listener: (how: "ended" | "died") => void): () => void {
    if (this.#exitedHow) listener(this.#exitedHow);
    this.#exitListeners.add(listener);
    return () => this.#exitListeners.delete(listener);
  }

  /** Memory of its processes. Undefined on platforms other than Linux. */
  async memory(): Promise<BrowserMemory | undefined> {
    return browserMemory(this.process.pid);
  }

  /** Kills its process of a type that uses most memory, if that is so many bytes; see {@link killHeaviest}. */
  async killHeaviest(type: ProcessType, leastBytes: number): Promise<boolean> {
    return killHeaviest(this.process.pid, type, leastBytes);
  }

  /**
   * Opens a context.
   *
   * @param hasPatience - True when no other browser is asked: then it may take as long to respond as it may to open it. Default: false.
   * @throws {BrowserError} `page-failed` if the browser crashed, hangs, or takes too long; only one that hangs is killed.
   */
  async open(options: ContextOptions, hasPatience = false): Promise<PooledContext> {
    // One after the other: the id of a new context is the one that did not exist before.
    const opened = this.#opening.then(() => {
      if (!hasPatience && !this.isTrusted) throw new BrowserError("page-failed", "the browser does not respond");
      const opening = createContext(this.driver, options);
      const limitMs = hasPatience ? this.#answerTimeMs : pingMs;
      return this.#answers.limitSilence(opening, "open a session", limitMs).catch((error: unknown) => {
        // A context that is created after the timeout is not used.
        void opening.then(({ context }) => context.close()).catch(() => undefined);
        throw error;
      });
    });
    this.#opening = opened.catch(() => undefined);
    const { context, contextId } = await opened;
    return new OpenedContext(this, context, contextId);
  }

  /** Opens a page of a context; see {@link PooledContext.newPage}. */
  async newPage(context: BrowserContext, prepare: () => Promise<unknown>): Promise<Page> {
    try {
      const opening = prepare().then(() => context.newPage());
      return await this.#answers.limitSilence(opening, "open a page", pingMs);
    } catch (error) {
      if (error instanceof BrowserError) this.suspect();
      throw error;
    }
  }

  /** Keeps the downloads of a context in a folder; see {@link PooledContext.acceptDownloads}. */
  async acceptDownloads(contextId: string, downloadPath: string, listener: DownloadListener): Promise<void> {
    this.driver.downloads.follow(contextId, listener);
    const behavior = { behavior: "allowAndName", browserContextId: contextId, downloadPath } as const;
    await this.#answers.limit(this.driver.devtools.send("Browser.setDownloadBehavior", behavior), "accept downloads");
  }

  /** Cancels a download of a context. */
  cancelDownload(contextId: string, guid: string): void {
    this.driver.devtools.send("Browser.cancelDownload", { guid, browserContextId: contextId }).catch(() => undefined);
  }

  /** Must be called when a context is closed. */
  forget(contextId: string): void {
    this.driver.passwordFields.forget(contextId);
    this.driver.downloads.forget(contextId);
    this.driver.pageWatch.forget(contextId);
  }

  /** Closes a context and waits until its browser has disposed of it. */
  async dispose(context: BrowserContext, contextId: string): Promise<void> {
    if (!this.isAlive) return;
    const disposed = this.#answers.limit(context.close(), "close a session").catch(() => {
      // The driver waits for dialogs and downloads of its pages, too; the browser does not.
      const parameters = { browserContextId: contextId };
      return this.#answers.limit(
        this.driver.devtools.send("Target.disposeBrowserContext", parameters),
        "close a session",
      );
    });
    await disposed.catch(() => undefined);
  }

  /** Returns whether the browser still responds; false if it crashed, even if the driver has not noticed yet. */
  async answers(): Promise<boolean> {
    return this.#answers.check();
  }

  /** Closes it with all of its contexts. Resolves when its processes have ended and its files are removed. */
  async end(): Promise<void> {
    this.#ending = true;
    // On a graceful close Chromium reaps its own child processes; when killed, it leaves them to process 1.
    this.driver.devtools.send("Browser.close").catch(() => undefined);
    await pTimeout(this.process.exited, { milliseconds: closeTimeoutMs, message: false });
    await this.process.end();
  }

  /** Opens a page of a context of its own, after those contexts that are being opened; resolves with whether it came in time. */
  async #openProbe(): Promise<boolean> {
    const probed = this.#opening.then(() => openProbe(this.driver.browser, this.#answerTimeMs));
    this.#opening = probed.catch(() => undefined);
    return probed;
  }
}

class OpenedContext implements PooledContext {
  readonly context: BrowserContext;
  readonly contextId: string;
  readonly browserPid: number;
  readonly passwordFields: ReadonlySet<string>;
  readonly openChannel: OpenChannel;
  readonly flooded: Promise<void>;
  readonly lost: Promise<"closed" | "crashed">;
  readonly #browser: SharedBrowser;
  readonly #resolveLost: (how: "closed" | "crashed") => void;
  #closing: Promise<void> | undefined;

  constructor(browser: SharedBrowser, context: BrowserContext, contextId: string) {
    const lost = Promise.withResolvers<"closed" | "crashed">();
    this.#browser = browser;
    this.context = context;
    this.contextId = contextId;
    const { pid, devtools } = browser.process;
    this.browserPid = pid;
    this.passwordFields = browser.driver.passwordFields.follow(contextId);
    this.openChannel = (id, listener) => devtools.open(id, listener);
    const flooded = Promise.withResolvers<void>();
    this.flooded = flooded.promise;
    const endMeter = devtools.meter(contextId, flooded.resolve);
    this.lost = lost.promise;
    this.#resolveLost = lost.resolve;
    const forget = browser.onExit((how) => lost.resolve(how === "ended" ? "closed" : "crashed"));
    void this.lost.then(() => {
      forget();
      endMeter();
      browser.forget(contextId);
    });
    // A context closes when the driver closes it, and also when its browser crashes.
    context.once("close", () => void this.#onContextClosed());
  }

  watchPages(listener: PageEventListener): void {
    this.#browser.driver.pageWatch.watch(this.contextId, listener);
  }

  async newPage(prepare: () => Promise<unknown>): Promise<Page> {
    return this.#browser.newPage(this.context, prepare);
  }

  suspectBrowser(): void {
    this.#browser.suspect();
  }

  async setLocale(locale: string | undefined): Promise<string | undefined> {
    return this.#browser.isAlive ? this.#browser.driver.setLocale(this.contextId, locale) : undefined;
  }

  async acceptDownloads(folder: string, listener: DownloadListener): Promise<void> {
    await this.#browser.acceptDownloads(this.contextId, folder, listener);
  }

  cancelDownload(guid: string): void {
    if (this.#browser.isAlive) this.#browser.cancelDownload(this.contextId, guid);
  }

  blockSecurityKeys(): void {
    if (this.#browser.isAlive) this.#browser.driver.blockSecurityKeys(this.contextId);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#browser.dispose(this.context, this.contextId);
    await this.#closing;
    this.#resolveLost("closed");
  }

  async #onContextClosed(): Promise<void> {
    if (!this.#closing && (await this.#browser.answers())) await this.close();
  }
}
