import type { DatabaseSync } from "node:sqlite";
import type { TerminalEvent } from "@cloud-browser/automation";

/** What is kept of an automation run beyond its end. */
export interface RunRecord {
  /** Its id, a UUID: `metadata.thread_id` of its terminal event. */
  readonly thread_id: string;
  /** Its session; null until that is there. */
  readonly session_id: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly started_ms: number;
  /** When it ended, in milliseconds since 1970; null while it goes on. */
  readonly ended_ms: number | null;
  /** Type of its terminal event, or `service-died` when the service ended before it; null while it goes on. */
  readonly end: TerminalEvent["type"] | "service-died" | null;
  /** `error` or `reason` of its terminal event; null for `done`, and while it goes on. */
  readonly reason: string | null;
  /** What it has cost, in US dollars: an exact decimal. */
  readonly cost_usd: string;
  /** The function that it ended in; null when it made none. */
  readonly function_id: string | null;
}

/** How long the record of an ended run is kept, in milliseconds: a week, as that of its session. */
const keptMs = 7 * 24 * 3_600_000;

const columns = `thread_id, session_id, started_ms, ended_ms, "end", reason, cost_usd, function_id`;

type Change = Partial<Omit<RunRecord, "thread_id" | "started_ms">>;

/** The automation runs of this service, those that have ended too. A change that can't be written, because the disk is full, say, is told and otherwise lost. */
export class RunRecords {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Told of a change that could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  /** Keeps a run that begins, and forgets what ended long ago. */
  create(threadId: string, startedMs: number): void {
    this.#write(() => {
      this.#forgetOld(startedMs);
      const insert = "INSERT INTO runs (thread_id, started_ms, cost_usd) VALUES (?, ?, '0')";
      this.#database.prepare(insert).run(threadId, startedMs);
    });
  }

  /** Keeps what is new of a run. */
  change(threadId: string, change: Change): void {
    const names = Object.keys(change).map((name) => `"${name}" = :${name}`);
    const update = `UPDATE runs SET ${names.join(", ")} WHERE thread_id = :id`;
    this.#write(() => this.#database.prepare(update).run({ id: threadId, ...change }));
  }

  /** The record of a run; undefined when there is none. */
  get(threadId: string): RunRecord | undefined {
    const row = this.#database.prepare(`SELECT ${columns} FROM runs WHERE thread_id = ?`).get(threadId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return row as RunRecord | undefined;
  }

  /** The run that a session was opened for; undefined when it was opened for none. */
  ofSession(sessionId: string): RunRecord | undefined {
    const row = this.#database.prepare(`SELECT ${columns} FROM runs WHERE session_id = ?`).get(sessionId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return row as RunRecord | undefined;
  }

  /** The newest runs that have ended, the newest first. */
  ended(limit: number): RunRecord[] {
    const select = `SELECT ${columns} FROM runs WHERE ended_ms IS NOT NULL ORDER BY started_ms DESC LIMIT ?`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return this.#database.prepare(select).all(limit) as unknown as RunRecord[];
  }

  /** Ends what an earlier process left open, and forgets what ended long ago. */
  recover(nowMs: number): void {
    this.#write(() => {
      const left = this.#database.prepare(`UPDATE runs SET ended_ms = ?, "end" = ? WHERE ended_ms IS NULL`);
      left.run(nowMs, "service-died" satisfies RunRecord["end"]);
      this.#forgetOld(nowMs);
    });
  }

  #forgetOld(nowMs: number): void {
    this.#database.prepare("DELETE FROM runs WHERE ended_ms < ?").run(nowMs - keptMs);
  }

  #write(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#onFault(error);
    }
  }
}
