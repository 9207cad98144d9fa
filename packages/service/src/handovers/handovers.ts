import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@cloud-browser/recorder";
import type { SteeringEvents } from "../sessions/control/steering-events.ts";
import type { Session } from "../sessions/session.ts";
import { ServiceError } from "../service-error.ts";
import type { HandoverRecord, HandoverStore } from "../storage/handover-store.ts";

/** Options of hand-overs. */
export interface HandoversOptions {
  /** Keeps the requests. */
  readonly store: HandoverStore;
  /** Clock. */
  readonly clock: Clock;
  /** Told of each request and each answer. */
  readonly events: Pick<SteeringEvents, "tell">;
  /** Called when an expiry could not be stored; that is tried again. */
  readonly onFault: (error: unknown) => void;
}

/** Request to a person. */
export interface Question {
  /** Task of the person. */
  readonly message: string;
  /** After what time it expires, in milliseconds. */
  readonly deadlineMs: number;
  /** Who asks. */
  readonly by: HandoverRecord["asked_by"];
  /** A text by which the same request is known when it is sent again. Default: none. */
  readonly idempotencyKey?: string | null;
}

/** A request that is open, in a session of this process. */
interface Open {
  readonly session: Session;
  readonly record: Promise<HandoverRecord>;
  readonly idempotencyKey: string | null;
  readonly answered: PromiseWithResolvers<HandoverRecord>;
  stop: () => void;
}

/** How often a request of another node is looked at while somebody waits for its answer, and an expiry that could not be stored is tried again, in milliseconds. */
const againMs = 1_000;

/**
 * Requests for a person. Each gets exactly one answer, which the store decides on: of a person, of its deadline, or, when neither came, that
 * its session has ended. A session has one open request at a time.
 */
export class Handovers {
  readonly #options: HandoversOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: HandoversOptions) {
    this.#options = options;
  }

  /** How many are open in sessions of this process. */
  get openCount(): number {
    return this.#open.size;
  }

  /**
   * Asks for a person in a session. The same request, by its idempotency key, is not asked twice.
   *
   * @throws {ServiceError} `handover-open` when the session has another open one, `usage` when the idempotency key belongs to another request.
   */
  async ask(session: Session, { message, deadlineMs, by, idempotencyKey = null }: Question): Promise<HandoverRecord> {
    const before = this.#open.get(session.id);
    if (before) {
      const { handover_id, message: text } = await before.record;
      if (idempotencyKey === null || before.idempotencyKey !== idempotencyKey) throw makeOpenError(handover_id);
      requireSameMessage(text, message);
      return before.record;
    }
    const { store, clock } = this.#options;
    const asked_ms = clock.now();
    const handover = {
      handover_id: randomUUID(),
      session_id: session.id,
      message,
      asked_by: by,
      asked_ms,
      expires_ms: Math.round(asked_ms + deadlineMs),
      idempotency_key: idempotencyKey,
    };
    const record = store.ask(handover);
    const open: Open = {
      session,
      record,
      idempotencyKey,
      answered: Promise.withResolvers(),
      stop: () => {},
    };
    this.#open.set(session.id, open);
    try {
      const stored = await record;
      if (stored.handover_id === handover.handover_id) this.#begin(open, stored);
      else {
        this.#open.delete(session.id);
        requireSameMessage(stored.message, message);
      }
      return stored;
    } catch (error) {
      this.#open.delete(session.id);
      throw error;
    }
  }

  /**
   * Answers a request, as a person who has done what was asked or declines it: the control goes back to the program. The same answer may be
   * repeated.
   *
   * @throws {ServiceError} `unknown-handover`, `handover-answered`, `storage-failed` when it could not be stored: it is still open then.
   */
  async answer(
    sessionId: string,
    id: string,
    answer: "done" | "declined",
    note: string | null,
  ): Promise<HandoverRecord> {
    const open = this.#open.get(sessionId);
    if (open && (await open.record).handover_id === id && (await this.#settle(open, answer, note))) {
      open.session.control.giveBack("answered");
    }
    const record = await this.get(sessionId, id);
    if (record.answer === answer) return record;
    if (record.answer === null)
      throw new ServiceError("session-unreachable", "the request can't be answered now; try again");
    throw new ServiceError("handover-answered", `the request was answered before (${record.answer})`);
  }

  /**
   * Returns a request of a session.
   *
   * @throws {ServiceError} `unknown-handover`
   */
  async get(sessionId: string, id: string): Promise<HandoverRecord> {
    const record = await this.#options.store.get(id);
    if (record?.session_id === sessionId) return record;
    throw new ServiceError("unknown-handover", "the session has no such request for a person");
  }

  /**
   * Waits for the answer of a request, for so long; resolves with the request as it is then.
   *
   * @throws {ServiceError} `unknown-handover`; the reason of the signal.
   */
  async wait(sessionId: string, id: string, ms: number, signal: AbortSignal): Promise<HandoverRecord> {
    const dueMs = performance.now() + ms;
    for (;;) {
      const record = await this.get(sessionId, id);
      const leftMs = dueMs - performance.now();
      if (record.answer !== null || leftMs <= 0) return record;
      const open = this.#open.get(sessionId);
      const over = new AbortController();
      const isOver = AbortSignal.any([signal, over.signal]);
      const timer = delay(open ? leftMs : Math.min(leftMs, againMs), undefined, { signal: isOver, ref: false });
      await Promise.race([timer, ...(open ? [open.answered.promise] : [])]).finally(() => over.abort());
      void timer.catch(() => undefined);
    }
  }

  #begin(open: Open, record: HandoverRecord): void {
    const { clock, events } = this.#options;
    const { session } = open;
    const { handover_id, message, expires_ms, asked_by: by } = record;
    const release = session.holdIdle();
    let cancel: (() => void) | undefined;
    const expireAt = (atMs: number): void => {
      cancel = clock.at(atMs, () => {
        this.#settle(open, "expired", null).catch((error: unknown) => {
          this.#options.onFault(error);
          expireAt(clock.now() + againMs);
        });
      });
    };
    open.stop = () => {
      cancel?.();
      release();
    };
    expireAt(expires_ms);
    session.control.setRequest({ id: handover_id, message, expiresMs: expires_ms });
    events.tell({ kind: "asked", handover_id, message, by, session_id: session.id, at_ms: record.asked_ms });
    void session.whenEnded.then(() => this.#end(open, record));
  }

  /** Writes an answer; the store keeps the first one. Returns whether that is this one. */
  async #settle(open: Open, answer: "done" | "declined" | "expired", note: string | null): Promise<boolean> {
    const { store, clock } = this.#options;
    const { handover_id } = await open.record;
    const record = await store.answer(handover_id, answer, note, clock.now());
    return record !== undefined && this.#close(open, record) && record.answer === answer;
  }

  /** Answers with `ended` when the session has ended, unless there was another answer. */
  async #end(open: Open, request: HandoverRecord): Promise<void> {
    if (this.#open.get(request.session_id) !== open) return;
    const stored = await this.#options.store.get(request.handover_id).catch(() => undefined);
    const answered_ms = this.#options.clock.now();
    this.#close(open, stored && stored.answer !== null ? stored : { ...request, answer: "ended", answered_ms });
  }

  /** Tells an answer, once. Returns false when that has been done. */
  #close(open: Open, record: HandoverRecord): boolean {
    const { session_id, handover_id, answer, note, answered_ms } = record;
    if (this.#open.get(session_id) !== open || answer === null) return false;
    this.#open.delete(session_id);
    open.stop();
    open.session.control.setRequest(null);
    open.answered.resolve(record);
    const at_ms = answered_ms ?? this.#options.clock.now();
    this.#options.events.tell({ kind: "answered", handover_id, answer, note, session_id, at_ms });
    return true;
  }
}

function makeOpenError(id: string): ServiceError {
  const message = `the session has an open request for a person (${id}): wait for its answer`;
  return new ServiceError("handover-open", message);
}

function requireSameMessage(before: string, message: string): void {
  if (before === message) return;
  throw new ServiceError("usage", "the Idempotency-Key belongs to a request with another message: use a new one", {
    loc: ["message"],
  });
}
