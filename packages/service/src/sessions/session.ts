import {
  ActivePage,
  type PooledContext,
  collectGarbage,
  installPagePolicy,
  onConsoleFlood,
  onPageCrash,
  PageTargets,
} from "@cloud-browser/browsers";
import type { Clock } from "@cloud-browser/recorder";
import type { SessionFiles } from "../files/session-files.ts";
import type { EndReason } from "../storage/session-store.ts";
import { ControlLease } from "./control/control-lease.ts";
import { Deadlines } from "./deadlines.ts";
import { FailedDocuments } from "./documents/failed-documents.ts";
import { MadeTokens } from "./made-tokens.ts";
import { SeenOrigins } from "./documents/seen-origins.ts";
import { noPage, readTitleInTime, type PageInfo } from "./page-info.ts";
import { SessionClipboard } from "./session-clipboard.ts";
import type { SessionParts, SessionRecorder } from "./session-parts.ts";
import { SessionHistory } from "../timeline/session-history.ts";
import { SessionViewers } from "./session-viewers.ts";
import { redactPageAddress } from "./shown-address.ts";

/** Longest time from the end of a renderer process to the crash of its pages on a busy machine, in milliseconds. */
const crashDelayMs = 5_000;

/** Most clients that drive one session at a time: each has sessions of its own with every page, and is sent all that happens there. */
export const clientLimit = 16;

/** A session that is open: a context of a browser, the page that it is on, and the limits of its life. */
export class Session {
  /** Its id, a UUID. */
  readonly id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly createdMs: number;
  /** Name of the key that created it; null for the key that the service was started with. */
  readonly key: string | null;
  /** Its own browser. */
  readonly pooledContext: PooledContext;
  /** Its files; undefined when none are kept. */
  readonly files: SessionFiles | undefined;
  /** The page that it is on. */
  readonly activePage: ActivePage;
  /** Origins of what its pages have shown. */
  readonly seenOrigins: SeenOrigins;
  /** Documents of its pages that could not be had. */
  readonly failedDocuments: FailedDocuments;
  /** History of the session. */
  readonly history: SessionHistory;
  /** How long it may live, in milliseconds. */
  readonly limits: SessionParts["limits"];
  readonly #clock: Clock;
  /** Its clipboard. */
  readonly clipboard = new SessionClipboard();
  /** Tokens that were made for it. */
  readonly tokens = new MadeTokens();
  /** Who steers it: the program or a person. */
  readonly control: ControlLease;
  readonly #deadlines: Deadlines;
  readonly #onEnd: SessionParts["onEnd"];
  readonly #clients = new Set<() => void>();
  readonly #viewers = new SessionViewers(() => this.#deadlines.use());
  #recorder: SessionRecorder | undefined;
  #beforeClose: ((reason: EndReason) => Promise<void>) | undefined;
  #ending: Promise<void> | undefined;
  readonly #ended = Promise.withResolvers<void>();
  #pageTargets: PageTargets | undefined;
  #reads = 0;
  #lastReadMs = -Infinity;
  #killedMs = -Infinity;
  #dialogHolds = 0;

  constructor({ id, createdMs, key, pooledContext: pooled, files, clock, limits, ...parts }: SessionParts) {
    this.id = id;
    this.createdMs = createdMs;
    this.key = key;
    this.pooledContext = pooled;
    this.files = files;
    this.limits = limits;
    this.activePage = new ActivePage(pooled.context);
    this.seenOrigins = new SeenOrigins(pooled.context);
    this.failedDocuments = new FailedDocuments(pooled.context);
    const withoutSecrets = (address: string): string => redactPageAddress(address, pooled.passwordFields);
    this.history = new SessionHistory(pooled, withoutSecrets, clock.now() - createdMs, parts.onEntry);
    this.#clock = clock;
    this.#onEnd = parts.onEnd;
    this.control = new ControlLease({ clock, graceMs: parts.graceMs, onChange: parts.onSteering });
    this.#deadlines = new Deadlines(parts.monotonic, limits, (why) => void this.end(why));
    installPagePolicy(pooled.context, () => this.#clients.size > 0 || this.#viewers.mayAct || this.#dialogHolds > 0);
    collectGarbage(pooled.context);
    onPageCrash(pooled.context, () => void this.end(this.#crashReason));
    onConsoleFlood(pooled.context, () => void this.end("flood"));
    void pooled.flooded.then(() => this.end("flood"));
    void pooled.lost.then((how) => {
      if (how === "crashed") void this.end("browser-crashed");
    });
  }

  /** True when its end has begun. */
  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Resolves when its end is complete, and never before; never rejects. */
  get whenEnded(): Promise<void> {
    return this.#ended.promise;
  }

  /** Its pages by their CDP target ids; made when the first client asks. */
  get pageTargets(): PageTargets {
    this.#pageTargets ??= new PageTargets(this.pooledContext.context);
    return this.#pageTargets;
  }

  /** True while the service reads its page: a large one does not respond to others meanwhile. */
  get isBeingRead(): boolean {
    return this.#reads > 0;
  }

  /** When its page was last read with success, in milliseconds of the monotonic clock; -Infinity before. */
  get lastReadMs(): number {
    return this.#lastReadMs;
  }

  /** Notes that a process of its browser was killed as it used too much memory: if that was one of its pages, it ends for that reason. */
  noteKill(): void {
    this.#killedMs = performance.now();
  }

  get #crashReason(): EndReason {
    return performance.now() - this.#killedMs < crashDelayMs ? "memory" : "page-crashed";
  }

  /** Runs work that reads the page; `isBeingRead` is true meanwhile. */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#reads += 1;
    try {
      const result = await work();
      this.#lastReadMs = performance.now();
      return result;
    } finally {
      this.#reads -= 1;
    }
  }

  /** From now on it is recorded; not when it has ended before that began. */
  async recordWith(recorder: SessionRecorder): Promise<void> {
    if (this.hasEnded) await recorder.end();
    else {
      this.#recorder = recorder;
      this.history.timeline.keepWith((line) => recorder.note(line));
    }
  }

  /** Sets what is done at its end, once its clients are gone and before its context is closed; at once when it has ended. It may not reject. */
  async beforeClose(work: (reason: EndReason) => Promise<void>): Promise<void> {
    if (this.hasEnded) await work("requested");
    else this.#beforeClose = work;
  }

  /** Shows its screen: the newest picture at once, and each that comes. */
  watch(listener: (jpeg: Uint8Array) => void): () => void {
    const leave = this.#viewers.add();
    const forget = this.#recorder?.watch(listener);
    return () => {
      leave();
      forget?.();
    };
  }

  /**
   * A live socket opens.
   *
   * @param mayAct - True when it may act on the pages: dialogs then wait for its answer, as for that of a client that drives.
   * @param disconnect - Called when the session ends, with the reason.
   * @returns A function to call when the socket is closed.
   * @throws {ServiceError} `busy` when the session has 16 viewers.
   */
  addSocket(mayAct: boolean, disconnect: (reason: EndReason) => void): () => void {
    return this.#viewers.addSocket(mayAct, disconnect);
  }

  /** How many viewers it has. */
  get viewers(): number {
    return this.#viewers.count;
  }

  /** A client takes a screenshot: what shows meanwhile is not recorded. Returns a function to be called when it has it. */
  holdForScreenshot(kind: "all" | "resized"): () => void {
    return this.#recorder?.holdForScreenshot(kind) ?? (() => {});
  }

  /** Notes that its first page is there: restarts the idle timer, and makes the recording sample more often. */
  noteOpened(): void {
    this.#deadlines.touch();
    this.#recorder?.onActivity();
  }

  /** Notes an action of a client: it is used, the idle timer restarts, and the recording samples more often. */
  noteAction(): void {
    this.#deadlines.use();
    this.noteOpened();
  }

  /** Notes a read, which changes nothing on the page: it is used, and the idle timer restarts. */
  touch(): void {
    this.#deadlines.use();
    this.#deadlines.touch();
  }

  /** Keeps its idle limit from being reached: somebody is waited for. Returns a function that ends it. */
  holdIdle(): () => void {
    return this.#deadlines.hold();
  }

  /** Somebody answers the dialogs of its pages: nobody else does at once. Returns a function that ends it. */
  holdDialogs(): () => void {
    this.#dialogHolds += 1;
    return () => void (this.#dialogHolds -= 1);
  }

  /** How many clients drive it. */
  get clients(): number {
    return this.#clients.size;
  }

  /**
   * A client drives it.
   *
   * @param disconnect - Called when the session ends.
   * @returns A function to call when the client has disconnected.
   */
  addClient(disconnect: () => void): () => void {
    this.#clients.add(disconnect);
    return () => this.#clients.delete(disconnect);
  }

  /** Where its page is now; within a second, even when the page does not answer. */
  async readPageInfo(): Promise<PageInfo> {
    const page = this.activePage.current;
    return page ? { url: this.readAddress(page), title: await readTitleInTime(page) } : noPage;
  }

  /** Returns the address of a page, by default the one that it is on, without secrets; null when there is none. */
  readAddress(page = this.activePage.current): string | null {
    return page ? redactPageAddress(page.url(), this.pooledContext.passwordFields) : null;
  }

  /** Ends it: its recording stops, its clients go, its context is closed. The first reason counts; every call waits for the same end, and none fails. */
  end(reason: EndReason): Promise<void> {
    this.#ending ??= this.#end(reason).finally(() => this.#ended.resolve());
    return this.#ending;
  }

  async #end(reason: EndReason): Promise<void> {
    this.#deadlines.stop();
    const faults: unknown[] = [];
    // Its pages are heard no more, and each moment of theirs is at the cost of others.
    const isFlood = reason === "flood";
    const page = isFlood
      ? { url: this.readAddress(), title: null }
      : await this.readPageInfo().catch((error: unknown) => {
          faults.push(error);
          return noPage;
        });
    this.history.end(reason);
    if (isFlood) await this.pooledContext.close().catch((error: unknown) => faults.push(error));
    await this.#recorder?.end().catch((error: unknown) => faults.push(error));
    for (const disconnect of this.#clients) disconnect();
    this.#viewers.disconnect(reason);
    this.tokens.close();
    this.control.close();
    await this.files?.end();
    const endedMs = this.#clock.now();
    await this.#beforeClose?.(reason);
    await this.pooledContext.close().catch((error: unknown) => faults.push(error));
    await this.#onEnd(reason, page, faults, endedMs);
  }
}
