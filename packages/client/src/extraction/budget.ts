/** Steps of one check after which it ends as a mismatch: some seconds of a processor. */
const maxSteps = 2e8;
/** Steps between two chances for timers and aborts: some milliseconds. */
const maxTurn = 100_000;

/** Counts the steps of one check, which bounds its time whatever schema and data are. */
export class CheckBudget {
  #left = maxSteps;
  #turn = 0;

  /**
   * Counts steps; returns true when the work has to pause.
   *
   * @throws {Error} when the check has taken too many.
   */
  spend(steps: number): boolean {
    if ((this.#left -= steps) < 0) throw new Error("it takes too long for these data: pass [jsonSchema, check]");
    if ((this.#turn += steps) < maxTurn) return false;
    this.#turn = 0;
    return true;
  }
}

/**
 * Generator that yields to let its runner handle timers and aborts, and that yields other work to be run: so the stack does not limit the
 * depth of data.
 */
export type Pausing<Result> = Generator<Pausing<unknown> | undefined, Result, unknown>;

/** Yields other work, and returns its result. */
export function runPausing<Result>(work: Pausing<Result>): Pausing<Result>;
export function* runPausing(work: Pausing<unknown>): Pausing<unknown> {
  return yield work;
}

/** Runs work with all that it calls; yields when it has to pause. */
export function run<Result>(work: Pausing<Result>): Generator<undefined, Result, unknown>;
export function* run(work: Pausing<unknown>): Generator<undefined, unknown, unknown> {
  const calls = [work];
  let result: unknown;
  for (let top: Pausing<unknown> | undefined; (top = calls.at(-1));) {
    const { done, value } = top.next(result);
    result = done ? value : undefined;
    if (done) calls.pop();
    else if (value) calls.push(value);
    else yield;
  }
  return result;
}

/** Runs work to its end without a pause. */
export function runAtOnce<Result>(work: Pausing<Result>): Result {
  const running = run(work);
  for (;;) {
    const { done, value } = running.next();
    if (done) return value;
  }
}
