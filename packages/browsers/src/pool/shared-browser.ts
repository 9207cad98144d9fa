import { join } from "node:path";
import pTimeout from "p-timeout";
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from "playwright-core";
import type { PageEventListener } from "../acts/page-event.ts";
import { BrowserError } from "../browser-error.ts";
import type { ProcessType } from "../chromium/browser-processes.ts";
import type { PooledContext, ContextOptions } from "./pooled-context.ts";
import { startChromium, type ChromiumProcess, type ChromiumStart } from "../chromium/chromium-process.ts";
import type { OpenChannel } from "../devtools/devtools-channel.ts";
import { BrowserTrust, openProbe } from "./browser-trust.ts";
import { withLocales, type LocaleConnection } from "./locales.ts";
import { browserMemory, killHeaviest, type BrowserMemory } from "../chromium/process-memory.ts";
import { withDelayedPageLoad } from "./delayed-page-load.ts";
import { cancelEverywhere, watchDownloads, type DownloadListener, type DownloadWatch } from "./context-downloads.ts";
import { type PageWatch, watchPages } from "../acts/page-watch.ts";
import { watchPasswordFields, type PasswordFieldWatch } from "./password-fields.ts";
import { whileResponsive } from "./responsiveness.ts";
import { withoutSecurityKeys, type KeylessConnection } from "./security-keys.ts";

/** Timeout to open or close a context, and then to respond to a ping, in milliseconds. */
const defaultAnswerTimeMs = 20_000;

/** How long it may take to respond to a ping while a context or a page is opened, before another browser is asked, in milliseconds. */
const pingMs = 5_000;

/** Timeout for a graceful close before the browser is killed, in milliseconds. */
const closeTimeoutMs = 1000;

/** Watches on the messages between Chromium and its driver. */
interface Watches {
  readonly forms: PasswordFieldWatch;
  readonly downloads: DownloadWatch;
  readonly pages: PageWatch;
}

/**
 * One Chromium with several contexts, and the driver connected to it.
 */
export class SharedBrowser {
  /** The processes. */
  readonly process: ChromiumProcess;
  /** Resolves when the browser was closed by this process (`ended`), or crashed (`died`). */
  readonly exit: Promise<"ended" | "died">;
  /** Must be called for a context when CDP sessions of another connection with its pages have ended. */
  readonly blockSecurityKeys: (contextId: string) => void;
  /** Names of the password fields of its pages. */
  readonly passwordFields: PasswordFieldWatch;
  /** Reports the events on its pages. */
  readonly pageWatch: PageWatch;
  /** Changes the locale of a context's pages; undefined restores that it was opened with. Returns the browser's error message. */
  readonly setLocale: LocaleConnection["setLocale"];
  readonly #downloads: DownloadWatch;
  readonly #browser: Browser;
  readonly #devtools: CDPSession;
  readonly #answerTimeMs: number;
  readonly #trust: BrowserTrust;
  #exitedHow: "ended" | "died" | undefined;
  readonly #exitListeners = new Set<(how: "ended" | "died") => void>();
  #opening: Promise<unknown> = Promise.resolve();
  #ending = false;

  private constructor(
    process: ChromiumProcess,
    browser: Browser,
    devtools: CDPSession,
    renew: KeylessConnection["renew"],
    { forms, downloads, pages }: Watches,
    setLocale: LocaleConnection["setLocale"],
    answerTimeMs: number,
  ) {
    this.process = process;
    this.#answerTimeMs = answerTimeMs;
    this.passwordFields = forms;
    this.#downloads = downloads;
    this.pageWatch = pages;
    this.blockSecurityKeys = renew;
    this.setLocale = setLocale;
    this.#browser = browser;
    this.#devtools = devtools;
    this.#trust = new BrowserTrust({
      group: process.pid,
      prove: () => this.#openProbe(),
      giveUp: () => void process.end(),
    });
    const disconnected = new Promise<void>((resolve) => browser.once("disconnected", () => resolve()));
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
      const timeout = start.timeoutMs ?? 30_000;
      const locales = withLocales(
        withDelayedPageLoad(process.devtools.driver, (targetId) => process.devtools.collectHolds(targetId)),
      );
      const { transport: keyless, renew } = withoutSecurityKeys(locales.transport);
      const forms = watchPasswordFields(keyless);
      // Contexts come later than the session that cancels.
      const downloads = watchDownloads(forms.transport, (guid) => cancelEverywhere(session, guid));
      const pages = watchPages(downloads.transport);
      const browser = await chromium.connectOverCDP(pages.transport, {
        artifactsDir: join(process.folder, "artifacts"),
        isLocal: true,
        noDefaults: true,
        timeout,
      });
      const session = await browser.newBrowserCDPSession();
      const watches = { forms, downloads, pages };
      return new SharedBrowser(process, browser, session, renew, watches, locales.setLocale, answerTimeMs);
    } catch (error) {
      await process.end();
      throw new BrowserError("browser-missing", "Chromium started, but did not respond to its driver", {
        cause: error,
      });
    }
  }

  /** False once it was closed, has crashed or was given up. */
  get isAlive(): boolean {
    return !this.#ending && !this.#trust.isLost && this.#browser.isConnected();
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
      const opening = this.#newContext(options);
      const limitMs = hasPatience ? this.#answerTimeMs : pingMs;
      return this.#whileResponsive(opening, "open a session", limitMs).catch((error: unknown) => {
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
      return await this.#whileResponsive(opening, "open a page", pingMs);
    } catch (error) {
      if (error instanceof BrowserError) this.suspect();
      throw error;
    }
  }

  /** Keeps the downloads of a context in a folder; see {@link PooledContext.acceptDownloads}. */
  async acceptDownloads(contextId: string, downloadPath: string, listener: DownloadListener): Promise<void> {
    this.#downloads.follow(contextId, listener);
    const behavior = { behavior: "allowAndName", browserContextId: contextId, downloadPath } as const;
    await this.#withTimeout(this.#devtools.send("Browser.setDownloadBehavior", behavior), "accept downloads");
  }

  /** Cancels a download of a context. */
  cancelDownload(contextId: string, guid: string): void {
    this.#devtools.send("Browser.cancelDownload", { guid, browserContextId: contextId }).catch(() => undefined);
  }

  /** Must be called when a context is closed. */
  forget(contextId: string): void {
    this.passwordFields.forget(contextId);
    this.#downloads.forget(contextId);
    this.pageWatch.forget(contextId);
  }

  /** Closes a context and waits until its browser has disposed of it. */
  async dispose(context: BrowserContext, contextId: string): Promise<void> {
    if (!this.isAlive) return;
    const disposed = this.#withTimeout(context.close(), "close a session").catch(() => {
      // The driver waits for dialogs and downloads of its pages, too; the browser does not.
      const parameters = { browserContextId: contextId };
      return this.#withTimeout(this.#devtools.send("Target.disposeBrowserContext", parameters), "close a session");
    });
    await disposed.catch(() => undefined);
  }

  /** Returns whether the browser still responds; false if it crashed, even if the driver has not noticed yet. */
  async answers(): Promise<boolean> {
    const answered = this.#withTimeout(this.#devtools.send("Browser.getVersion"), "answer").then(() => true);
    return answered.catch(() => this.#isResponsive()).catch(() => false);
  }

  /** Closes it with all of its contexts. Resolves when its processes have ended and its files are removed. */
  async end(): Promise<void> {
    this.#ending = true;
    // On a graceful close Chromium reaps its own child processes; when killed, it leaves them to process 1.
    this.#devtools.send("Browser.close").catch(() => undefined);
    await pTimeout(this.process.exited, { milliseconds: closeTimeoutMs, message: false });
    await this.process.end();
  }

  /** Opens a page of a context of its own, after those contexts that are being opened; resolves with whether it came in time. */
  async #openProbe(): Promise<boolean> {
    const probed = this.#opening.then(() => openProbe(this.#browser, this.#answerTimeMs));
    this.#opening = probed.catch(() => undefined);
    return probed;
  }

  async #whileResponsive<Result>(work: Promise<Result>, what: string, limitMs: number): Promise<Result> {
    const ping = (): Promise<unknown> => this.#devtools.send("Browser.getVersion");
    return whileResponsive(this.#withTimeout(work, what), ping, limitMs, () => {
      this.suspect();
      return new BrowserError("page-failed", `the browser has not responded for ${limitMs / 1000} s to ${what}`);
    });
  }

  async #newContext(options: ContextOptions): Promise<{ context: BrowserContext; contextId: string }> {
    const before = new Set(await this.#allContextIds());
    const context = await this.#browser.newContext({
      viewport: options.viewport ?? { width: 1280, height: 720 },
      locale: options.locale ?? "en-US",
      acceptDownloads: false,
      permissions: [],
      // Without this, Chromium loads what is on loopback by itself.
      ...(options.proxyServer === undefined ? {} : { proxy: { server: options.proxyServer, bypass: "<-loopback>" } }),
    });
    const added = (await this.#allContextIds()).filter((id) => !before.has(id));
    const [contextId] = added;
    if (contextId === undefined || added.length > 1) {
      await context.close();
      throw new BrowserError(
        "page-failed",
        "another client creates browser contexts in this browser; the context of a session can't be identified",
      );
    }
    return { context, contextId };
  }

  async #allContextIds(): Promise<string[]> {
    return (await this.#devtools.send("Target.getBrowserContexts")).browserContextIds;
  }

  /**
   * Adds a timeout to an operation of the browser. It may be slow because of the machine, or because of this one context:
   * only a browser that does not respond to a ping either is killed, as it hangs for all of its contexts.
   */
  async #withTimeout<Result>(work: Promise<Result>, what: string): Promise<Result> {
    const died = new AbortController();
    const forget = this.onExit(() =>
      died.abort(new BrowserError("page-failed", `the browser crashed before it could ${what}`)),
    );
    const onTimeout = async (): Promise<never> => {
      const tooLong = `the browser took more than ${this.#answerTimeMs / 1000} s to ${what}`;
      if (await this.#isResponsive()) throw new BrowserError("page-failed", tooLong);
      void this.process.end();
      throw new BrowserError("page-failed", `${tooLong}, and did not respond for as long; it was killed`);
    };
    try {
      return await pTimeout(work, { milliseconds: this.#answerTimeMs, signal: died.signal, fallback: onTimeout });
    } finally {
      forget();
    }
  }

  /** Pings the browser. Only after the timeout: this process may not have read earlier responses yet. */
  async #isResponsive(): Promise<boolean> {
    const word = this.#devtools.send("Browser.getVersion").then(() => true);
    return pTimeout(word, { milliseconds: this.#answerTimeMs, fallback: () => false });
  }
}

class OpenedContext implements PooledContext {
  readonly context: BrowserContext;
  readonly contextId: string;
  readonly browserPid: number;
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

  get passwordFields(): ReadonlySet<string> {
    return this.#browser.passwordFields.listFields(this.contextId);
  }

  watchPages(listener: PageEventListener): void {
    this.#browser.pageWatch.watch(this.contextId, listener);
  }

  async newPage(prepare: () => Promise<unknown>): Promise<Page> {
    return this.#browser.newPage(this.context, prepare);
  }

  suspectBrowser(): void {
    this.#browser.suspect();
  }

  async setLocale(locale: string | undefined): Promise<string | undefined> {
    return this.#browser.isAlive ? this.#browser.setLocale(this.contextId, locale) : undefined;
  }

  async acceptDownloads(folder: string, listener: DownloadListener): Promise<void> {
    await this.#browser.acceptDownloads(this.contextId, folder, listener);
  }

  cancelDownload(guid: string): void {
    if (this.#browser.isAlive) this.#browser.cancelDownload(this.contextId, guid);
  }

  blockSecurityKeys(): void {
    if (this.#browser.isAlive) this.#browser.blockSecurityKeys(this.contextId);
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
