import { isProcessOfType, listBrowserProcesses, readProcessState } from "./browser-processes.ts";

/** State of a browser by the operating system: a process that it can't do without is `dead`, or stands still (`stopped`). */
export type ProcessFault = "dead" | "stopped";

/**
 * Looks at the processes that a browser needs for each page: its main one and its zygotes, which start all others. It doesn't tell when it
 * has lost a zygote: every page that is opened from then on crashes. Finds nothing on platforms other than Linux.
 */
export class ProcessHealth {
  readonly #group: number;
  readonly #needed: readonly number[];

  /** @param group - Process group of the browser, which has the id of its main process. Its zygotes run. */
  constructor(group: number) {
    this.#group = group;
    this.#needed = listBrowserProcesses(group).filter((pid) => pid === group || isProcessOfType(pid, "zygote"));
  }

  /** Returns what is wrong with them now; undefined when nothing is known. */
  findFault(): ProcessFault | undefined {
    const states = this.#needed.map((pid) => readProcessState(pid, this.#group));
    return states.find((state) => state === "dead") ?? states.find((state) => state === "stopped");
  }
}
