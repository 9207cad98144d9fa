import { renderersOf } from "./process-memory.ts";

/**
 * Stops the processes that run pages of a browser, so that it can work off what they have sent: they send as fast as they can, it reads
 * that in one thread, and what waits has no bound. Where the platform does not tell which processes those are (elsewhere than Linux)
 * nothing is stopped.
 */
export class RendererPause {
  readonly #browserPid: number | undefined;
  #stopped: readonly number[] = [];

  /** @param browserPid - Id of the main process, and of the group of all; undefined: it could not be started. */
  constructor(browserPid: number | undefined) {
    this.#browserPid = browserPid;
  }

  /** Stops them; a second call changes nothing. */
  begin(): void {
    if (this.#browserPid === undefined || this.#stopped.length > 0) return;
    this.#stopped = renderersOf(this.#browserPid).filter((pid) => signal(pid, "SIGSTOP"));
  }

  /** Lets them go on. */
  end(): void {
    for (const pid of this.#stopped) signal(pid, "SIGCONT");
    this.#stopped = [];
  }
}

/** Returns whether there was such a process. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
