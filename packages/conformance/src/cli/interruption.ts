/** Aborts a signal on the first Ctrl-C or SIGTERM, and ends the process with exit code 130 on the second one, even during the writing. */
export class Interruption {
  readonly #controller = new AbortController();
  /** Called by the first Ctrl-C. */
  onFirst: (() => void) | undefined;

  constructor() {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, this.#receive);
  }

  /** Aborted by the first Ctrl-C. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #receive = (): void => {
    if (this.signal.aborted) process.exit(130);
    this.onFirst?.();
    this.#controller.abort();
  };
}
