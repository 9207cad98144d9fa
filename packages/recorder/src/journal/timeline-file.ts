import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence } from "../storage-failure.ts";

/** Name of the file of a timeline, in the folder of its recording: one JSON object a line, in order. */
export const timelineFile = "timeline.jsonl";

/** Time for which lines are collected before they are written, in milliseconds: the loss when the process crashes. */
const gatherMs = 500;

/**
 * Appends lines to the file of a timeline. Lines that can't be written are kept and retried with the next ones; the caller bounds their
 * number.
 */
export class TimelineFile {
  readonly #path: string;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #bytes = 0;
  #isTorn = false;

  /** @param folder - Folder that the file is written to; there already. */
  constructor(folder: string) {
    this.#path = join(folder, timelineFile);
  }

  /** Bytes of complete lines in the file. They never change. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a line, without its line feed. It is written within half a second. */
  add(line: string): void {
    this.#waiting.push(line);
    if (this.#timer) return;
    this.#timer = setTimeout(() => void this.flush().catch(() => undefined), gatherMs);
    this.#timer.unref();
  }

  /** Writes all that waits. Rejects when that can't be written now: call it again to retry. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    const lines = [...this.#waiting];
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    const file = await open(this.#path, "a");
    try {
      if (this.#isTorn) await file.truncate(this.#bytes);
      this.#isTorn = true;
      await file.appendFile(bytes);
      this.#isTorn = false;
      this.#bytes += bytes.length;
      this.#waiting.splice(0, lines.length);
    } finally {
      await file.close();
    }
  }
}

/** Reads the timeline in the folder of a recording; empty when it is missing. */
export async function readTimeline(folder: string): Promise<string> {
  return readFile(join(folder, timelineFile), "utf8").catch((error: unknown) => {
    if (isAbsence(error)) return "";
    throw error;
  });
}
