interface Job {
  readonly group: string;
  readonly run: () => Promise<void>;
  readonly drop: () => void;
  isUrgent: boolean;
}

/** Runs the encoders of all recordings, few at a time, those that somebody waits for first. */
export class EncodeQueue {
  readonly #atOnce: number;
  readonly #waiting: Job[] = [];
  #running = 0;
  #isClosed = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Runs something when its turn comes. Rejects with what it throws, or when the queue is closed before. */
  add<T>(group: string, isUrgent: boolean, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const drop = (): void => reject(new Error("The encoder queue was closed."));
      if (this.#isClosed) return drop();
      this.#waiting.push({ group, isUrgent, drop, run: () => run().then(resolve, reject) });
      this.#next();
    });
  }

  /** Makes all that waits of a group urgent. */
  hurry(group: string): void {
    for (const job of this.#waiting) if (job.group === group) job.isUrgent = true;
  }

  /** Starts nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.drop();
  }

  #next(): void {
    if (this.#running >= this.#atOnce) return;
    const urgent = this.#waiting.findIndex(({ isUrgent }) => isUrgent);
    const [job] = this.#waiting.splice(Math.max(urgent, 0), 1);
    if (!job) return;
    this.#running += 1;
    void job.run().finally(() => {
      this.#running -= 1;
      this.#next();
    });
  }
}
