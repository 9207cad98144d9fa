import { randomUUID } from "node:crypto";
import { BrowserError, type ActivePage, type ContextOptions, type PooledContext } from "@cloud-browser/browsers";
import { adviceOnStorage, type Clock, describeStorageError } from "@cloud-browser/recorder";
import type { Page } from "playwright-core";
import type { MonotonicClock } from "../monotonic-clock.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { SessionFiles } from "../files/session-files.ts";
import type { EndReason, SessionStore } from "../storage/session-store.ts";
import { KeptSlot, type Permit } from "../semaphore.ts";
import type { TimelineEntry } from "../timeline/timeline-event.ts";
import { ServiceError, findServiceError } from "../service-error.ts";
import type { SteeringEvent } from "./control/steering-events.ts";
import { openFirstPage } from "./first-page.ts";
import { LostBrowser } from "./lost-browser.ts";
import { Session, type PageInfo, type SessionRecorder } from "./session.ts";
import { defaultViewport, type SessionOptions, type SessionProxy } from "./session-options.ts";
import { setCookies } from "./start-cookies.ts";

/** Session that can be recorded. */
export interface Recordable {
  /** Id of the session. */
  readonly id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Its browser. */
  readonly context: PooledContext["context"];
  /** The page that it is on. */
  readonly activePage: ActivePage;
  /** Size of its pages, in CSS pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** How long its recording is kept, in milliseconds. Default: as long as all others. */
  readonly retentionMs?: number;
}

/** Limits of all sessions. */
export interface SessionLimits {
  /** Most sessions at a time. */
  readonly count: number;
  /** Default idle limit of a session, in milliseconds. */
  readonly idleMs: number;
  /** How long a session may be open before it is used for the first time, in milliseconds, where it names no idle limit. */
  readonly unusedMs: number;
  /** Longest life, in milliseconds; a session may ask for less. */
  readonly totalMs: number;
  /** How long recordings are kept after the end of their sessions, in milliseconds; a session may ask for less. */
  readonly recordingMs: number;
  /** Most memory of one session, in bytes. */
  readonly memoryBytes: number;
  /** How long a person who is disconnected keeps the control of a session, in milliseconds. */
  readonly graceMs: number;
}

/** Dependencies of the creation of a session. */
export interface CreationParts {
  /** Opens a context of a browser. */
  readonly openContext: (options: ContextOptions, proxy?: SessionProxy) => Promise<PooledContext>;
  /** Begins to record. */
  readonly record: (what: Recordable) => Promise<SessionRecorder>;
  /** Throws when a page may not be opened there. */
  readonly checkUrl: (url: URL, proxy?: SessionProxy) => Promise<void>;
  /** True when the proxy of a session may resolve names. Default: it may not. */
  readonly allowsProxyDns?: boolean;
  /** Keeps what sessions there were. */
  readonly records: SessionStore;
  /** Profiles that sessions begin with. */
  readonly profiles: Pick<Profiles, "check" | "begin">;
  /** Returns the current time. */
  readonly clock: Clock;
  /** Clock that their limits are measured by. */
  readonly monotonic: MonotonicClock;
  /** How many, how long. */
  readonly limits: SessionLimits;
  /** Called when a session has ended, with errors on the way, for the log. */
  readonly onEnd?: (id: string, reason: EndReason, faults: readonly unknown[]) => void;
  /** Resolves when what was recorded of a session is safe, or that takes too long. Default: it is at once. */
  readonly secure?: (id: string) => Promise<void>;
  /** Called with each change about who steers a session. */
  readonly onSteering?: (event: SteeringEvent) => void;
  /** Opens the files of a session, which are kept for so many milliseconds after its end. Default: none are kept. */
  readonly openFiles?: (id: string, keptMs: number) => SessionFiles;
  /** Called when a session is gone, with its pages. */
  readonly closeFiles?: (id: string) => Promise<void>;
  /** Called with each entry of the timeline of a session. */
  readonly onEntry?: (entry: TimelineEntry) => void;
  /** Called with the name of its key when a session was created, is on another page, and when its end is written. */
  readonly onChange?: (key: string | null) => void;
  /** Called when a session was created and its record is written. */
  readonly onBegin?: (id: string) => void;
}

/** How many browsers are tried for a session. */
const maxTries = 3;

const blankPage = "about:blank";

/** Time from a navigation until its page has a title, in milliseconds. */
const titleMs = 1_500;

/** Creates sessions: a context of a browser, a record, a recorder and the first page. A session that can't be created leaves nothing of itself. */
export class SessionCreator {
  readonly #parts: CreationParts;
  /** Those that are open, by their ids; it adds those that it creates, and removes those that have ended. */
  readonly #sessions: Map<string, Session>;
  #isClosed = false;

  constructor(parts: CreationParts, sessions: Map<string, Session>) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  /** Creates none from now on; those that are being created are refused. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Creates a session, on its first page.
   *
   * @param permit - Its slot, which is released with its end, or when it can't be created.
   * @param key - Name of the key that it belongs to; null: the key that the service was started with.
   * @param signal - Aborts the creation.
   * @throws {ServiceError} As `Sessions.create`.
   */
  async create(
    options: SessionOptions,
    permit: Permit,
    key: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Session> {
    for (let tries = 1; ; tries += 1) {
      const slot = new KeptSlot(permit);
      try {
        const session = await this.#attempt(options, slot, key, signal);
        slot.handOver();
        return session;
      } catch (error) {
        const isAborted = this.#isClosed || signal?.aborted === true;
        if (!(error instanceof LostBrowser) || isAborted || tries === maxTries) {
          slot.handOver();
          throw error;
        }
        // A profile has one writer at a time.
        if (options.profile) await error.ended;
      }
    }
  }

  async #attempt(
    options: SessionOptions,
    permit: Permit,
    key: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Session> {
    const session = await this.#begin(options, permit, key, signal).catch((error: unknown) => {
      permit.release();
      throw error;
    });
    const leave = (): void => void session.end("requested");
    signal?.addEventListener("abort", leave);
    if (signal?.aborted) leave();
    try {
      await this.#start(session, options);
      return session;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** From when the session is there, its end releases the slot. */
  async #begin(options: SessionOptions, permit: Permit, key: string | null, signal?: AbortSignal): Promise<Session> {
    const { viewport = defaultViewport, locale, url = blankPage, profile, proxy } = options;
    if (proxy?.dns === "proxy" && this.#parts.allowsProxyDns !== true) throw proxyDnsRefused();
    await this.#parts.checkUrl(new URL(url), proxy);
    if (profile) await this.#parts.profiles.check(profile, key);
    const context = { viewport, ...(locale === undefined ? {} : { locale }) };
    const pooled = await this.#parts.openContext(context, proxy).catch((error: unknown) => {
      throw proxy ? asProxyFault(error) : error;
    });
    try {
      if (this.#isClosed) throw stopping();
      if (signal?.aborted)
        throw new ServiceError("session-ended", "the client disconnected before the session was created");
      return await this.#admit(pooled, options, permit, key);
    } catch (error) {
      await pooled.close();
      throw error;
    }
  }

  /** The session is registered before its record is written: each record has its session. */
  async #admit(pooled: PooledContext, options: SessionOptions, permit: Permit, key: string | null): Promise<Session> {
    const { idle_limit_s, total_limit_s } = options;
    const { records, clock, limits } = this.#parts;
    const id = randomUUID();
    const createdMs = clock.now();
    const recorded = records.create(id, createdMs, key, options.record ?? true).then(
      () => undefined,
      (cause: unknown) => ({ cause }),
    );
    const session = new Session({
      id,
      createdMs,
      key,
      pooledContext: pooled,
      files: this.#parts.openFiles?.(id, this.#chooseRetention(options)),
      clock,
      monotonic: this.#parts.monotonic,
      onEntry: (entry) => {
        this.#parts.onEntry?.(entry);
        if (entry.kind === "navigation" || entry.kind === "tab-opened" || entry.kind === "tab-closed")
          this.#tellPage(key);
      },
      limits: {
        ...(idle_limit_s === undefined ? idleLimits(limits) : { idleMs: idle_limit_s * 1000 }),
        totalMs: Math.min(limits.totalMs, (total_limit_s ?? Infinity) * 1000),
      },
      graceMs: limits.graceMs,
      onSteering: (change) => this.#parts.onSteering?.({ ...change, session_id: id, at_ms: clock.now() }),
      onEnd: async (reason, place, faults, endedMs) => {
        const isRecorded = (await recorded) === undefined;
        const kept = isRecorded ? await this.#keepEnd(id, endedMs, reason, place) : [];
        this.#sessions.delete(id);
        permit.release();
        void this.#parts.closeFiles?.(id);
        if (isRecorded) this.#parts.onEnd?.(id, reason, [...faults, ...kept]);
        this.#parts.onChange?.(key);
        // The end is answered once the recording is safe.
        if (reason === "requested") await this.#parts.secure?.(id).catch(() => undefined);
      },
    });
    this.#sessions.set(id, session);
    const failed = await recorded;
    if (!failed) {
      this.#parts.onBegin?.(id);
      this.#parts.onChange?.(key);
      return session;
    }
    await session.end("requested");
    const { cause } = failed;
    if (cause instanceof ServiceError && cause.code === "busy") throw cause;
    const why = `the session could not be stored: ${describeStorageError(cause)}; ${adviceOnStorage(cause)}`;
    throw new ServiceError("storage-failed", why, { cause });
  }

  /** Tells that a session is on another page: at once, and when that has had time for its title. */
  #tellPage(key: string | null): void {
    this.#parts.onChange?.(key);
    setTimeout(() => this.#parts.onChange?.(key), titleMs).unref();
  }

  /** Keeps the end of a session, and where it was. Returns what went wrong. */
  async #keepEnd(
    id: string,
    endedMs: number,
    reason: EndReason,
    { url, title }: PageInfo,
  ): Promise<readonly unknown[]> {
    const { records } = this.#parts;
    try {
      await records.end(id, endedMs, reason, url === null ? null : { url, title });
      return [];
    } catch (error) {
      return [error];
    }
  }

  async #start(session: Session, options: SessionOptions): Promise<void> {
    const { viewport = defaultViewport, cookies = [], url = blankPage, record = true } = options;
    const { id, createdMs, activePage, pooledContext: pooled } = session;
    const { profile } = options;
    if (profile) await this.#unlessEnded(session, () => this.#openProfile(session, profile), true);
    const { context } = pooled;
    const retentionMs = this.#chooseRetention(options);
    if (!record) session.history.timeline.keepNowhere();
    else {
      await this.#unlessEnded(
        session,
        async () => {
          const what = { id, startedAtMs: createdMs, context, activePage, viewport, retentionMs };
          await session.recordWith(await this.#parts.record(what));
        },
        true,
      );
    }
    const page = await this.#unlessEnded(session, () => this.#openBlankPage(session, cookies), true);
    await this.#unlessEnded(session, async () => {
      const first = new URL(url);
      const isBlank = first.href === blankPage;
      if (!isBlank) session.history.noteAsked("service", { kind: "address", url: first.href });
      if (!isBlank) await openFirstPage(page, first, session.failedDocuments);
      session.noteOpened();
      // To ask a new page for its title takes as long as it takes to draw it first.
      if (isBlank) await this.#parts.records.locate(session.id, blankPage, null);
      else await this.locate(session);
    });
  }

  async #openBlankPage(session: Session, cookies: NonNullable<SessionOptions["cookies"]>): Promise<Page> {
    const { files, history, pooledContext: pooled } = session;
    const prepare = async (): Promise<void> => {
      await Promise.all([setCookies(pooled.context, cookies), files?.accept(pooled)]);
      history.actors.noteAct("service");
    };
    return pooled.newPage(prepare).catch((cause: unknown) => {
      throw cause instanceof BrowserError ? new LostBrowser(cause, session.end("browser-crashed")) : cause;
    });
  }

  /** Before there is a page, so that its first script finds what the profile has. */
  async #openProfile(session: Session, profile: NonNullable<SessionOptions["profile"]>): Promise<void> {
    const { id, key, pooledContext: pooled, seenOrigins } = session;
    const own = await this.#parts.profiles.begin(profile, key, id);
    await session.beforeClose((reason) => own.end(reason, pooled, seenOrigins));
    if (!session.hasEnded) await own.restore(pooled);
  }

  /** How long the recording and the files of a session are kept after its end, in milliseconds. */
  #chooseRetention({ keep_recording_s = Infinity }: SessionOptions): number {
    return Math.round(Math.min(keep_recording_s * 1_000, this.#parts.limits.recordingMs));
  }

  /**
   * Does what belongs to the creation of a session; says so when it ended under that, and ends it when that failed.
   *
   * @param isBlank - True while no page has loaded anything: what crashes then is its browser's fault. Default: false.
   */
  async #unlessEnded<Result>(session: Session, work: () => Promise<Result>, isBlank = false): Promise<Result> {
    const worked = work().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    // What is asked of a browser while its context closes may never be answered.
    const done = await Promise.race([worked, session.whenEnded.then(() => undefined)]);
    if (done && "result" in done && !session.hasEnded) return done.result;
    if (done && "error" in done && done.error instanceof LostBrowser) throw done.error;
    const endedBefore = session.hasEnded;
    const ended = session.end("requested");
    await ended;
    if (!endedBefore && done && "error" in done) throw done.error;
    const record = await this.#parts.records.get(session.id);
    const reason = record?.end_reason ?? "requested";
    const why = reason === "memory" ? ": its page is too large, and needs more memory than a session may have" : "";
    const cause = new ServiceError("session-ended", `the session ended while it was created (${reason})${why}`);
    if (!isBlank || (reason !== "browser-crashed" && reason !== "page-crashed")) throw cause;
    session.pooledContext.suspectBrowser();
    throw new LostBrowser(cause, ended);
  }

  /** Keeps where the page of a session is; where that of one is that has ended was kept with its end. */
  async locate(session: Session): Promise<void> {
    const { url, title } = await session.pageInfo();
    if (!session.hasEnded) await this.#parts.records.locate(session.id, url, title);
  }
}

/** The limits of a session that names none: one that is idle for as long anyway needs no shorter one. */
function idleLimits({ idleMs, unusedMs }: SessionLimits): { readonly idleMs: number; readonly unusedMs?: number } {
  return unusedMs < idleMs ? { idleMs, unusedMs } : { idleMs };
}

function proxyDnsRefused(): ServiceError {
  const why = "the operator of the service does not let proxies resolve names: leave out proxy.dns";
  return new ServiceError("usage", why, { loc: ["proxy", "dns"] });
}

/** Says of an error of the address of a proxy where in the request that is. */
function asProxyFault(error: unknown): unknown {
  const known = findServiceError(error);
  if (known?.code !== "usage" && known?.code !== "address-refused") return error;
  return new ServiceError(known.code, known.message, { cause: error, loc: ["proxy", "server"] });
}

/** The error of a service that creates no sessions any more. */
export function stopping(): ServiceError {
  return new ServiceError(
    "stopping",
    "the service is stopping and accepts no new sessions; ask another node, or try again later",
  );
}
