import { ClientError } from "../errors/client-error.ts";

/** Options of a ledger. */
export interface SpendLedgerOptions {
  /** No run is started that could take the account beyond this, in US dollars. Default: `Infinity`. */
  readonly budgetUsd?: number | undefined;
  /**
   * Amount that a run is counted for until its cost is known, in US dollars: one that goes on, one that is to start, one whose
   * cost never came. Default: 0.
   */
  readonly reserveUsd?: number | undefined;
}

/**
 * An account of automations.
 *
 * The cost of a run comes with its `done` event and at no other time: a run can't be stopped at a sum, and what a run cost that
 * ended otherwise is not known. The ledger can only refuse to start one more.
 *
 * Source: interface § Limits (billing).
 */
export interface SpendLedger {
  /** Sum of the costs that are known, in US dollars, exact to a billionth. */
  readonly spentUsd: number;
  /** Number of runs whose cost is known. */
  readonly settled: number;
  /** Number of runs that go on. */
  readonly running: number;
  /** Number of runs that were started, or may have been, and whose cost never came. */
  readonly unknown: number;
  /** Number of runs that were refused. */
  readonly refused: number;
  /**
   * Opens the account of one run. `automate` does so by itself when it is given the ledger.
   *
   * @throws {ClientError} `budget` when the run could exceed the budget.
   */
  start(): LedgerRun;
}

/** The account of one run; the first of its functions that is called closes it. */
export interface LedgerRun {
  /** The run ended; without a cost, what it cost is unknown. */
  settle(costUsd: number | undefined): void;
  /** The run was certainly never started. */
  drop(): void;
}

const nano = 1e9;

/**
 * Makes a ledger; one can serve many clients.
 *
 * Source: interface § Limits (billing).
 *
 * @throws {ClientError} `misuse` when an option is negative or no number.
 */
export function createSpendLedger(options: SpendLedgerOptions = {}): SpendLedger {
  const { budgetUsd = Infinity, reserveUsd = 0 }: SpendLedgerOptions = Object(options);
  if (Object(options) !== options || ![budgetUsd, reserveUsd].every((sum) => typeof sum === "number" && sum >= 0))
    throw new ClientError("misuse", "budgetUsd and reserveUsd must be numbers of at least 0");
  // In billionths, so that sums are exact.
  const [budget, reserve] = [Math.round(budgetUsd * nano), Math.round(reserveUsd * nano)];
  let spent = 0;
  const counts = { settled: 0, running: 0, unknown: 0, refused: 0 };
  return {
    get spentUsd() {
      return spent / nano;
    },
    get settled() {
      return counts.settled;
    },
    get running() {
      return counts.running;
    },
    get unknown() {
      return counts.unknown;
    },
    get refused() {
      return counts.refused;
    },
    start() {
      const committed = spent + (counts.running + counts.unknown + 1) * reserve;
      if (committed > budget || spent >= budget) {
        counts.refused++;
        throw new ClientError("budget", "the ledger refuses to start a run: it could exceed the budget");
      }
      counts.running++;
      let open = true;
      const close = (act: () => void): void => {
        if (open) counts.running--;
        if (open) act();
        open = false;
      };
      return {
        settle: (costUsd) =>
          close(() => {
            const sum = typeof costUsd === "number" && costUsd >= 0 ? spent + Math.round(costUsd * nano) : NaN;
            const known = sum < Infinity;
            counts[known ? "settled" : "unknown"]++;
            if (known) spent = sum;
          }),
        drop: () => close(() => undefined),
      };
    },
  };
}
