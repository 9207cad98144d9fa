import { randomUUID } from "node:crypto";
import pTimeout from "p-timeout";
import { storageTrouble } from "@cloud-browser/recorder";
import {
  AutomationError,
  EventStream,
  type FunctionRecord,
  type ProgressEvent,
  type TerminalEvent,
  type Work,
} from "@cloud-browser/automation";
import { untilAborted } from "../async.ts";
import type { RunChange, RunRecord } from "../storage/run-store.ts";
import { Semaphore, type Permit } from "../semaphore.ts";
import { ServiceError, serviceErrorOf } from "../service-error.ts";
import type { Session } from "../sessions/session.ts";
import { RunSpans } from "../tracing/run-spans.ts";
import { eventBody } from "./event-body.ts";
import { RunLog } from "./run-log.ts";
import type { Assignment, RunsOptions, StartedRun } from "./run-options.ts";
import { StoredEvents } from "./stored-events.ts";
import { isLost, outcomeOf, reasonOf, sessionLost, told, tooLate } from "./terminal-events.ts";

/** Longest time from the end of a run to its terminal event, in milliseconds: its browser is closed meanwhile. */
const partingMs = 5_000;

/** Most that follow one run at a time, beside whoever started it. */
const mostReaders = 16;

/** Most runs that are listed. */
const mostListed = 100;

interface Run {
  readonly id: string;
  readonly assignment: Assignment;
  readonly stream: EventStream;
  readonly log: RunLog;
  readonly spans: RunSpans;
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
  /** How many follow each run that somebody follows. */
  readonly #readers = new Map<string, number>();
  #closed = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#slots = new Semaphore(options.limits.count);
  }

  /** Records of those that go on here, the oldest first, with what they have cost until now. */
  get open(): readonly RunRecord[] {
    return [...this.#runs.values()].map(current);
  }

  /** Returns whether a run goes on here. */
  has(id: string): boolean {
    return this.#runs.has(id);
  }

  /** Records of the newest of one key that go on, here or on other nodes, the newest first. */
  async active(key: string | null): Promise<readonly RunRecord[]> {
    const kept = await this.#options.records.active(mostListed, key);
    const here = this.open.filter((run) => run.key === key);
    const known = new Set(here.map(({ thread_id }) => thread_id));
    return [...here, ...kept.filter(({ thread_id }) => !known.has(thread_id))].toSorted(
      (one, other) => other.started_ms - one.started_ms,
    );
  }

  /** Records of the newest of one key that have ended, the newest first. */
  ended(key: string | null): Promise<readonly RunRecord[]> {
    return this.#options.records.ended(mostListed, key);
  }

  /** The record of a run of a key, going on or ended; undefined when there is none. */
  async record(id: string, key: string | null): Promise<RunRecord | undefined> {
    const run = this.#runs.get(id);
    const record = run ? current(run) : await this.#options.records.get(id);
    return record?.key === key ? record : undefined;
  }

  /**
   * The events of a run, going on or ended, after a number, as server-sent events with ids; ends with the event that ends the run.
   *
   * @throws {ServiceError} `busy` when it has as many readers as it may.
   */
  follow(id: string, after: number): ReadableStream<Uint8Array> {
    const readers = this.#readers.get(id) ?? 0;
    if (readers >= mostReaders)
      throw new ServiceError("busy", `the run has ${mostReaders} readers; wait for one to leave`);
    this.#readers.set(id, readers + 1);
    const events = this.#runs.get(id)?.log ?? new StoredEvents(this.#options.records, id);
    return eventBody(events, after, () => {
      const left = (this.#readers.get(id) ?? 0) - 1;
      if (left > 0) this.#readers.set(id, left);
      else this.#readers.delete(id);
    });
  }

  /**
   * Starts a run; its events come from now on. Its slots are taken before the first wait.
   *
   * @throws {ServiceError} `busy`, `storage-failed` when its record can't be kept.
   */
  async start(assignment: Assignment): Promise<StartedRun> {
    const { sessions, records, clock, log } = this.#options;
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
    // Of a new task nobody knows yet what in it is a secret; that of a function has none.
    const task = assignment.makesFunction ? null : assignment.task;
    const stream = new EventStream();
    if (assignment.isDetached) void stream.body.cancel();
    const onFault = (err: unknown): void => log.warn({ err, run: id }, "events of a run can't be written");
    const run: Run = {
      id,
      assignment,
      stream,
      log: new RunLog({ id, records, onFault }),
      spans: new RunSpans(),
      stop: new AbortController(),
      permit,
      free: () => {
        this.#runs.delete(id);
        slot.release();
      },
      record: { ...begun, thread_id: id, started_ms, key, task },
      working: Promise.resolve(),
      over: Promise.resolve(),
    };
    const recorded = records.create(id, started_ms, key, task);
    this.#runs.set(id, run);
    run.over = recorded
      .then(
        () => run.spans.during(id, () => this.#run(run)),
        () => permit.release(),
      )
      .finally(run.free);
    try {
      await recorded;
      this.#options.onBegin?.();
      return { id, stream };
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
      if (!limits.outlivesReader && !assignment.isDetached)
        stop.abort(new Stop({ type: "cancelled", reason: "reader_gone" }));
    });
    let session: Session | undefined;
    let event: TerminalEvent;
    try {
      // Not waited for: nothing else is in the stream yet, and the session takes over its slot at once.
      void tell(run, { type: "status", status: "starting" });
      const creation = sessions.create({}, { permit, signal: stop.signal, key: run.record.key });
      session = await untilAborted(creation, stop.signal, (late) => late.end("requested"));
      await this.#change(run, { session_id: session.id });
      void session.space.lost.then(() => stop.abort(new Stop(sessionLost)));
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
    await run.log.flush();
    const own = told(event, run.id, cost_usd);
    await this.#change(run, {
      ended_ms: clock.now(),
      end: event.type,
      reason: reasonOf(event),
      cost_usd,
      task: run.record.task,
      outcome: JSON.stringify(own),
    });
    log.info({ run: run.id, session: session?.id, end: event.type, cost_usd }, "a run has ended");
    this.#options.onEnd?.(event.type, cost_usd);
    run.spans.end(event.type, cost_usd);
    if (isAtRest) run.free();
    const last = await this.#outcomeOf(run, own);
    run.log.end(JSON.stringify(last));
    stream.end(last);
    await ended;
  }

  async #work(run: Run, session: Session): Promise<TerminalEvent> {
    const { permit, viewerUrl } = this.#options;
    const { id, assignment } = run;
    const { worker, task, makesFunction } = assignment;
    const { signal } = run.stop;
    const place = {
      activePage: session.activePage,
      acted: () => session.acted(),
      permit,
      signal,
      tell: async (event: ProgressEvent) => {
        signal.throwIfAborted();
        const cost_usd = worker.cost();
        const steps = run.record.steps + (event.type === "tool_result" ? 1 : 0);
        if (cost_usd !== run.record.cost_usd) await this.#change(run, { cost_usd, steps });
        else if (steps !== run.record.steps) void this.#change(run, { steps });
        await tell(run, event);
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
    run.record = { ...run.record, task: work.task };
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
    const { outcome: _, ...changed } = change;
    run.record = { ...run.record, ...changed };
    await this.#options.records.change(run.id, change);
  }

  /** The event that ends a run: its own, unless others have ended it before, because this node was not heard of. */
  async #outcomeOf(run: Run, own: TerminalEvent): Promise<TerminalEvent> {
    const record = await this.#options.records.get(run.id).catch(() => undefined);
    return record && isLost(record) ? outcomeOf(record) : own;
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

/** Tells an event to whoever reads it; waits for whoever started the run only. */
function tell({ log, stream, spans }: Run, event: ProgressEvent): Promise<void> {
  log.add(event);
  spans.observe(event);
  return stream.tell(event);
}
