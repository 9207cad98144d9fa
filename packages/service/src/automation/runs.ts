import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { FunctionRecord, FunctionRecords } from "../records/function-records.ts";
import { Semaphore, type Permit } from "../semaphore.ts";
import { ServiceError } from "../service-error.ts";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { AutomationError } from "./automation-error.ts";
import { EventStream } from "./event-stream.ts";
import type { TerminalEvent, Work, Worker } from "./work.ts";

/** Limits of runs. Source: ours. */
export interface RunLimits {
  /** Most runs at a time. Default: 10. */
  readonly count: number;
  /** Longest time of one run, in milliseconds. Default: 10 minutes. */
  readonly timeMs: number;
  /** Whether a run goes on when the reader of its stream has gone. Default: false. */
  readonly outlivesReader: boolean;
}

/** The limits that hold unless others are given. Source: ours. */
export const defaultRunLimits: RunLimits = { count: 10, timeMs: 10 * 60_000, outlivesReader: false };

/** Longest time from the end of a run to its terminal event, in milliseconds: its browser is closed meanwhile. */
const partingMs = 5_000;

/** What runs are made with. Source: ours. */
export interface RunsOptions {
  /** Each run has a session of its own. */
  readonly sessions: Sessions;
  /** Keeps the functions that runs end in. */
  readonly functions: FunctionRecords;
  /** Throws when a page may not be opened there. */
  readonly permit: (url: URL) => Promise<void>;
  /** Address of the page that shows a session live, with its credential. */
  readonly viewerUrl: (sessionId: string) => string;
  /** Tells the time. */
  readonly clock: Clock;
  /** How many, how long. */
  readonly limits: RunLimits;
  /** Gets a line for each end. */
  readonly log: Logger;
}

/** What is to be done in a run. Source: ours. */
export interface Assignment {
  /** Who does it; a worker of its own for each run. */
  readonly worker: Worker;
  /** The task, in plain language. */
  readonly task: string;
  /** Whether the run ends in a new function. */
  readonly makesFunction: boolean;
}

/** A run that goes on. Source: ours. */
export interface RunView {
  /** Its id, a UUID: `metadata.thread_id` of its `done` event. */
  readonly thread_id: string;
  /** When it began: ISO 8601, UTC. */
  readonly started_at: string;
  /** What it costs until now, in US dollars, exact. */
  readonly cost_usd: string;
}

interface Run {
  readonly id: string;
  readonly startedMs: number;
  readonly worker: Worker;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

/** Why a run was stopped from outside; each becomes a terminal event. */
class Stop extends Error {
  readonly event: TerminalEvent;

  constructor(event: TerminalEvent) {
    super(event.type);
    this.event = event;
  }
}

/** The automation runs of the service. Source: ours. */
export class Runs {
  readonly #options: RunsOptions;
  readonly #runs = new Map<string, Run>();
  /** A run has a slot, and that of its session, from when it is asked for until its session has ended. */
  readonly #slots: Semaphore;
  #closed = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#slots = new Semaphore(options.limits.count);
  }

  /** Those that go on. */
  get open(): readonly RunView[] {
    return [...this.#runs.values()].map(({ id, startedMs, worker }) => ({
      thread_id: id,
      started_at: new Date(startedMs).toISOString(),
      cost_usd: worker.cost(),
    }));
  }

  /**
   * Starts a run; its events come from now on.
   *
   * @throws {ServiceError} `busy`
   */
  start(assignment: Assignment): EventStream {
    const { sessions, clock } = this.#options;
    if (this.#closed) throw new ServiceError("busy", "the service is being stopped");
    const slot = this.#slots.tryAcquire();
    if (!slot)
      throw new ServiceError(
        "busy",
        `run limit (${this.#slots.limit}) reached; wait for one to end, or raise --max-runs`,
      );
    let permit: Permit;
    try {
      permit = sessions.reserve();
    } catch (error) {
      slot.release();
      throw error;
    }
    const stream = new EventStream();
    const id = randomUUID();
    const stop = new AbortController();
    const free = (): void => {
      this.#runs.delete(id);
      slot.release();
    };
    const over = this.#run(id, assignment, stream, stop, permit, free).finally(free);
    this.#runs.set(id, { id, startedMs: clock.now(), worker: assignment.worker, stop, over });
    return stream;
  }

  /** Cancels a run; tells whether there was one. */
  cancel(id: string, reason = "requested"): boolean {
    const run = this.#runs.get(id);
    run?.stop.abort(new Stop({ type: "cancelled", reason }));
    return run !== undefined;
  }

  /** Cancels all of them; none is started from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    const runs = [...this.#runs.values()];
    for (const { id } of runs) this.cancel(id, "shutdown");
    await Promise.allSettled(runs.map(({ over }) => over));
  }

  /** @param free - Gives back the slot of the run: before the reader is told of the end, who then may start another run at once. */
  async #run(
    id: string,
    assignment: Assignment,
    stream: EventStream,
    stop: AbortController,
    permit: Permit,
    free: () => void,
  ): Promise<void> {
    const { limits, log, sessions } = this.#options;
    const timer = setTimeout(() => stop.abort(new Stop(tooLate(limits.timeMs))), limits.timeMs);
    timer.unref();
    stream.gone.addEventListener("abort", () => {
      if (!limits.outlivesReader) stop.abort(new Stop({ type: "cancelled", reason: "reader_gone" }));
    });
    let session: Session | undefined;
    let event: TerminalEvent;
    try {
      // Not waited for: nothing else is in the stream yet, and the session takes over its slot at once.
      void stream.tell({ type: "status", status: "starting" });
      const creation = sessions.create({}, { permit, signal: stop.signal });
      session = await untilStopped(creation, stop.signal, (late) => late.end("requested"));
      void session.space.lost.then(() => stop.abort(new Stop(lost)));
      event = await this.#work(id, assignment, stream, session, stop.signal);
    } catch (error) {
      event = this.#terminalOf(stop.signal.aborted ? stop.signal.reason : error);
    } finally {
      clearTimeout(timer);
    }
    stop.abort(new Stop({ type: "cancelled", reason: "over" })); // whatever still goes on for this run
    log.info({ run: id, end: event.type, cost_usd: assignment.worker.cost() }, "a run has ended");
    const ended = session
      ?.end("requested")
      .catch((error: unknown) => log.warn({ err: error }, "the session of a run did not end well"));
    // Whoever reads the end finds the slots of the run and of its session free, and waits no longer than this for it.
    const isFree = await Promise.race([ended?.then(() => true) ?? true, delay(partingMs, false, { ref: false })]);
    if (isFree) free();
    stream.end(event);
    await ended;
  }

  async #work(
    id: string,
    { worker, task, makesFunction }: Assignment,
    stream: EventStream,
    session: Session,
    signal: AbortSignal,
  ): Promise<TerminalEvent> {
    const { permit, viewerUrl } = this.#options;
    const place = {
      activePage: session.activePage,
      acted: () => session.acted(),
      permit,
      signal,
      tell: async (event: Parameters<EventStream["tell"]>[0]) => {
        signal.throwIfAborted();
        await stream.tell(event);
        signal.throwIfAborted();
      },
    };
    // What is beyond the key field is ours: with the id, the recording of the run can be read.
    const opened = { type: "notte_session_data" as const, viewer_url: viewerUrl(session.id), session_id: session.id };
    await place.tell(opened);
    await place.tell({ type: "status", status: "running" });
    const work = await untilStopped(worker.work(task, place), signal);
    const made = makesFunction && work.steps.length > 0 ? this.#keep(work) : undefined;
    if (made) {
      const { function_id, function_name, created_at } = made;
      await place.tell({ type: "function_uploaded", function_id, function_name, created_at });
    }
    const { data, succeeded } = work;
    return {
      type: "done",
      metadata: {
        thread_id: id,
        ...(Object.keys(data).length === 0 ? {} : { data }),
        ...(succeeded === undefined ? {} : { succeeded }),
      },
      total_cost_usd: Number(worker.cost()),
      ...(made === undefined ? {} : { function_id: made.function_id }),
    };
  }

  #keep({ task: query, name, steps, variables }: Work): FunctionRecord {
    const { functions, clock } = this.#options;
    const created_at = new Date(clock.now()).toISOString().replace("Z", "+00:00");
    const record = { function_id: randomUUID(), function_name: name, created_at, query, variables, steps };
    functions.save(record);
    return record;
  }

  #terminalOf(error: unknown): TerminalEvent {
    if (error instanceof Stop) return error.event;
    if (error instanceof AutomationError) return { type: "error", error: error.code, detail: error.message };
    if (error instanceof ServiceError)
      return { type: "error", error: error.code.replaceAll("-", "_"), detail: error.message };
    this.#options.log.error({ err: error }, "a run failed");
    return { type: "error", error: "internal", detail: "The service failed; its log says how." };
  }
}

const lost: TerminalEvent = { type: "error", error: "session_lost", detail: "The browser of the run has gone." };

function tooLate(ms: number): TerminalEvent {
  return {
    type: "timeout",
    reason: "time_limit",
    detail: `The run took longer than ${ms / 1000} s, which is the most it may.`,
  };
}

/** What a promise gives, unless the run is stopped before; what comes too late is given to `late`. */
async function untilStopped<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  late: (value: Value) => Promise<void> = async () => {},
): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error("stopped"));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  stopped.catch(() => {});
  promise.then((value) => (signal.aborted ? late(value) : undefined)).catch(() => {});
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
