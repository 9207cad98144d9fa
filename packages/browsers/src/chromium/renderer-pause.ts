import { isProcessOfType, listBrowserProcesses } from "./browser-processes.ts";
import { sendSignal } from "./send-signal.ts";

/**
 * Pauses the renderer processes of a browser, so that it can process their messages: they send as fast as they can, it reads in one thread,
 * and its queue is unbounded. Does nothing on platforms other than Linux.
 */
export class RendererPause {
  readonly #browserPid: number | undefined;
  #stopped: readonly number[] = [];

  /** @param browserPid - Id of the main process and of its process group; undefined if it could not be started. */
  constructor(browserPid: number | undefined) {
    this.#browserPid = browserPid;
  }

  /** Pauses them. Can be called again. */
  begin(): void {
    if (this.#browserPid === undefined || this.#stopped.length > 0) return;
    this.#stopped = listBrowserProcesses(this.#browserPid)
      .filter((pid) => isProcessOfType(pid, "renderer"))
      .filter((pid) => sendSignal(pid, "SIGSTOP"));
  }

  /** Resumes them. */
  end(): void {
    for (const pid of this.#stopped) sendSignal(pid, "SIGCONT");
    this.#stopped = [];
  }
}
