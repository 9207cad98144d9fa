/** What one loop sleeps by: for a time, or until it is woken. A ring that nobody waits for is kept for the next wait. */
export class Alarm {
  #hasRung = false;
  #wake: (() => void) | undefined;

  /** Wakes whoever waits. */
  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Resolves after so many milliseconds, or when it rings. */
  async wait(ms: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#hasRung = false;
  }
}
