import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pTimeout from "p-timeout";
import {
  AutomationError,
  type FunctionRecord,
  type ProgressEvent,
  type TerminalEvent,
  undeclaredVariables,
  type Work,
} from "@cloud-browser/automation";
import { untilAborted } from "../async.ts";
import { openFilesAtWork, listDownloads } from "../files/files-at-work.ts";
import type { GivenFile } from "../files/given-file.ts";
import { ServiceError, findServiceError } from "../service-error.ts";
import type { RunChange, RunRecord } from "../storage/run-store.ts";
import type { Permit } from "../semaphore.ts";
import type { Session } from "../sessions/session.ts";
import type { RunSpans } from "../tracing/run-spans.ts";
import { makePersonAtRun } from "./person-at-run.ts";
import { RunClock } from "./run-clock.ts";
import type { RunLog } from "./run-log.ts";
import type { Assignment, RunsOptions } from "./run-options.ts";
import {
  isLost,
  recoverTerminalEvent,
  findReason,
  sessionLost,
  withCost,
  makeTimeoutEvent,
} from "./terminal-events.ts";
import { makeNoFilesError } from "../session-refusals.ts";

/** Longest time from the end of a run to its terminal event, in milliseconds; its browser is closed meanwhile. */
const endTimeoutMs = 5_000;

/** Interval of the checks whether the end of a run is stored, and how long readers wait for it, in milliseconds. */
const settling = { everyMs: 250, mostMs: 60_000 } as const;

/** An active run of this process. */
export interface ActiveRun {
  readonly id: string;
  readonly assignment: Assignment;
  readonly log: RunLog;
  readonly spans: RunSpans;
  readonly stop: AbortController;
  /** The slot of its session. */
  readonly permit: Permit;
  /** Releases its slot, before the reader sees the end and may start another run. */
  readonly free: () => void;
  /** Current record, without the cost. */
  record: RunRecord;
  /** Settles when its worker has finished, and its cost is final. */
  working: Promise<unknown>;
  /** Resolved with its terminal event, or with the reason why that is unknown. */
  readonly ended: PromiseWithResolvers<TerminalEvent | ServiceError>;
  /** Settles when everything of it is closed. */
  over: Promise<void>;
}

/** Reason why a run was stopped from outside; it becomes a terminal event. */
export class Stop extends Error {
  readonly event: TerminalEvent;

  constructor(event: TerminalEvent) {
    super(event.type);
    this.event = event;
  }
}

/** Performs runs: from the session of each to its one terminal event. */
export class RunPerformer {
  readonly #options: RunsOptions;
  readonly #closed: AbortSignal;

  /** @param closed - Aborts when the process ends, so that no reader waits any longer. */
  constructor(options: RunsOptions, closed: AbortSignal) {
    this.#options = options;
    this.#closed = closed;
  }

  /** Performs a run in a session of its own; resolves when everything of it is closed. Failures of the run never reject it. */
  async perform(run: ActiveRun): Promise<void> {
    const { limits, log, sessions, clock } = this.#options;
    const { stop, permit, assignment } = run;
    const time = new RunClock(limits.timeMs, () => stop.abort(new Stop(makeTimeoutEvent(limits.timeMs))));
    let session: Session | undefined;
    let event: TerminalEvent;
    try {
      // Not waited for: nothing else is in the stream yet, and the session takes over its slot at once.
      void emit(run, { type: "status", status: "starting" });
      const { profile } = assignment;
      const creation = sessions.create(profile ? { profile } : {}, {
        permit,
        signal: stop.signal,
        key: run.record.key,
      });
      session = await untilAborted(creation, stop.signal, (late) => late.end("requested"));
      await this.#change(run, { session_id: session.id });
      void session.pooledContext.lost.then(() => stop.abort(new Stop(sessionLost)));
      event = await this.#work(run, session, time);
    } catch (error) {
      event = this.#createTerminal(stop.signal.aborted ? stop.signal.reason : error);
    } finally {
      time.stop();
    }
    stop.abort(new Stop({ type: "cancelled", reason: "over" })); // whatever is still active for this run
    session?.history.endRun(event);
    const isShutdown = event.type === "cancelled" && event.reason === "shutdown";
    const sessionEnd = session
      ?.end(isShutdown ? "shutdown" : "requested")
      .catch((error: unknown) => log.warn({ err: error }, "failed to end the session of a run"));
    // A reader of the end finds the slots of the run and its session free, and the full cost; this bounds how long that may take.
    const allClosed = Promise.all([sessionEnd, run.working]).then(() => true);
    const isClosed = await pTimeout(allClosed, { milliseconds: endTimeoutMs, fallback: () => false });
    const cost_usd = assignment.worker.cost();
    await run.log.flush();
    const own = withCost(event, run.id, cost_usd);
    await this.#options.records.change(run.id, {
      // Never before the start, even when the clock was set back.
      ended_ms: Math.max(run.record.started_ms, clock.now()),
      end: event.type,
      reason: findReason(event),
      cost_usd,
      task: run.record.task,
      outcome: JSON.stringify(own),
    });
    const last = await this.#settle(run, own);
    const end = last instanceof Error ? "unknown" : last.type;
    log.info({ run: run.id, session: session?.id, end, cost_usd }, "a run has ended");
    this.#options.onEnd?.(event.type, cost_usd, run.record.key);
    this.#options.onChange?.(run.record.key);
    run.spans.end(event.type, cost_usd);
    if (isClosed) run.free();
    if (last instanceof Error) {
      run.log.breakOff(last);
    } else {
      run.log.end(JSON.stringify(last));
    }
    run.ended.resolve(last);
    await sessionEnd;
  }

  async #work(run: ActiveRun, session: Session, time: RunClock): Promise<TerminalEvent> {
    const { checkUrl, viewerUrl, sessions, handovers, limits } = this.#options;
    const { id, assignment } = run;
    const { worker, task, makesFunction } = assignment;
    const { stop } = run;
    const { signal } = stop;
    session.touch();
    const person = makePersonAtRun({
      session,
      handovers,
      askMs: limits.askMs,
      clock: time,
      emit: (event) => place.emit(event),
      signal,
    });
    session.history.beginRun(id);
    await receiveFiles(session, assignment.files ?? [], signal);
    const place = {
      ...person,
      activePage: session.activePage,
      files: openFilesAtWork(session.files),
      holdDialogs: () => session.holdDialogs(),
      onAction: () => {
        if (!sessions.mayAct) stop.abort(new Stop(sessionLost));
        signal.throwIfAborted();
        session.noteAction();
        session.history.actors.noteAct("run");
      },
      checkUrl,
      signal,
      emit: async (event: ProgressEvent) => {
        signal.throwIfAborted();
        const cost_usd = worker.cost();
        const steps = run.record.steps + (event.type === "tool_result" ? 1 : 0);
        if (cost_usd !== run.record.cost_usd) await this.#change(run, { cost_usd, steps });
        else if (steps !== run.record.steps) void this.#change(run, { steps });
        session.history.observeRun(event);
        await emit(run, event);
        signal.throwIfAborted();
      },
    };
    // What is beyond the key field is ours: with the id, the recording of the run can be read.
    const sessionEvent = {
      type: "notte_session_data" as const,
      viewer_url: viewerUrl(session.id),
      session_id: session.id,
    };
    await place.emit(sessionEvent);
    await place.emit({ type: "status", status: "running" });
    const working = worker.work(task, place);
    run.working = working.catch(() => undefined);
    const work = await untilAborted(working, signal);
    run.record = { ...run.record, task: work.task };
    const functionRecord =
      makesFunction && this.#isRunnable(work) ? await this.#keep(work, run.record.key, signal) : undefined;
    if (functionRecord) {
      const { function_id, function_name, created_at } = functionRecord;
      await this.#change(run, { function_id });
      await place.emit({ type: "function_uploaded", function_id, function_name, created_at });
    }
    const { data, completeness, notes, succeeded } = work;
    const files = listDownloads(session.files);
    return {
      type: "done",
      metadata: {
        thread_id: id,
        ...(Object.keys(data).length === 0 ? {} : { data }),
        ...(completeness === undefined ? {} : { completeness }),
        ...(notes === undefined ? {} : { notes }),
        // Each is fetched by its id, under the session that `notte_session_data` tells.
        ...(files.length === 0 ? {} : { files }),
        ...(succeeded === undefined ? {} : { succeeded }),
      },
      total_cost_usd: Number(worker.cost()),
      ...(functionRecord === undefined ? {} : { function_id: functionRecord.function_id }),
    };
  }

  async #change(run: ActiveRun, change: Omit<RunChange, "outcome">): Promise<void> {
    run.record = { ...run.record, ...change };
    await this.#options.records.change(run.id, change);
    this.#options.onChange?.(run.record.key);
  }

  /**
   * Waits until the end of a run is stored, and returns its terminal event: the run's own, unless another node has ended the run because
   * this one lost its lease. Returns an error when the store doesn't confirm it in time.
   */
  async #settle(run: ActiveRun, own: TerminalEvent): Promise<TerminalEvent | ServiceError> {
    const { records } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(settling.mostMs), this.#closed]);
    for (;;) {
      const answer = await records.settle(run.id).then(
        (record) => ({ record }),
        () => undefined,
      );
      const record = answer?.record ?? run.record;
      if (record.ended_ms !== null) {
        run.record = record;
        return isLost(record) ? recoverTerminalEvent(record) : own;
      }
      if (answer && !answer.record) return own; // the run was deleted
      if (signal.aborted)
        return new ServiceError("storage-failed", "the end of the run is not stored yet; read it again");
      await delay(settling.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns whether a work can be run again as a function: it has steps, and a declared variable for each name in them. */
  #isRunnable({ steps, variables }: Work): boolean {
    const undeclared = undeclaredVariables(steps, variables);
    if (undeclared.length > 0)
      this.#options.log.error({ undeclared }, "no function was kept: its steps name variables that are not declared");
    return steps.length > 0 && undeclared.length === 0;
  }

  /** Stores a function; resolves when all nodes can read it, so that it outlives this node. */
  async #keep(
    { task: query, name, steps, variables }: Work,
    key: string | null,
    signal: AbortSignal,
  ): Promise<FunctionRecord> {
    const { functions, clock } = this.#options;
    const created_at = new Date(clock.now()).toISOString().replace("Z", "+00:00");
    const record = { function_id: randomUUID(), function_name: name, created_at, query, variables, steps };
    await functions.save(record, key);
    const isStored = (): Promise<boolean> =>
      functions.settle().then(
        () => true,
        () => false,
      );
    while (!(await isStored())) await delay(settling.everyMs, undefined, { signal, ref: false });
    return record;
  }

  #createTerminal(error: unknown): TerminalEvent {
    if (error instanceof Stop) return error.event;
    if (error instanceof AutomationError) return { type: "error", error: error.code, detail: error.message };
    const serviceError = findServiceError(error);
    if (serviceError)
      return { type: "error", error: serviceError.code.replaceAll("-", "_"), detail: serviceError.message };
    this.#options.log.error({ err: error }, "a run failed");
    return { type: "error", error: "internal", detail: "Internal error; see the log of the service." };
  }
}

/**
 * Adds the files that a run is started with to those of its session.
 *
 * @throws {AutomationError} `step_failed` when one is too large.
 * @throws {ServiceError} `busy`, `session-unreachable`, `storage-failed`.
 */
async function receiveFiles(session: Session, files: readonly GivenFile[], signal: AbortSignal): Promise<void> {
  for (const { name, read } of files) {
    if (!session.files) throw makeNoFilesError();
    const upload = await untilAborted(session.files.upload(name, await read()), signal);
    if ("tooLarge" in upload)
      throw new AutomationError("step_failed", `the file ${JSON.stringify(name)} is too large: ${upload.tooLarge}`);
  }
}

/** Delivers an event to all readers; waits only for the one that started the run. */
function emit({ log, spans }: ActiveRun, event: ProgressEvent): Promise<void> {
  log.add(event);
  spans.observe(event);
  return log.waitForRoom();
}
