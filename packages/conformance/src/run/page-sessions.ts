import { setTimeout as pause } from "node:timers/promises";
import type { Probe, SendMore } from "../http/probe.ts";
import type { Exchange } from "../http/exchange.ts";
import { SuiteError } from "../http/suite-error.ts";
import {
  endOpenSession,
  endsSessions,
  givesNoEndedSession,
  noWayToEnd,
  noWayToOpen,
  openSessionOn,
  opensPages,
} from "./session-hooks.ts";
import type { Target } from "../target/target.ts";
import { FixtureSite } from "../site/fixture-site.ts";
import {
  defaultPageTimeouts,
  notYetOpened,
  pageNames,
  type OpenedPages,
  type OpenedSession,
  type PageName,
  type PageTimeouts,
} from "../target/opened-pages.ts";
import { DecodedFilms } from "./decoded-films.ts";
import { pollReplay } from "./await-replay.ts";
import { beforeChangeProbe, findPage } from "../checks/pages/page-probes.ts";
import { otherRecordingProbe, recordingReadProbe } from "../checks/replay/recording/recording-probe.ts";
import type { Film } from "../target/recorded-frames.ts";

/** Options of opening sessions on the fixture site. */
export interface PageSessionsOptions {
  /** Ids of the probes that will be sent: sessions are opened for no others. */
  readonly probes: readonly string[];
  /** Aborts the wait for sessions and recordings. */
  readonly signal?: AbortSignal | undefined;
  /** Redacts the secrets in a message. */
  readonly redact: (text: string) => string;
  /** Called before something that takes long and sends no request. Default: nothing. */
  readonly onActivity?: (what: string) => void;
  /** Time limits of pages. Default: seconds, as the fields say. */
  readonly pageTimeouts?: Partial<PageTimeouts> | undefined;
}

/** The sessions of one run that are on pages of the fixture site. Opens each when it is needed, and ends all of them. */
export class PageSessions implements AsyncDisposable {
  /** The target, with what its checks need to know of the pages; the ids are right once the sessions are open. */
  readonly target: Target;
  readonly #baseTarget: Target;
  readonly #options: PageSessionsOptions;
  readonly #timeouts: PageTimeouts;
  readonly #pages: readonly PageName[];
  /** True when the session that the suite ends is also used as the ended session, because none was given. */
  readonly #providesEndedSession: boolean;
  /** True when a session that the suite opens is also used as the open session, because none was given. */
  readonly #providesOpenSession: boolean;
  readonly #ids = new Map<PageName, string>();
  readonly #ended = new Set<PageName>();
  #hasChanged = false;
  #recordedMs: number | undefined;
  /** The recorded session until it has ended, with what went wrong. It goes on while requests are sent. */
  #recording: Promise<{ readonly error?: unknown }> | undefined;
  readonly #stop = new AbortController();
  readonly #films = new DecodedFilms();
  #site: FixtureSite | undefined;

  private constructor(baseTarget: Target, options: PageSessionsOptions, site: FixtureSite | undefined) {
    this.#baseTarget = baseTarget;
    this.#options = options;
    this.#timeouts = { ...defaultPageTimeouts, ...options.pageTimeouts };
    this.#site = site;
    this.#providesEndedSession = site !== undefined && endsSessions(baseTarget) && givesNoEndedSession(baseTarget);
    this.#providesOpenSession = site !== undefined && baseTarget.sessionId === notYetOpened;
    const needed = new Set(options.probes.map((probe) => this.#pageFor(probe)));
    if (this.#providesOpenSession) needed.add(openPage);
    this.#pages = site ? pageNames.filter((page) => needed.has(page)) : [];
    this.target = this.#described();
  }

  /**
   * Starts the fixture site, unless no session is needed or none can be opened. Opens no session yet.
   *
   * @throws {SuiteError} `usage` when the site can't be served.
   */
  static async prepare(target: Target, options: PageSessionsOptions): Promise<PageSessions> {
    const needed = opensPages(target) && !target.lacks.has("opens-pages");
    const { change } = { ...defaultPageTimeouts, ...options.pageTimeouts };
    const site = needed ? await FixtureSite.start(target.siteHost, change) : undefined;
    return new PageSessions(target, options, site);
  }

  /** Texts that no report may show: each is in the values of all cookies of a page. */
  get secrets(): readonly string[] {
    return this.#pages.flatMap((page) => this.#site?.findSecret(page) ?? []);
  }

  /** The sessions that were opened, in their order. */
  get opened(): readonly OpenedSession[] {
    return [...this.#ids].map(([page, sessionId]) => ({ page, sessionId, ended: this.#ended.has(page) }));
  }

  /**
   * Opens the sessions one after the other. The one that is recorded is ended in its time, whatever is done meanwhile: see `recorded`.
   *
   * @throws {SuiteError} `session-failed` when a session can't be opened, or no browser comes for its page.
   */
  async open(send: SendMore): Promise<void> {
    if (!this.#site) return;
    // The page that is recorded is the first one: it moves while the others are opened.
    const pages = this.#pages.toSorted((one, other) => Number(other === "recording") - Number(one === "recording"));
    try {
      for (const page of pages) {
        if (this.#options.signal?.aborted) return;
        this.#options.onActivity?.(`opening a session on the ${page} page`);
        const opening = performance.now();
        await this.#openOn(page, this.#site);
        if (page === "recording" && endsSessions(this.#baseTarget)) this.#recording = this.#record(opening);
        if (page === "almanac") await send(beforeChangeProbe); // a service that keeps what it has scraped would give it again
      }
      this.#options.onActivity?.("waiting for a page that changes");
      await this.#waitForChange(this.#site);
    } catch (error) {
      if (this.#options.signal?.aborted) return; // the run is over, and the report tells so
      throw error;
    }
  }

  /**
   * Waits until the recorded session has ended, and its recording is ready; does not wait where none is recorded.
   *
   * @throws {SuiteError} `session-failed` when it can't be ended.
   */
  async awaitRecording(send: SendMore): Promise<void> {
    if (!this.#recording) return;
    this.#options.onActivity?.("recording a session");
    const { error } = await this.#recording;
    if (this.#options.signal?.aborted) return;
    if (error !== undefined) throw error;
    await this.#waitForRecording(send);
  }

  /** Leaves the session open for its time, and ends it. Never throws. */
  async #record(opening: number): Promise<{ readonly error?: unknown }> {
    try {
      await this.#sleep(this.#timeouts.recording);
      await this.#end("recording");
      this.#recordedMs = performance.now() - opening;
      return {};
    } catch (error) {
      return { error };
    }
  }

  /** Ends the session on the product page, and reads its replay once it is ready; undefined when there is none. */
  async readOther(send: SendMore): Promise<Exchange | undefined> {
    if (!this.#ids.has("product") || !this.#ended.has("recording")) return undefined;
    await this.#end("product").catch(() => {});
    if (!this.#ended.has("product")) return undefined;
    const ready = await this.#waitForRecording(send, otherRecordingProbe);
    return ready?.response?.status === 200 ? send(otherRecordingProbe) : undefined;
  }

  /**
   * Decodes a recording, if ffmpeg is available.
   *
   * @param ffmpeg - Path of the program; false: the pictures are not decoded.
   */
  async readFrames(film: Film, mp4: Uint8Array | undefined, ffmpeg: string | false | undefined): Promise<void> {
    if (!mp4) return;
    this.#options.onActivity?.("decoding the recording");
    await this.#films.readFrames(film, mp4, ffmpeg);
  }

  async #waitForChange(site: FixtureSite): Promise<void> {
    const { change, load } = this.#timeouts;
    if (this.#ids.has("almanac")) this.#hasChanged = await site.hasChanged(change + load);
  }

  /** Ends the sessions that are still open, if there is a way to do so. A failure is ignored, since it does not affect the results. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#recording;
    for (const page of this.#ids.keys()) {
      if (!this.#ended.has(page)) await this.#end(page).catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.#site?.[Symbol.asyncDispose]();
    this.#site = undefined;
  }

  /** Returns the target with its pages. Session ids are looked up on use, because requests are planned before the sessions are open. */
  #described(): Target {
    const baseTarget = this.#baseTarget;
    const site = this.#site;
    const lacks = new Map(baseTarget.lacks);
    if (!site) {
      const reason = baseTarget.kind === "mock" ? "The mock can't open pages." : noWayToOpen;
      lacks.set("opens-pages", lacks.get("opens-pages") ?? reason);
    }
    if (!site || !endsSessions(baseTarget)) {
      const reason = site ? noWayToEnd : (lacks.get("opens-pages") ?? noWayToOpen);
      lacks.set("ends-sessions", lacks.get("ends-sessions") ?? reason);
    }
    if (!site) return { ...baseTarget, lacks };
    if (this.#providesEndedSession) lacks.delete("ended-session");
    if (this.#providesOpenSession) lacks.delete("open-session");
    const findId = (page: PageName): string => this.#ids.get(page) ?? notYetOpened;
    const open = (): string => (this.#providesOpenSession ? findId(openPage) : baseTarget.sessionId);
    const findEndedId = (): string => (this.#providesEndedSession ? findId("recording") : baseTarget.endedSessionId);
    const pages: OpenedPages = {
      findSession: findId,
      findAddress: (page) => site.findAddress(page),
      readSource: (page) => site.readSource(page),
      listCookies: (page) => site.listCookies(page),
      sharesCookies: () => site.sharesCookies,
      host: site.host,
      hasChanged: () => this.#hasChanged,
      recordingMark: site.mark,
      recordedMs: () => this.#recordedMs,
      frames: (film = "recorded") => this.#films.of(film),
    };
    return {
      ...baseTarget,
      lacks,
      pages,
      get sessionId() {
        return open();
      },
      get endedSessionId() {
        return findEndedId();
      },
    };
  }

  #pageFor(probe: string): PageName | undefined {
    return this.#providesEndedSession && probe.startsWith("replay/") ? "recording" : findPage(probe);
  }

  async #openOn(page: PageName, site: FixtureSite): Promise<void> {
    const url = site.findEntrance(page);
    const { redact, signal } = this.#options;
    const id = await openSessionOn(this.#baseTarget, url, { redact, signal });
    this.#ids.set(page, id);
    if (!(await site.wasRequested(page, this.#timeouts.request))) {
      const advice =
        "if the browser runs on another machine, set --site-host to an address of this machine that it can reach";
      const quote = redact(JSON.stringify(id.slice(0, 80)));
      throw new SuiteError(
        "session-failed",
        `the session ${quote} was opened, but its browser did not request ${url}; ${advice}`,
      );
    }
    await site.hasLoaded(page, this.#timeouts.load);
  }

  async #end(page: PageName): Promise<void> {
    const id = this.#ids.get(page);
    if (id === undefined || !(await endOpenSession(this.#baseTarget, id, this.#options))) return;
    this.#ended.add(page);
  }

  /** Waits until the recording can be read. The interface does not state how long it takes, so no other status than 200 is a fault meanwhile. */
  async #waitForRecording(send: SendMore, read: Probe = recordingReadProbe): Promise<Exchange | undefined> {
    const name = read === recordingReadProbe ? "recording/wait" : "recording/wait-other";
    return pollReplay((attempt) => ({ ...read, id: `${name}-${attempt}`, expects: "open" }), {
      send,
      waitMs: this.#timeouts.recordingReady,
      signal: this.#options.signal,
    });
  }

  async #sleep(ms: number): Promise<void> {
    const { signal } = this.#options;
    const either = AbortSignal.any([this.#stop.signal, ...(signal ? [signal] : [])]);
    await pause(ms, undefined, { signal: either }).catch(() => {});
  }
}

/** The page whose session is the open one where none was given: it has text, links, images and cookies of every kind, and stays as it is. */
const openPage: PageName = "article";
