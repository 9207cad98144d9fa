/** Settings of one run of a job. */
export interface Turn {
  /** True when a client waits for it. Otherwise it runs at low priority. */
  readonly isUrgent: boolean;
  /** Ends it early, when it has become urgent meanwhile: then it is run once more. */
  readonly signal: AbortSignal;
}

interface Job {
  readonly group: string;
  /** Resolves with whether it was done, well or not; false: it was ended early. */
  readonly run: (turn: Turn) => Promise<boolean>;
  readonly drop: () => void;
  isUrgent: boolean;
  calledOff: AbortController;
}

/**
 * Runs the encoders of all recordings, few at a time, those of replays that are waited for first. One that leaves the processor to others may on
 * a busy machine take as long as that is busy: nobody waits for it. It counts only among its like, and is begun anew when it becomes
 * urgent.
 */
export class EncodeQueue {
  readonly #atOnce: number;
  readonly #waiting: Job[] = [];
  readonly #running = new Set<Job>();
  #isClosed = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Runs something when its turn comes. Rejects with its error, or if the queue is closed before. */
  add<T>(group: string, isUrgent: boolean, run: (turn: Turn) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const runOnce = async (turn: Turn): Promise<boolean> => {
        try {
          resolve(await run(turn));
        } catch (error) {
          if (turn.signal.aborted) return false;
          reject(error);
        }
        return true;
      };
      const drop = (): void => reject(new Error("The encoder queue was closed."));
      this.#enqueue({ group, isUrgent, drop, run: runOnce, calledOff: new AbortController() });
    });
  }

  /** Makes all of a group urgent, also what runs already. */
  hurry(group: string): void {
    for (const job of [...this.#waiting, ...this.#running]) {
      if (job.group !== group || job.isUrgent) continue;
      job.isUrgent = true;
      // A process that has left the processor to others may not take it back.
      if (this.#running.has(job)) job.calledOff.abort();
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
    const first = urgent < this.#atOnce ? this.#waiting.findIndex(({ isUrgent }) => isUrgent) : -1;
    const index = first < 0 && this.#running.size < this.#atOnce ? 0 : first;
    const [job] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!job) return;
    void this.#run(job);
    this.#next();
  }

  async #run(job: Job): Promise<void> {
    job.calledOff = new AbortController();
    this.#running.add(job);
    const isDone = await job.run({ isUrgent: job.isUrgent, signal: job.calledOff.signal });
    this.#running.delete(job);
    if (!isDone) this.#enqueue(job);
    this.#next();
  }
}
