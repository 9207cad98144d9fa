import { randomUUID } from "node:crypto";
import type { TerminalEvent } from "@cloud-browser/automation";
import { adviceOnStorage, describeStorageError } from "@cloud-browser/recorder";
import { newRun, type RunRecord } from "../storage/run-store.ts";
import { Semaphore } from "../semaphore.ts";
import { ServiceError } from "../service-error.ts";
import { RunSpans } from "../tracing/run-spans.ts";
import { streamRunEvents } from "./event-body.ts";
import { RunPerformer, Stop, type ActiveRun } from "./perform-run.ts";
import { RunLog } from "./run-log.ts";
import type { Assignment, RunPermit, RunsOptions, StartedRun } from "./run-options.ts";
import { StoredEvents } from "./stored-events.ts";

/** How long shutdown waits for ends of runs that can't be stored, in milliseconds. */
const closeTimeoutMs = 5_000;

/** Maximum number of concurrent readers of one run, besides the one that started it. */
const maxReaders = 16;

/** Maximum length of a list of runs. */
const maxListed = 100;

/** The automation runs of the service. */
export class Runs {
  readonly #options: RunsOptions;
  readonly #performer: RunPerformer;
  readonly #runs = new Map<string, ActiveRun>();
  /** A run holds its slot, and that of its session, from the request until its session has ended. */
  readonly #slots: Semaphore;
  /** Number of readers by run. */
  readonly #readers = new Map<string, number>();
  readonly #givenUp = new AbortController();
  #closed = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#performer = new RunPerformer(options, this.#givenUp.signal);
    this.#slots = new Semaphore(options.limits.count);
  }

  /** Records of the active runs of this process, the oldest first, with their cost until now. */
  get open(): readonly RunRecord[] {
    return [...this.#runs.values()].map(describeNow);
  }

  /** Returns whether a run is active in this process. */
  has(id: string): boolean {
    return this.#runs.has(id);
  }

  /** Records of the newest active runs of one key, on any node, the newest first; undefined: of all keys. */
  async listActive(key: string | null | undefined): Promise<readonly RunRecord[]> {
    const records = await this.#options.records.listActive(maxListed, key);
    const here = this.open.filter((run) => isOwnedBy(run, key));
    const ownIds = new Set(here.map(({ thread_id }) => thread_id));
    return [...here, ...records.filter(({ thread_id }) => !ownIds.has(thread_id))].toSorted(
      (one, other) => other.started_ms - one.started_ms,
    );
  }

  /** Records of the newest ended runs of one key, the newest first; undefined: of all keys. */
  listEnded(key: string | null | undefined): Promise<readonly RunRecord[]> {
    return this.#options.records.listEnded(maxListed, key);
  }

  /** The record of a run of a key, or, where that is undefined, of any; active or ended. Undefined when there is none. */
  async findRecord(id: string, key: string | null | undefined): Promise<RunRecord | undefined> {
    const run = this.#runs.get(id);
    const record = run ? describeNow(run) : await this.#options.records.get(id);
    return record && isOwnedBy(record, key) ? record : undefined;
  }

  /**
   * Returns the events of a run, active or ended, after a number, as server-sent events with ids, up to the terminal event.
   *
   * @throws {ServiceError} `busy` when it has the maximum number of readers.
   */
  follow(id: string, after: number): ReadableStream<Uint8Array> {
    const readers = this.#readers.get(id) ?? 0;
    if (readers >= maxReaders)
      throw new ServiceError("busy", `the run has ${maxReaders} readers; wait for one to leave`);
    this.#readers.set(id, readers + 1);
    const events = this.#runs.get(id)?.log ?? new StoredEvents(this.#options.records, id);
    return streamRunEvents(events, after, () => {
      const others = (this.#readers.get(id) ?? 0) - 1;
      if (others > 0) this.#readers.set(id, others);
      else this.#readers.delete(id);
    });
  }

  /**
   * Acquires the slots of a run and its session. The caller releases them, or passes them to `start`, which does.
   *
   * @param key - Name of the key that it is for.
   * @param keyLimit - Most sessions of that key.
   * @throws {ServiceError} `busy` when the limit of runs or sessions is reached, `stopping`.
   */
  reserve(key: string | null = null, keyLimit = Infinity): RunPermit {
    if (this.#closed)
      throw new ServiceError(
        "stopping",
        "the service is stopping and accepts no new runs; ask another node, or try again later",
      );
    const slot = this.#slots.tryAcquire();
    if (!slot)
      throw new ServiceError(
        "busy",
        `run limit (${this.#slots.limit}) reached; wait for one to end, or let the operator of the service raise it`,
      );
    try {
      const session = this.#options.sessions.reserve(key, keyLimit);
      const release = (): void => {
        slot.release();
        session.release();
      };
      return { slot, session, release };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /**
   * Starts a run.
   *
   * @param permit - Its slots. Default: they are acquired now, before the first wait.
   * @throws {ServiceError} `busy`, `storage-failed` when its record can't be kept.
   */
  async start(assignment: Assignment, permit?: RunPermit): Promise<StartedRun> {
    const { sessions, records, clock, log, limits } = this.#options;
    const { key = null } = assignment;
    const { slot, session } = permit ?? this.reserve(key);
    const id = randomUUID();
    const started_ms = clock.now();
    // Secrets of a new task are not known yet; the task of a function has none.
    const task = assignment.makesFunction ? null : assignment.task;
    const onFault = (err: unknown): void => log.warn({ err, run: id }, "events of a run can't be written");
    const run: ActiveRun = {
      id,
      assignment,
      log: new RunLog({ id, records, onFault }),
      spans: new RunSpans(),
      stop: new AbortController(),
      permit: session,
      free: () => {
        this.#runs.delete(id);
        slot.release();
        sessions.queue.advance();
      },
      record: { ...newRun, thread_id: id, started_ms, key, task },
      working: Promise.resolve(),
      ended: Promise.withResolvers<TerminalEvent | ServiceError>(),
      over: Promise.resolve(),
    };
    const leave = (): void => {
      if (!limits.outlivesReader) run.stop.abort(new Stop({ type: "cancelled", reason: "reader_gone" }));
    };
    const body = assignment.isDetached ? null : run.log.open(leave);
    const creation = records.create(id, started_ms, key, task);
    this.#runs.set(id, run);
    run.over = creation
      .then(
        () => run.spans.run(id, () => this.#performer.perform(run)),
        () => session.release(),
      )
      .finally(run.free);
    try {
      await creation;
      this.#options.onBegin?.();
      return { id, body, ended: run.ended.promise };
    } catch (cause) {
      const why = `the run could not be stored: ${describeStorageError(cause)}; ${adviceOnStorage(cause)}`;
      throw new ServiceError("storage-failed", why, { cause });
    }
  }

  /** Cancels a run; returns whether there was one. */
  cancel(id: string, reason = "requested"): boolean {
    const run = this.#runs.get(id);
    run?.stop.abort(new Stop({ type: "cancelled", reason }));
    return run !== undefined;
  }

  /** Cancels all runs; none is started from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    const runs = [...this.#runs.values()];
    for (const { id } of runs) this.cancel(id, "shutdown");
    const giveUp = setTimeout(() => this.#givenUp.abort(), closeTimeoutMs);
    await Promise.allSettled(runs.map(({ over }) => over));
    clearTimeout(giveUp);
  }
}

/** Returns whether a key may see a run. */
function isOwnedBy(run: Pick<RunRecord, "key">, key: string | null | undefined): boolean {
  return key === undefined || key === run.key;
}

function describeNow({ record, assignment }: ActiveRun): RunRecord {
  return { ...record, cost_usd: assignment.worker.cost() };
}
