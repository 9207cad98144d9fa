/** One run of a job. */
export interface JobRun {
  /** True when a client waits for it. Otherwise it runs at low priority. */
  readonly isUrgent: boolean;
  /** Aborts the job when it has become urgent; it is run again then. */
  readonly signal: AbortSignal;
}

interface Job {
  readonly group: string;
  /** Resolves with true when it has succeeded or failed, and with false when it was aborted. */
  readonly run: (current: JobRun) => Promise<boolean>;
  readonly drop: () => void;
  isUrgent: boolean;
  cancellation: AbortController;
}

/**
 * Runs the encoders of all recordings with limited concurrency; urgent jobs, whose replay a client waits for, come first. A job that is not
 * urgent runs at low priority, and takes as long as the machine is busy. It never delays an urgent one, and is started again when it
 * becomes urgent.
 */
export class EncodeQueue {
  readonly #concurrency: number;
  readonly #waiting: Job[] = [];
  readonly #running = new Set<Job>();
  #isClosed = false;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Runs a job when a slot is free. Rejects with its error, or when the queue is closed before. */
  add<T>(group: string, isUrgent: boolean, run: (current: JobRun) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const runOnce = async (current: JobRun): Promise<boolean> => {
        try {
          resolve(await run(current));
        } catch (error) {
          if (current.signal.aborted) return false;
          reject(error);
        }
        return true;
      };
      const drop = (): void => reject(new Error("the encoder queue was closed"));
      this.#enqueue({ group, isUrgent, drop, run: runOnce, cancellation: new AbortController() });
    });
  }

  /** Makes all jobs of a group urgent, running ones as well. */
  prioritize(group: string): void {
    for (const job of [...this.#waiting, ...this.#running]) {
      if (job.group !== group || job.isUrgent) continue;
      job.isUrgent = true;
      // A process that has left the processor to others may not take it back.
      if (this.#running.has(job)) job.cancellation.abort();
    }
    this.#next();
  }

  /** Starts no more jobs; pending ones are rejected. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.drop();
  }

  #enqueue(job: Job): void {
    if (this.#isClosed) return job.drop();
    this.#waiting.push(job);
    this.#next();
  }

  #next(): void {
    const urgent = [...this.#running].filter(({ isUrgent }) => isUrgent).length;
    const first = urgent < this.#concurrency ? this.#waiting.findIndex(({ isUrgent }) => isUrgent) : -1;
    const index = first < 0 && this.#running.size < this.#concurrency ? 0 : first;
    const [job] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!job) return;
    void this.#run(job);
    this.#next();
  }

  async #run(job: Job): Promise<void> {
    job.cancellation = new AbortController();
    this.#running.add(job);
    const isDone = await job.run({ isUrgent: job.isUrgent, signal: job.cancellation.signal });
    this.#running.delete(job);
    if (!isDone) this.#enqueue(job);
    this.#next();
  }
}
