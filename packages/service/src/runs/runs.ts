import { randomUUID } from "node:crypto";
import pTimeout from "p-timeout";
import type { Logger } from "pino";
import { type Clock, storageTrouble } from "@cloud-browser/recorder";
import {
  AutomationError,
  EventStream,
  type FunctionRecord,
  type TerminalEvent,
  type Work,
  type Worker,
} from "@cloud-browser/automation";
import { untilAborted } from "../async.ts";
import type { FunctionStore } from "../storage/function-store.ts";
import type { RunChange, RunRecord, RunStore } from "../storage/run-store.ts";
import { Semaphore, type Permit } from "../semaphore.ts";
import { ServiceError, serviceErrorOf } from "../service-error.ts";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** Limits of runs. */
export interface RunLimits {
  /** Most runs at a time. Default: 10. */
  readonly count: number;
  /** Longest time of one run, in milliseconds. Default: 10 minutes. */
  readonly timeMs: number;
  /** True when a run goes on when the reader of its stream has gone. Default: false. */
  readonly outlivesReader: boolean;
}

/** The limits that hold unless others are given. */
export const defaultRunLimits: RunLimits = { count: 10, timeMs: 10 * 60_000, outlivesReader: false };

/** Longest time from the end of a run to its terminal event, in milliseconds: its browser is closed meanwhile. */
const partingMs = 5_000;

/** Options of the runs. */
export interface RunsOptions {
  /** Each run has a session of its own. */
  readonly sessions: Sessions;
  /** Keeps the functions that runs end in. */
  readonly functions: FunctionStore;
  /** Keeps what became of runs, and what they cost. */
  readonly records: RunStore;
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
  /** Told of each run whose record is there. */
  readonly onBegin?: () => void;
  /** Told of each end, with what the run has cost in US dollars. */
  readonly onEnd?: (end: TerminalEvent["type"], costUsd: string) => void;
}

/** Work to be done in a run. */
export interface Assignment {
  /** Who does it; a worker of its own for each run. */
  readonly worker: Worker;
  /** The task, in plain language. */
  readonly task: string;
  /** True when the run ends in a new function. */
  readonly makesFunction: boolean;
  /** Name of the key that asks, which the run, its session and its function belong to. Default: null, the key that the service was started with. */
  readonly key?: string | null;
  /** Most sessions of that key. Default: as many as there may be. */
  readonly keyLimit?: number;
}

interface Run {
  readonly id: string;
  readonly assignment: Assignment;
  readonly stream: EventStream;
  readonly stop: AbortController;
  /** The slot of its session. */
  readonly permit: Permit;
  /** Gives its own slot back: before the reader is told of the end, who then may start another run at once. */
  readonly free: () => void;
  /** Current record, without the cost. */
  record: RunRecord;
  /** Settles when its worker has come to rest, and its cost is final. */
  working: Promise<unknown>;
  /** Settles when nothing of it is left. */
  over: Promise<void>;
}

/** Reason why a run was stopped from outside; it becomes a terminal event. */
class Stop extends Error {
  readonly event: TerminalEvent;

  constructor(event: TerminalEvent) {
    super(event.type);
    this.event = event;
  }
}

/** The automation runs of the service. */
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

  /** Records of those that go on, the oldest first, with what they have cost until now. */
  get open(): readonly RunRecord[] {
    return [...this.#runs.values()].map(current);
  }

  /** Those of one key that go on. */
  openOf(key: string | null): readonly RunRecord[] {
    return this.open.filter((run) => run.key === key);
  }

  /** Records of the newest of one key that have ended, the newest first. */
  ended(limit: number, key: string | null): Promise<readonly RunRecord[]> {
    return this.#options.records.ended(limit, key);
  }

  /** The record of a run of a key, going on or ended; undefined when there is none. */
  async record(id: string, key: string | null): Promise<RunRecord | undefined> {
    const run = this.#runs.get(id);
    const record = run ? current(run) : await this.#options.records.get(id);
    return record?.key === key ? record : undefined;
  }

  /**
   * Starts a run; its events come from now on. Its slots are taken before the first wait.
   *
   * @throws {ServiceError} `busy`, `storage-failed` when its record can't be kept.
   */
  async start(assignment: Assignment): Promise<EventStream> {
    const { sessions, records, clock } = this.#options;
    if (this.#closed)
      throw new ServiceError(
        "stopping",
        "the service is stopping and takes no new runs; ask another node, or try again later",
      );
    const { key = null } = assignment;
    const slot = this.#slots.tryAcquire();
    if (!slot)
      throw new ServiceError(
        "busy",
        `run limit (${this.#slots.limit}) reached; wait for one to end, or raise --max-runs`,
      );
    let permit: Permit;
    try {
      permit = sessions.reserve(key, assignment.keyLimit);
    } catch (error) {
      slot.release();
      throw error;
    }
    const id = randomUUID();
    const started_ms = clock.now();
    const run: Run = {
      id,
      assignment,
      stream: new EventStream(),
      stop: new AbortController(),
      permit,
      free: () => {
        this.#runs.delete(id);
        slot.release();
      },
      record: { ...begun, thread_id: id, started_ms, key },
      working: Promise.resolve(),
      over: Promise.resolve(),
    };
    const recorded = records.create(id, started_ms, key);
    this.#runs.set(id, run);
    run.over = recorded
      .then(
        () => this.#run(run),
        () => permit.release(),
      )
      .finally(run.free);
    try {
      await recorded;
      this.#options.onBegin?.();
      return run.stream;
    } catch (cause) {
      throw new ServiceError("storage-failed", `The run could not be stored: ${storageTrouble(cause)}.`, { cause });
    }
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

  async #run(run: Run): Promise<void> {
    const { limits, log, sessions, clock } = this.#options;
    const { stream, stop, permit, assignment } = run;
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
      const creation = sessions.create({}, { permit, signal: stop.signal, key: run.record.key });
      session = await untilAborted(creation, stop.signal, (late) => late.end("requested"));
      await this.#change(run, { session_id: session.id });
      void session.space.lost.then(() => stop.abort(new Stop(lost)));
      event = await this.#work(run, session);
    } catch (error) {
      event = this.#terminalOf(stop.signal.aborted ? stop.signal.reason : error);
    } finally {
      clearTimeout(timer);
    }
    stop.abort(new Stop({ type: "cancelled", reason: "over" })); // whatever still goes on for this run
    const ended = session
      ?.end("requested")
      .catch((error: unknown) => log.warn({ err: error }, "failed to end the session of a run"));
    // Whoever reads the end finds the slots of the run and of its session free, and is told all that it cost; but waits no longer than this.
    const atRest = Promise.all([ended, run.working]).then(() => true);
    const isAtRest = await pTimeout(atRest, { milliseconds: partingMs, fallback: () => false });
    const cost_usd = assignment.worker.cost();
    await this.#change(run, { ended_ms: clock.now(), end: event.type, reason: reasonOf(event), cost_usd });
    log.info({ run: run.id, session: session?.id, end: event.type, cost_usd }, "a run has ended");
    this.#options.onEnd?.(event.type, cost_usd);
    if (isAtRest) run.free();
    const thread = { thread_id: run.id };
    const { metadata = thread } = event.type === "done" ? event : {};
    const told = { ...event, metadata, total_cost_usd: Number(cost_usd) };
    stream.end(told);
    await ended;
  }

  async #work(run: Run, session: Session): Promise<TerminalEvent> {
    const { permit, viewerUrl } = this.#options;
    const { id, assignment, stream } = run;
    const { worker, task, makesFunction } = assignment;
    const { signal } = run.stop;
    const place = {
      activePage: session.activePage,
      acted: () => session.acted(),
      permit,
      signal,
      tell: async (event: Parameters<EventStream["tell"]>[0]) => {
        signal.throwIfAborted();
        const cost_usd = worker.cost();
        if (cost_usd !== run.record.cost_usd) await this.#change(run, { cost_usd });
        await stream.tell(event);
        signal.throwIfAborted();
      },
    };
    // What is beyond the key field is ours: with the id, the recording of the run can be read.
    const opened = { type: "notte_session_data" as const, viewer_url: viewerUrl(session.id), session_id: session.id };
    await place.tell(opened);
    await place.tell({ type: "status", status: "running" });
    const working = worker.work(task, place);
    run.working = working.catch(() => undefined);
    const work = await untilAborted(working, signal);
    const made = makesFunction && work.steps.length > 0 ? await this.#keep(work, run.record.key) : undefined;
    if (made) {
      const { function_id, function_name, created_at } = made;
      await this.#change(run, { function_id });
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

  async #change(run: Run, change: RunChange): Promise<void> {
    run.record = { ...run.record, ...change };
    await this.#options.records.change(run.id, change);
  }

  async #keep({ task: query, name, steps, variables }: Work, key: string | null): Promise<FunctionRecord> {
    const { functions, clock } = this.#options;
    const created_at = new Date(clock.now()).toISOString().replace("Z", "+00:00");
    const record = { function_id: randomUUID(), function_name: name, created_at, query, variables, steps };
    await functions.save(record, key);
    return record;
  }

  #terminalOf(error: unknown): TerminalEvent {
    if (error instanceof Stop) return error.event;
    if (error instanceof AutomationError) return { type: "error", error: error.code, detail: error.message };
    const known = serviceErrorOf(error);
    if (known) return { type: "error", error: known.code.replaceAll("-", "_"), detail: known.message };
    this.#options.log.error({ err: error }, "a run failed");
    return { type: "error", error: "internal", detail: "Internal error; see the log of the service." };
  }
}

/** A run of which nothing is known yet. */
const begun = {
  session_id: null,
  ended_ms: null,
  end: null,
  reason: null,
  cost_usd: "0",
  function_id: null,
  task: null,
  steps: 0,
} as const;

function current({ record, assignment }: Run): RunRecord {
  return { ...record, cost_usd: assignment.worker.cost() };
}

function reasonOf(event: TerminalEvent): string | null {
  if (event.type === "done") return null;
  return String(event.type === "error" ? event.error : event.reason);
}

const lost: TerminalEvent = {
  type: "error",
  error: "session_lost",
  detail: "The browser of the run crashed or was closed.",
};

function tooLate(ms: number): TerminalEvent {
  return {
    type: "timeout",
    reason: "time_limit",
    detail: `The run exceeded its time limit of ${ms / 1000} s.`,
  };
}
