import { join } from "node:path";
import pTimeout from "p-timeout";
import { chromium, type Browser, type BrowserContext, type CDPSession } from "playwright-core";
import { BrowserError } from "../browser-error.ts";
import type { BrowserSpace, SpaceOptions } from "./browser-space.ts";
import { startChromium, type ChromiumProcess, type ChromiumStart } from "../chromium/chromium-process.ts";
import type { OpenChannel } from "../devtools/devtools-channel.ts";
import { withLocales, type LocaleConnection } from "./locales.ts";
import { browserMemory, type BrowserMemory } from "../chromium/process-memory.ts";
import { withPageStarts } from "./page-starts.ts";
import { watchPasswordFields, type WatchedForms } from "./password-fields.ts";
import { withoutSecurityKeys, type KeylessConnection } from "./security-keys.ts";

/** How long a browser may take to open or to close one space before it is asked whether it hangs, and then to answer, in milliseconds. */
const usualAnswerTimeMs = 20_000;

/** How long a browser may take to close by itself before it is killed, in milliseconds. */
const closeTimeMs = 1000;

/**
 * One Chromium that holds several spaces, with the driver that is connected to it.
 */
export class SharedBrowser {
  /** The processes. */
  readonly process: ChromiumProcess;
  /** Resolves when the browser is of no more use: it was ended by this process, or it died. */
  readonly gone: Promise<"ended" | "died">;
  /** Has to be called for a context when sessions that another connection had with its pages have ended. */
  readonly keepFromSecurityKeys: (contextId: string) => void;
  /** Password fields of its pages. */
  readonly forms: WatchedForms;
  /** Changes the locale of a context's pages; undefined: back to that of its space. Returns what the browser has against it. */
  readonly setLocale: LocaleConnection["setLocale"];
  readonly #browser: Browser;
  readonly #devtools: CDPSession;
  readonly #answerTimeMs: number;
  #goneHow: "ended" | "died" | undefined;
  readonly #goneListeners = new Set<(how: "ended" | "died") => void>();
  #opening: Promise<unknown> = Promise.resolve();
  #ending = false;

  private constructor(
    process: ChromiumProcess,
    browser: Browser,
    devtools: CDPSession,
    renew: KeylessConnection["renew"],
    forms: WatchedForms,
    setLocale: LocaleConnection["setLocale"],
    answerTimeMs: number,
  ) {
    this.process = process;
    this.#answerTimeMs = answerTimeMs;
    this.forms = forms;
    this.keepFromSecurityKeys = renew;
    this.setLocale = setLocale;
    this.#browser = browser;
    this.#devtools = devtools;
    const disconnected = new Promise<void>((resolve) => browser.once("disconnected", () => resolve()));
    this.gone = Promise.race([process.exited, disconnected]).then(() => (this.#ending ? "ended" : "died"));
    void this.gone.then((how) => {
      // Whatever the browser process left behind goes with it.
      void process.end();
      this.#goneHow = how;
      for (const tell of this.#goneListeners) tell(how);
    });
  }

  /**
   * Starts one.
   *
   * @param answerTimeMs - How long it may take to open or to close a space, and then to give a sign of life, in milliseconds.
   * @throws {BrowserError} `browser-missing` when it does not come up.
   */
  static async start(start: ChromiumStart, answerTimeMs = usualAnswerTimeMs): Promise<SharedBrowser> {
    const process = await startChromium(start);
    try {
      const timeout = start.timeoutMs ?? 30_000;
      const locales = withLocales(withPageStarts(process.devtools.driver));
      const { transport: keyless, renew } = withoutSecurityKeys(locales.transport);
      const forms = watchPasswordFields(keyless);
      const browser = await chromium.connectOverCDP(forms.transport, {
        artifactsDir: join(process.folder, "artifacts"),
        isLocal: true,
        noDefaults: true,
        timeout,
      });
      const session = await browser.newBrowserCDPSession();
      return new SharedBrowser(process, browser, session, renew, forms, locales.setLocale, answerTimeMs);
    } catch (error) {
      await process.end();
      throw new BrowserError("browser-missing", "Chromium started, but did not answer its driver.", { cause: error });
    }
  }

  /** False once it was ended or has died. */
  get isAlive(): boolean {
    return !this.#ending && this.#browser.isConnected();
  }

  /**
   * Tells when it is gone, at once when it is; returns a function that ends that. Each space has to end it: what waits for
   * the promise instead is kept for as long as the browser lives.
   */
  onGone(tell: (how: "ended" | "died") => void): () => void {
    if (this.#goneHow) tell(this.#goneHow);
    this.#goneListeners.add(tell);
    return () => this.#goneListeners.delete(tell);
  }

  /** Memory of its processes. Undefined where the platform does not tell. */
  async memory(): Promise<BrowserMemory | undefined> {
    return browserMemory(this.process.pid);
  }

  /**
   * Opens a space in it.
   *
   * @throws {BrowserError} `page-failed` when the browser died, hangs, or takes too long; only one that hangs is killed.
   */
  async open(options: SpaceOptions): Promise<BrowserSpace> {
    // One after the other: the id of a new context is the one that was not there before.
    const opened = this.#opening.then(() => {
      const opening = this.#newContext(options);
      return this.#inTime(opening, "open a session").catch((error: unknown) => {
        // One that comes all the same is nobody's.
        void opening.then(({ context }) => context.close()).catch(() => undefined);
        throw error;
      });
    });
    this.#opening = opened.catch(() => undefined);
    const { context, contextId } = await opened;
    return new Space(this, context, contextId);
  }

  /** Ends a context and waits until its browser has forgotten it. */
  async dispose(context: BrowserContext, contextId: string): Promise<void> {
    if (!this.isAlive) return;
    const disposed = this.#inTime(context.close(), "close a session").catch(() => {
      // The driver waits for dialogs and downloads of its pages, too; the browser does not.
      const parameters = { browserContextId: contextId };
      return this.#inTime(this.#devtools.send("Target.disposeBrowserContext", parameters), "close a session");
    });
    await disposed.catch(() => undefined);
  }

  /** Tells whether the browser still answers; false when it died, even if the driver has not noticed yet. */
  async answers(): Promise<boolean> {
    const answered = this.#inTime(this.#devtools.send("Browser.getVersion"), "answer").then(() => true);
    return answered.catch(() => this.#saysAWord()).catch(() => false);
  }

  /** Ends it with all of its spaces. Resolves when no process and no file of it is left. */
  async end(): Promise<void> {
    this.#ending = true;
    // Chromium waits for its own children when it is asked to close; killed, it leaves them to process 1 to be reaped.
    this.#devtools.send("Browser.close").catch(() => undefined);
    await pTimeout(this.process.exited, { milliseconds: closeTimeMs, message: false });
    await this.process.end();
  }

  async #newContext(options: SpaceOptions): Promise<{ context: BrowserContext; contextId: string }> {
    const before = new Set(await this.#allContextIds());
    const context = await this.#browser.newContext({
      viewport: options.viewport ?? { width: 1280, height: 720 },
      locale: options.locale ?? "en-US",
      acceptDownloads: false,
      permissions: [],
    });
    const added = (await this.#allContextIds()).filter((id) => !before.has(id));
    const [contextId] = added;
    if (contextId === undefined || added.length > 1) {
      await context.close();
      throw new BrowserError(
        "page-failed",
        "Another client creates browser contexts in this browser; the context of a session can't be identified.",
      );
    }
    return { context, contextId };
  }

  async #allContextIds(): Promise<string[]> {
    return (await this.#devtools.send("Target.getBrowserContexts")).browserContextIds;
  }

  /**
   * Bounds what is done in the browser. What takes too long there may do so because the machine is slow, or because of this one space:
   * only a browser that does not say a word either is ended, for it hangs for all of its spaces.
   */
  async #inTime<Result>(work: Promise<Result>, what: string): Promise<Result> {
    const died = new AbortController();
    const forget = this.onGone(() =>
      died.abort(new BrowserError("page-failed", `The browser died before it could ${what}.`)),
    );
    const onTimeout = async (): Promise<never> => {
      const tooLong = `The browser took more than ${this.#answerTimeMs / 1000} s to ${what}`;
      if (await this.#saysAWord()) throw new BrowserError("page-failed", `${tooLong}.`);
      void this.process.end();
      throw new BrowserError("page-failed", `${tooLong}, and did not answer for as long; it was ended.`);
    };
    try {
      return await pTimeout(work, { milliseconds: this.#answerTimeMs, signal: died.signal, fallback: onTimeout });
    } finally {
      forget();
    }
  }

  /** Asks for a sign of life. Only now: what this process was asked before it may not have come to read itself. */
  async #saysAWord(): Promise<boolean> {
    const word = this.#devtools.send("Browser.getVersion").then(() => true);
    return pTimeout(word, { milliseconds: this.#answerTimeMs, fallback: () => false });
  }
}

class Space implements BrowserSpace {
  readonly context: BrowserContext;
  readonly contextId: string;
  readonly browserPid: number;
  readonly openChannel: OpenChannel;
  readonly flooded: Promise<void>;
  readonly lost: Promise<"closed" | "crashed">;
  readonly #browser: SharedBrowser;
  readonly #settle: (how: "closed" | "crashed") => void;
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
    this.#settle = lost.resolve;
    const forget = browser.onGone((how) => lost.resolve(how === "ended" ? "closed" : "crashed"));
    void this.lost.then(() => {
      forget();
      endMeter();
      browser.forms.forget(contextId);
    });
    // A context closes when somebody closes it through the driver, and also when its browser dies.
    context.once("close", () => void this.#closedByDriver());
  }

  get passwordFields(): ReadonlySet<string> {
    return this.#browser.forms.fieldsOf(this.contextId);
  }

  async setLocale(locale: string | undefined): Promise<string | undefined> {
    return this.#browser.isAlive ? this.#browser.setLocale(this.contextId, locale) : undefined;
  }

  keepFromSecurityKeys(): void {
    if (this.#browser.isAlive) this.#browser.keepFromSecurityKeys(this.contextId);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#browser.dispose(this.context, this.contextId);
    await this.#closing;
    this.#settle("closed");
  }

  async #closedByDriver(): Promise<void> {
    if (!this.#closing && (await this.#browser.answers())) await this.close();
  }
}
