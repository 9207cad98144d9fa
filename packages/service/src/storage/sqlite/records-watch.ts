import { closeSync, openSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { isAbsence } from "@cloud-browser/recorder";
import { describeServiceError } from "../../service-error.ts";

/** How often a watch looks, and how long its looks may take. */
export interface WatchOptions {
  /** Called when damage is found, with what it is, and when it is over, without. */
  readonly onChange?: (fault: string | undefined) => void;
  /** Interval of the looks, in milliseconds. Default: 5,000; 0: only when it is told to. */
  readonly everyMs?: number;
}

const everyMs = 5_000;

/** The least time between two looks at all pages, and how many times as long as the look itself it is at least; in milliseconds. */
const allPages = { leastMs: 10_000, factor: 1_000 } as const;

/** Bytes of a file whose pages are all looked at: at half a second per gigabyte, statements wait for it for an eighth of a second at most. */
const maxBytes = 2 ** 28;

/** How a file of SQLite begins. */
const magic = Buffer.from("SQLite format 3\0");

/** Codes of SQLite: an error of reading or writing, a damaged page, what is no database. */
const ofDamage: ReadonlySet<number> = new Set([10, 11, 26]);

/** Knowledge of a file that only this process changes. */
interface SeenFile {
  readonly name: string;
  readonly path: string;
  id: string | undefined;
  size: number;
}

/**
 * Watches the file of records, which nothing but this process may change: whether it is still there, whole, and the same; whether its pages can
 * be read; and what statements meet. A service that goes on with damaged records, or with a file that has no name any more, loses all that it
 * writes.
 */
export class RecordsWatch {
  readonly #database: DatabaseSync;
  readonly #files: readonly SeenFile[];
  readonly #options: WatchOptions;
  /** Open as long as the records are: to close it would release the locks of the process. */
  readonly #handle: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Reason why the file itself is not as it was left. */
  #ofFile: string | undefined;
  /** Error that a statement, or a look at all pages, has met. */
  #ofPages: string | undefined;
  #lastFault: string | undefined;
  #looking: Promise<string | undefined> | undefined;
  #allPagesAtMs = performance.now() + allPages.leastMs;

  /**
   * @param database - The records, open; their statements are watched from now on.
   * @param file - Path of their file.
   * @throws An error of the system when the file can't be opened.
   */
  constructor(database: DatabaseSync, file: string, options: WatchOptions = {}) {
    this.#database = database;
    this.#options = options;
    this.#files = ["", "-wal"].map((end) => ({
      name: `records.sqlite${end}`,
      path: file + end,
      id: undefined,
      size: 0,
    }));
    this.#handle = openSync(file, "r");
    watchStatements(database, (error) => this.#notice(error));
    const interval = options.everyMs ?? everyMs;
    if (interval > 0) this.#timer = setInterval(() => void this.look(), interval).unref();
  }

  /** Reason why the records are damaged, as a sentence for operators with what to do; undefined while nothing is known of that. */
  get fault(): string | undefined {
    const what = this.#ofFile ?? this.#ofPages;
    if (what === undefined) return undefined;
    const advice = "stop the service, restore the records from a backup, and start it again";
    return `the records are damaged (${what}): what is written now may be lost; ${advice}`;
  }

  /** Looks at the file, and at its pages when that is due or a statement has met damage. Returns `fault`. Never rejects. */
  look(): Promise<string | undefined> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<string | undefined> {
    this.#ofFile = await this.#lookAtFiles().catch(() => undefined);
    const isSuspect = this.#ofPages !== undefined;
    if (performance.now() >= this.#allPagesAtMs && (isSuspect || this.#size <= maxBytes)) this.#lookAtPages();
    this.#tell();
    return this.fault;
  }

  /** Ends the watch; to be called when the records are closed. */
  close(): void {
    clearInterval(this.#timer);
    try {
      closeSync(this.#handle);
    } catch {
      // The process ends, and with it all that it has open.
    }
  }

  get #size(): number {
    return this.#files.reduce((sum, { size }) => sum + size, 0);
  }

  async #lookAtFiles(): Promise<string | undefined> {
    const begin = Buffer.alloc(magic.length);
    for (const file of this.#files) {
      const fault = await lookAtFile(file);
      if (fault !== undefined) return fault;
    }
    const count = readSync(this.#handle, begin, 0, begin.length, 0);
    return count === 0 || begin.equals(magic) ? undefined : "records.sqlite was overwritten";
  }

  /** Reads all pages, which are forgotten before, from the disk. */
  #lookAtPages(): void {
    const fromMs = performance.now();
    try {
      this.#database.exec("PRAGMA shrink_memory");
      const result = String(this.#database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]);
      this.#ofPages = result === "ok" ? undefined : result.replaceAll(/\s+/gu, " ");
    } catch {
      // The statement that failed has been noticed.
    }
    const tookMs = performance.now() - fromMs;
    this.#allPagesAtMs = performance.now() + Math.max(allPages.leastMs, tookMs * allPages.factor);
  }

  #notice(error: unknown): void {
    if (!isDamage(error)) return;
    this.#ofPages = describeServiceError(error);
    // Whether it has passed, as an error of a disk may, is looked for soon.
    this.#allPagesAtMs = Math.min(this.#allPagesAtMs, performance.now());
    this.#tell();
  }

  #tell(): void {
    const { fault } = this;
    if ((fault === undefined) === (this.#lastFault === undefined)) return;
    this.#lastFault = fault;
    this.#options.onChange?.(fault);
  }
}

/** Returns whether an error is one of SQLite about its file. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return ofDamage.has(error.errcode & 0xff);
}

/** Returns what happened to a file that was there: it is gone, another one, or shorter. */
async function lookAtFile(before: SeenFile): Promise<string | undefined> {
  const stats = await stat(before.path, { bigint: true }).catch((error: unknown) => {
    if (isAbsence(error)) return undefined;
    throw error;
  });
  if (stats === undefined) return before.id === undefined ? undefined : `${before.name} was deleted`;
  const id = `${stats.dev}:${stats.ino}`;
  before.id ??= id;
  if (before.id !== id) return `${before.name} was replaced`;
  if (Number(stats.size) < before.size) return `${before.name} was truncated`;
  before.size = Number(stats.size);
  return undefined;
}

/** Tells of each error that a database or a statement of it throws, before it goes on. */
function watchStatements(database: DatabaseSync, onError: (error: unknown) => void): void {
  watchMethod(database, "exec", onError);
  watchMethod(database, "prepare", onError, (statement) => {
    for (const name of ["run", "get", "all"]) watchMethod(statement, name, onError);
  });
}

/** Replaces a method of an object by one that tells of what it throws, and of what it returns. */
function watchMethod(
  owner: object,
  name: string,
  onError: (error: unknown) => void,
  onResult: (result: object) => void = () => undefined,
): void {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== "function") return;
  const watch = (...args: unknown[]): unknown => {
    try {
      const result: unknown = Reflect.apply(method, owner, args);
      if (typeof result === "object" && result !== null) onResult(result);
      return result;
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  Object.assign(owner, { [name]: watch });
}
