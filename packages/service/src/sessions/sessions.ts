import type { EndReason, SessionFilter, SessionRecord } from "../storage/session-store.ts";
import type { Permit } from "../semaphore.ts";
import { ServiceError } from "../service-error.ts";
import { runInSpan } from "../tracing/spans.ts";
import { SessionCreator } from "./creation/create-session.ts";
import type { CreationParts } from "./creation/creation-parts.ts";
import type { ControlState } from "./control/control-lease.ts";
import type { Session } from "./session.ts";
import type { SessionOptions } from "./session-options.ts";
import { storeLocation } from "./page-info.ts";
import { type Admission, SessionQueue, type SessionQueueOptions } from "./queue/session-queue.ts";
import { SessionSlots } from "./queue/session-slots.ts";
import {
  makeStoppingError,
  makeSessionEndedError,
  makeUnknownSessionError,
  makeUnreachableError,
} from "../session-refusals.ts";

/** Options of the sessions. */
export interface SessionsOptions extends CreationParts {
  /** Throws while this process may have no sessions. Default: it may. */
  readonly requireLease?: () => void;
  /** Returns why this process has no room for new sessions though its limit allows more; undefined when it has. Default: it has. */
  readonly overload?: () => string | undefined;
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

/** How long requests for sessions wait for the end of an overload, in milliseconds. */
const overloadWaitMs = 5_000;

/** The sessions of the service. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #open = new Map<string, Session>();
  /** A session holds a slot from its request until only its recording is left. */
  readonly #slots: SessionSlots;
  readonly #queue: SessionQueue;
  readonly #creator: SessionCreator;
  /** Settles when it drains, and none is left. */
  readonly #empty = Promise.withResolvers<void>();
  #isDraining = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#slots = new SessionSlots(options.limits.count, () => this.#onRelease());
    this.#queue = new SessionQueue(options.queue ?? { maxWaiting: 100 });
    this.#creator = new SessionCreator(options, this.#open);
  }

  /** Those that are open, the oldest first. */
  get open(): readonly Session[] {
    return [...this.#open.values()];
  }

  /** How many there are as the limit counts them: open, being created, or ending. */
  get count(): number {
    return this.#slots.inUse;
  }

  /** Reason why no new sessions are accepted for now, as a phrase; undefined when this process keeps up. */
  get overload(): string | undefined {
    return this.#options.overload?.();
  }

  /** How many more there may be; 0 once the service drains. */
  get freeSlots(): number {
    return this.#isDraining || this.overload !== undefined ? 0 : this.#options.limits.count - this.count;
  }

  /** How long a request for a session waits at least, in milliseconds: while this process is overloaded five seconds, for that may be over by then. */
  get leastWaitMs(): number {
    return this.overload === undefined ? 0 : overloadWaitMs;
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
   * @throws {ServiceError} `busy` when there are as many sessions as there may be, or this process is overloaded; `stopping`.
   */
  reserve(key: string | null = null, keyLimit = Infinity): Permit {
    if (this.#isDraining) throw makeStoppingError();
    this.requireLease();
    const { overload } = this;
    if (overload !== undefined)
      throw new ServiceError("busy", `${overload}; it takes no new sessions until it keeps up: wait, or end some`);
    return this.#slots.take(key, keyLimit);
  }

  /**
   * Creates a session, on its first page.
   *
   * @throws {ServiceError} `busy` when the limit of sessions is reached, `stopping`, `address-refused` when its page may not be
   * opened, `page-failed` when that can't be loaded, `usage` when an option can't be followed, `session-ended` when it ended meanwhile.
   */
  create(options: SessionOptions = {}, creation: Creation = {}): Promise<Session> {
    const { permit: slot, key = null, keyLimit, signal, waitMs = 0 } = creation;
    const use = (permit: Permit): Promise<Session> => {
      const creating = runInSpan("session.create", {}, () => this.#creator.create(options, permit, key, signal));
      this.#options.onCreation?.(creating);
      return creating;
    };
    if (slot) return use(slot);
    return this.admit({ key, waitMs, signal, use, claim: () => this.reserve(key, keyLimit) });
  }

  /**
   * Throws while this process may have no sessions: without a lease other nodes may have ended them.
   *
   * @throws {ServiceError} `storage-failed`.
   */
  requireLease(): void {
    this.#options.requireLease?.();
  }

  /** Returns whether this process may act on its sessions: without a lease other nodes may have ended them. */
  get mayAct(): boolean {
    try {
      this.requireLease();
      return true;
    } catch {
      return false;
    }
  }

  /** Returns whether a session is open here. */
  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Returns who steers a session; undefined when it is not open here. */
  findControl(id: string): ControlState | undefined {
    return this.#open.get(id)?.control.state;
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
    if (session && !session.hasEnded && isOwnedBy(session, key)) {
      this.requireLease();
      return session;
    }
    if (await this.#isElsewhere(id, key)) throw makeUnreachableError();
    throw makeSessionEndedError();
  }

  /**
   * The record of a session, open or ended.
   *
   * @param key - As of `get`.
   * @throws {ServiceError} `unknown-session`.
   */
  async getRecord(id: string, key?: string | null): Promise<SessionRecord> {
    const record = await this.#options.records.get(id);
    if (record && isOwnedBy(record, key)) return record;
    throw makeUnknownSessionError();
  }

  /** Records of the newest sessions that a filter lets pass. */
  list(limit: number, filter?: SessionFilter): Promise<readonly SessionRecord[]> {
    return this.#options.records.list(limit, filter);
  }

  /**
   * Ends a session, and stores that; ending it again changes nothing.
   *
   * @param key - As of `get`.
   * @returns Its stored record, which is final.
   * @throws {ServiceError} `unknown-session`, `session-unreachable` when another node has it, `storage-failed` when it has ended, but
   * that could not be stored.
   */
  async end(id: string, key?: string | null): Promise<SessionRecord> {
    const open = this.#open.get(id);
    // One that is here is known, whether records can be read or not.
    if (open && isOwnedBy(open, key)) await open.end("requested");
    else if (await this.#isElsewhere(id, key)) throw makeUnreachableError();
    const record = await this.#options.records.settle(id).catch(failToStore);
    if (record === undefined) throw makeUnknownSessionError();
    return record.ended_ms === null ? failToStore() : record;
  }

  /** Stores where the page of a session is; where that of one is that has ended was stored with its end. */
  locate(session: Session): Promise<void> {
    return storeLocation(session, this.#options.records);
  }

  /** Ends all that are open. */
  async endAll(reason: EndReason): Promise<void> {
    await Promise.allSettled(this.open.map((session) => session.end(reason)));
  }

  /** Accepts no new sessions; open ones continue. Resolves when none is left. */
  drain(): Promise<void> {
    this.#isDraining = true;
    this.#onRelease();
    return this.#empty.promise;
  }

  /** Ends all of them; none is created from now on. */
  async close(): Promise<void> {
    void this.drain();
    this.#creator.close();
    await this.endAll("shutdown");
  }

  /** Returns whether a session is open in another process. @throws {ServiceError} `unknown-session` */
  async #isElsewhere(id: string, key?: string | null): Promise<boolean> {
    const isOpen = async (): Promise<boolean> => (await this.getRecord(id, key)).ended_ms === null;
    // One that was here may have ended since its record was read.
    return (await isOpen()) && !this.#open.has(id) && (await isOpen());
  }

  #onRelease(): void {
    if (this.#isDraining && this.count === 0) this.#empty.resolve();
    this.#queue.advance();
  }
}

/** Returns whether a key may see a record. */
function isOwnedBy({ key: owner }: { readonly key: string | null }, key: string | null | undefined): boolean {
  return key === undefined || key === owner;
}

function failToStore(cause?: unknown): never {
  const message = "the session has ended, but that could not be stored yet; end it again to know when it is";
  throw new ServiceError("storage-failed", message, { cause });
}
