import { ServiceError } from "../../service-error.ts";
import { makeClientGoneError } from "../../session-refusals.ts";

/** How a request left the queue: it got a slot, it timed out, its client disconnected, or the service drained. */
export type QueueOutcome = "served" | "expired" | "left" | "refused";

/** Options of the queue. */
export interface SessionQueueOptions {
  /** Most requests that wait. */
  readonly maxWaiting: number;
  /** Called when a request leaves the queue, with its waiting time in milliseconds. */
  readonly onLeave?: (outcome: QueueOutcome, ms: number) => void;
}

/** A request for a session. */
export interface Admission<Slot, Result> {
  /** Name of the key that asks; null: the key that the service was started with. */
  readonly key: string | null;
  /** True for a run, which needs a slot of a run as well. Default: false. */
  readonly isForRun?: boolean;
  /** How long it may wait, in milliseconds. 0: not at all. */
  readonly waitMs: number;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Acquires a slot without waiting. @throws {ServiceError} `busy` if none is free. */
  readonly claim: () => Slot;
  /** Uses the slot. Undefined: it was taken already; the request keeps waiting, before all others of its line. */
  readonly use: (slot: Slot) => Promise<Result | undefined>;
}

interface Waiter {
  readonly sinceMs: number;
  /** Takes a slot if one is free, or leaves for another reason; false: it still waits. */
  readonly attempt: () => boolean;
  readonly refuse: (error: unknown, outcome: QueueOutcome) => void;
}

/**
 * Fair queue of requests for sessions. The sessions of a key and its runs have a line each: first in, first out within a line, and
 * round-robin between lines. It is in the memory of this process, and knows nothing of requests that wait at other nodes. Call {@link advance} at once when a slot is released, so that no later request gets it first.
 */
export class SessionQueue {
  readonly #options: SessionQueueOptions;
  /** Waiting requests by line; the line that is served next is first. */
  readonly #lines = new Map<string, Waiter[]>();

  constructor(options: SessionQueueOptions) {
    this.#options = options;
  }

  /** How many requests wait. */
  get length(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /** Waiting time of the oldest request, in milliseconds; 0 if the queue is empty. */
  get oldestMs(): number {
    const since = [...this.#lines.values()].flatMap((line) => line.map(({ sinceMs }) => sinceMs));
    return since.length === 0 ? 0 : performance.now() - Math.min(...since);
  }

  /**
   * Gives a request a slot, at once or when its turn comes.
   *
   * @throws {ServiceError} `busy` when no slot is free in time, or too many requests wait; `session-ended` when the client disconnects;
   * what `claim` and `use` throw.
   */
  async admit<Slot, Result>({ use, ...admission }: Admission<Slot, Result>): Promise<Result> {
    const sinceMs = performance.now();
    for (let isNew = true; ; isNew = false) {
      const result = await use(await this.#acquire(admission, sinceMs, isNew));
      if (result !== undefined) return result;
    }
  }

  /** Gives free slots to waiting requests; those that can't get one any more are rejected with the reason. */
  advance(): void {
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      const lines = [...this.#lines];
      for (const [name, line] of lines) {
        if (line[0]?.attempt() !== true) continue;
        isMoving = true;
        // The others come first now.
        if (this.#lines.delete(name) && line.length > 0) this.#lines.set(name, line);
      }
    }
  }

  /** @param isNew - False: it had its turn, and goes before all others of its line. */
  async #acquire<Slot>(
    { key, isForRun = false, waitMs, signal, claim }: Omit<Admission<Slot, unknown>, "use">,
    sinceMs: number,
    isNew: boolean,
  ): Promise<Slot> {
    const name = JSON.stringify([key, isForRun]);
    let refusal = makeBusyError(isForRun);
    if (!isNew || !this.#lines.has(name)) {
      const first = tryClaim(claim);
      if ("slot" in first) return first.slot;
      refusal = first.refusal;
    }
    if (waitMs === 0) throw refusal;
    const { maxWaiting, onLeave } = this.#options;
    if (isNew && this.length >= maxWaiting)
      throw withReason(refusal, `${maxWaiting} requests wait already, which is the limit of the service`);
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const measureWait = (): number => performance.now() - sinceMs;
    const leave = (outcome: QueueOutcome): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#remove(name, waiter);
      onLeave?.(outcome, measureWait());
    };
    const waiter: Waiter = {
      sinceMs,
      attempt: () => {
        try {
          const next = tryClaim(claim);
          if ("refusal" in next) {
            refusal = next.refusal;
            return false;
          }
          leave("served");
          resolve(next.slot);
        } catch (error) {
          waiter.refuse(error, "refused");
        }
        return true;
      },
      refuse: (error, outcome) => {
        leave(outcome);
        reject(error);
      },
    };
    const onAbort = (): void => waiter.refuse(makeClientGoneError(), "left");
    const expire = (): void =>
      waiter.refuse(withReason(refusal, `waited for ${(measureWait() / 1_000).toFixed(1)} s`), "expired");
    const timer = setTimeout(expire, Math.max(0, waitMs - measureWait()));
    const line = this.#lines.get(name) ?? [];
    this.#lines.set(name, isNew ? [...line, waiter] : [waiter, ...line]);
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    return promise;
  }

  #remove(name: string, waiter: Waiter): void {
    const line = this.#lines.get(name) ?? [];
    const at = line.indexOf(waiter);
    if (at >= 0) line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(name);
  }
}

/** A slot, or why none is free. */
function tryClaim<Slot>(claim: () => Slot): { readonly slot: Slot } | { readonly refusal: ServiceError } {
  try {
    return { slot: claim() };
  } catch (error) {
    if (error instanceof ServiceError && error.code === "busy") return { refusal: error };
    throw error;
  }
}

function withReason({ message }: ServiceError, reason: string): ServiceError {
  return new ServiceError("busy", `${message} (${reason})`);
}

const makeBusyError = (isForRun: boolean): ServiceError =>
  new ServiceError(
    "busy",
    isForRun
      ? "earlier runs of this key are waiting; wait, too (Prefer: wait=N)"
      : "earlier requests of this key are waiting for a session; wait, too (wait_s)",
  );
