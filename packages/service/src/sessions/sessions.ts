import { randomUUID } from "node:crypto";
import type { ActivePage, BrowserSpace, SpaceOptions } from "@cloud-browser/browsers";
import { type Clock, storageTrouble } from "@cloud-browser/recorder";
import type { EndReason, SessionRecord, SessionStore } from "../storage/session-store.ts";
import type { Permit } from "../semaphore.ts";
import { ServiceError } from "../service-error.ts";
import { inSpan } from "../tracing/spans.ts";
import { openFirstPage } from "./first-page.ts";
import { Session, type Place, type SessionRecorder } from "./session.ts";
import { defaultViewport, type SessionOptions } from "./session-options.ts";
import { type Admission, SessionQueue, type SessionQueueOptions } from "./session-queue.ts";
import { SessionSlots } from "./session-slots.ts";
import { setCookies } from "./start-cookies.ts";

/** Session that can be recorded. */
export interface Recordable {
  /** Id of the session. */
  readonly id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Its browser. */
  readonly context: BrowserSpace["context"];
  /** The page that it is on. */
  readonly activePage: ActivePage;
  /** Size of its pages, in CSS pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
}

/** Limits of all sessions. */
export interface SessionLimits {
  /** Most sessions at a time. */
  readonly count: number;
  /** Default idle limit of a session, in milliseconds. */
  readonly idleMs: number;
  /** Longest life, in milliseconds; a session may ask for less. */
  readonly totalMs: number;
  /** Most memory of one session, in bytes. */
  readonly memoryBytes: number;
}

/** Options of the sessions. */
export interface SessionsOptions {
  /** Opens a space of a browser. */
  readonly openSpace: (options: SpaceOptions) => Promise<BrowserSpace>;
  /** Begins to record. */
  readonly record: (what: Recordable) => Promise<SessionRecorder>;
  /** Throws when a page may not be opened there. */
  readonly permit: (url: URL) => Promise<void>;
  /** Keeps what sessions there were. */
  readonly records: SessionStore;
  /** Tells the time. */
  readonly clock: Clock;
  /** How many, how long. */
  readonly limits: SessionLimits;
  /** Throws while this process may have no sessions. Default: it may. */
  readonly requireLease?: () => void;
  /** Called when a session has ended, with errors on the way, for the log. */
  readonly onEnd?: (id: string, reason: EndReason, faults: readonly unknown[]) => void;
  /** Called when a session was created and its record is written. */
  readonly onBegin?: (id: string) => void;
  /** The queue of requests for sessions. Default: 100 wait at most. */
  readonly queue?: SessionQueueOptions;
  /** Given the outcome of every creation, when that begins, and of every request that is refused before. */
  readonly onCreation?: (outcome: Promise<unknown>) => void;
}

/** Options of a creation, beside those of the session. */
export interface Creation {
  /** Its slot, from `reserve`. Default: one that is taken now. */
  readonly permit?: Permit;
  /** Name of the key that asks. Default: null, the key that the service was started with. */
  readonly key?: string | null;
  /** Limit of sessions of that key. Default: that of the service. */
  readonly keyLimit?: number;
  /** Aborts the creation when its client disconnects. */
  readonly signal?: AbortSignal;
  /** How long it may wait for a slot, in milliseconds. Default: 0, not at all. */
  readonly waitMs?: number;
}

const blankPage = "about:blank";

/** The sessions of the service. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #open = new Map<string, Session>();
  /** A session has a slot from when it is asked for until nothing of it is left but its recording. */
  readonly #slots: SessionSlots;
  readonly #queue: SessionQueue;
  /** Settles when it drains, and none is left. */
  readonly #empty = Promise.withResolvers<void>();
  #isDraining = false;
  #closed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#slots = new SessionSlots(options.limits.count, () => this.#released());
    this.#queue = new SessionQueue(options.queue ?? { most: 100 });
  }

  /** Those that are open, the oldest first. */
  get open(): readonly Session[] {
    return [...this.#open.values()];
  }

  /** How many there are as the limit counts them: open, being created, or ending. */
  get count(): number {
    return this.#slots.held;
  }

  /** The requests that wait for a session. */
  get queue(): Pick<SessionQueue, "length" | "oldestMs" | "advance"> {
    return this.#queue;
  }

  /**
   * Gives a request for a session its place, wherever that is, when its turn comes.
   *
   * @throws {ServiceError} As `SessionQueue.admit`.
   */
  async admit<Given, Result>(admission: Admission<Given, Result>): Promise<Result> {
    let hadTurn = false;
    const use = (place: Given): Promise<Result | undefined> => {
      hadTurn = true;
      return admission.use(place);
    };
    try {
      return await this.#queue.admit({ ...admission, use });
    } catch (error) {
      if (!hadTurn) this.#options.onCreation?.(Promise.reject(error));
      throw error;
    }
  }

  /**
   * Throws when a key has as many sessions here as it may have.
   *
   * @throws {ServiceError} `busy`.
   */
  requireQuota(key: string | null, keyLimit: number): void {
    this.#slots.requireQuota(key, keyLimit);
  }

  /**
   * Takes the slot of a session that will be created. It has to be released, or given to `create`, which sees to that.
   *
   * @param key - Name of the key that it is for.
   * @param keyLimit - Most sessions of that key.
   * @throws {ServiceError} `busy` when there are as many sessions as there may be, `stopping`.
   */
  reserve(key: string | null = null, keyLimit = Infinity): Permit {
    if (this.#isDraining) throw stopping();
    this.#options.requireLease?.();
    return this.#slots.take(key, keyLimit);
  }

  /**
   * Creates a session, on its first page.
   *
   * @throws {ServiceError} `busy` when the limit of sessions is reached, `stopping`, `address-refused` when its page may not be
   * opened, `page-failed` when that can't be loaded, `usage` when an option can't be followed, `session-ended` when it ended meanwhile.
   */
  create(options: SessionOptions = {}, creation: Creation = {}): Promise<Session> {
    const { permit: given, key = null, keyLimit, signal, waitMs = 0 } = creation;
    const use = (permit: Permit): Promise<Session> => {
      const created = inSpan("session.create", {}, () => this.#create(options, permit, key, signal));
      this.#options.onCreation?.(created);
      return created;
    };
    if (given) return use(given);
    return this.admit({ key, waitMs, signal, use, claim: () => this.reserve(key, keyLimit) });
  }

  async #create(
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

  /** Returns whether a session is open here. */
  has(id: string): boolean {
    return this.#open.has(id);
  }

  /**
   * A session that is open.
   *
   * @param key - Name of the requesting key, which sees its own sessions only. Default: none, all are seen.
   * @throws {ServiceError} `unknown-session`, `session-ended`, `session-unreachable` when another node has it, or `storage-failed` while
   * this process may have none.
   */
  async get(id: string, key?: string | null): Promise<Session> {
    const session = this.#open.get(id);
    if (session && !session.hasEnded && isOf(session, key)) {
      this.#options.requireLease?.();
      return session;
    }
    if (await this.#isElsewhere(id, key)) throw unreachable();
    throw new ServiceError("session-ended", "the session has ended");
  }

  /**
   * The record of a session, open or ended.
   *
   * @param key - As of `get`.
   * @throws {ServiceError} `unknown-session`.
   */
  async record(id: string, key?: string | null): Promise<SessionRecord> {
    const record = await this.#options.records.get(id);
    if (record && isOf(record, key)) return record;
    throw new ServiceError("unknown-session", "there is no such session");
  }

  /** Records of the newest sessions, open and ended: those of one key, or, when none is named, all. */
  list(limit: number, key?: string | null): Promise<readonly SessionRecord[]> {
    return this.#options.records.list(limit, key);
  }

  /**
   * Ends a session; nothing happens when it has ended.
   *
   * @param key - As of `get`.
   * @throws {ServiceError} `unknown-session`, `session-unreachable` when another node has it.
   */
  async end(id: string, key?: string | null): Promise<void> {
    if (await this.#isElsewhere(id, key)) throw unreachable();
    await this.#open.get(id)?.end("requested");
  }

  /** Keeps where the page of a session is; where that of one is that has ended was kept with its end. */
  async locate(session: Session): Promise<void> {
    const { url, title } = await session.place();
    if (!session.hasEnded) await this.#options.records.locate(session.id, url, title);
  }

  /** Ends all that are open. */
  async endAll(reason: EndReason): Promise<void> {
    await Promise.allSettled(this.open.map((session) => session.end(reason)));
  }

  /** Takes no more from now on; those that there are go on. Resolves when none is left. */
  drain(): Promise<void> {
    this.#isDraining = true;
    this.#released();
    return this.#empty.promise;
  }

  /** Ends all of them; none is created from now on. */
  async close(): Promise<void> {
    void this.drain();
    this.#closed = true;
    await this.endAll("shutdown");
  }

  /** Whether a session is open that this process does not have. @throws {ServiceError} `unknown-session` */
  async #isElsewhere(id: string, key?: string | null): Promise<boolean> {
    const isOpen = async (): Promise<boolean> => (await this.record(id, key)).ended_ms === null;
    // One that was here may have ended since its record was read.
    return (await isOpen()) && !this.#open.has(id) && (await isOpen());
  }

  #released(): void {
    if (this.#isDraining && this.count === 0) this.#empty.resolve();
    this.#queue.advance();
  }

  /** From when the session is there, its end releases the slot. */
  async #begin(options: SessionOptions, permit: Permit, key: string | null, signal?: AbortSignal): Promise<Session> {
    const { viewport = defaultViewport, locale, url = blankPage } = options;
    await this.#options.permit(new URL(url));
    const space = await this.#options.openSpace({ viewport, ...(locale === undefined ? {} : { locale }) });
    try {
      if (this.#closed) throw stopping();
      if (signal?.aborted)
        throw new ServiceError("session-ended", "the client disconnected before the session was created");
      return await this.#admit(space, options, permit, key);
    } catch (error) {
      await space.close();
      throw error;
    }
  }

  /** The session is registered before its record is written: each record has its session. */
  async #admit(space: BrowserSpace, options: SessionOptions, permit: Permit, key: string | null): Promise<Session> {
    const { idle_limit_s, total_limit_s } = options;
    const { records, clock, limits } = this.#options;
    const id = randomUUID();
    const createdMs = clock.now();
    const recorded = records.create(id, createdMs, key).then(
      () => undefined,
      (cause: unknown) => ({ cause }),
    );
    const session = new Session({
      id,
      createdMs,
      key,
      space,
      clock,
      limits: {
        idleMs: idle_limit_s === undefined ? limits.idleMs : idle_limit_s * 1000,
        totalMs: Math.min(limits.totalMs, (total_limit_s ?? Infinity) * 1000),
      },
      onEnd: async (reason, place, faults) => {
        const isRecorded = (await recorded) === undefined;
        const kept = isRecorded ? await this.#keepEnd(id, reason, place) : [];
        this.#open.delete(id);
        permit.release();
        if (isRecorded) this.#options.onEnd?.(id, reason, [...faults, ...kept]);
      },
    });
    this.#open.set(id, session);
    const failed = await recorded;
    if (!failed) {
      this.#options.onBegin?.(id);
      return session;
    }
    await session.end("requested");
    const { cause } = failed;
    if (cause instanceof ServiceError && cause.code === "busy") throw cause;
    throw new ServiceError("storage-failed", `The session could not be stored: ${storageTrouble(cause)}.`, { cause });
  }

  /** Keeps the end of a session, and where it was. Returns what went wrong. */
  async #keepEnd(id: string, reason: EndReason, { url, title }: Place): Promise<readonly unknown[]> {
    const { records, clock } = this.#options;
    try {
      await records.end(id, clock.now(), reason, url === null ? null : { url, title });
      return [];
    } catch (error) {
      return [error];
    }
  }

  async #start(
    session: Session,
    { viewport = defaultViewport, cookies = [], url = blankPage }: SessionOptions,
  ): Promise<void> {
    const { id, createdMs, activePage, space } = session;
    const { context } = space;
    await this.#unlessEnded(session, async () => {
      const recorder = await this.#options.record({ id, startedAtMs: createdMs, context, activePage, viewport });
      await session.recordWith(recorder);
    });
    await this.#unlessEnded(session, async () => {
      await setCookies(context, cookies);
      const page = await context.newPage();
      const first = new URL(url);
      const isBlank = first.href === blankPage;
      if (!isBlank) await openFirstPage(page, first);
      session.acted();
      // To ask a new page for its title takes as long as it takes to draw it first.
      if (isBlank) await this.#options.records.locate(session.id, blankPage, null);
      else await this.locate(session);
    });
  }

  /** Does what belongs to the creation of a session; says so when it ended under that, and ends it when that failed. */
  async #unlessEnded(session: Session, work: () => Promise<void>): Promise<void> {
    const failed = await work().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failed === undefined && !session.hasEnded) return;
    const endedBefore = session.hasEnded;
    await session.end("requested");
    if (!endedBefore) throw failed?.error;
    const { end_reason: reason } = await this.record(session.id);
    throw new ServiceError("session-ended", `the session ended while it was created (${reason ?? "requested"})`);
  }
}

/** Whether a key sees it. */
function isOf({ key: its }: { readonly key: string | null }, key: string | null | undefined): boolean {
  return key === undefined || key === its;
}

function unreachable(): ServiceError {
  return new ServiceError("session-unreachable", "the session can't be reached now; try again, or open another one");
}

function stopping(): ServiceError {
  return new ServiceError(
    "stopping",
    "the service is stopping and takes no new sessions; ask another node, or try again later",
  );
}
