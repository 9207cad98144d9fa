import { renderersOf } from "./memory.ts";

/**
 * Stops the processes that run pages of a browser, so that it can work off what they have sent: they send as fast as they can, it reads
 * that in one thread, and what waits has no bound. Where the platform does not tell which processes those are (elsewhere than Linux)
 * nothing is stopped.
 */
export class RendererPause {
  readonly #browserPid: number;
  #stopped: Promise<readonly number[]> | undefined;

  /** @param browserPid - Id of the main process, and of the group of all. */
  constructor(browserPid: number) {
    this.#browserPid = browserPid;
  }

  /** Stops them; a second call changes nothing. */
  begin(): void {
    this.#stopped ??= renderersOf(this.#browserPid).then((pids) => pids.filter((pid) => signal(pid, "SIGSTOP")));
  }

  /** Lets them go on. */
  end(): void {
    const stopped = this.#stopped;
    this.#stopped = undefined;
    void stopped?.then((pids) => pids.forEach((pid) => signal(pid, "SIGCONT")));
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
