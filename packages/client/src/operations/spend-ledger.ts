import { ClientError, guardArguments } from "../errors/client-error.ts";

/** Options of a ledger. */
export interface SpendLedgerOptions {
  /** Budget, in US dollars: a run that could exceed it is refused. Default: `Infinity`. */
  readonly budgetUsd?: number | undefined;
  /**
   * Amount that is reserved for a run until its cost is known, in US dollars: for one that is running or about to start, and for
   * one whose cost remains unknown. Default: 0.
   */
  readonly reserveUsd?: number | undefined;
}

/**
 * A ledger of the cost of automations.
 *
 * The cost of a run is known from its `done` event only: a run can't be stopped at an amount, and the cost of a run that ends
 * otherwise is unknown. The ledger can only refuse to start another one.
 *
 * Source: interface § Limits (billing).
 */
export interface SpendLedger {
  /** Sum of known costs, in US dollars, exact to a billionth. */
  readonly spentUsd: number;
  /** Number of runs with a known cost. */
  readonly settled: number;
  /** Number of running runs. */
  readonly running: number;
  /** Number of runs that ended, or may have started, without a known cost. */
  readonly unknown: number;
  /** Number of refused runs. */
  readonly refused: number;
  /**
   * Opens a run. `automate` calls it when the ledger is in its options.
   *
   * @throws {ClientError} `budget` when the run could exceed the budget.
   */
  start(): LedgerRun;
}

/** A run in the ledger; the first call of `settle` or `drop` closes it, and later ones do nothing. */
export interface LedgerRun {
  /** Closes a run that ended, with its cost in US dollars, or `undefined` if that is unknown. */
  settle(costUsd: number | undefined): void;
  /** Closes a run that was never started. */
  drop(): void;
}

const nano = 1e9;

/**
 * Creates a ledger, which can be shared by clients.
 *
 * Source: interface § Limits (billing).
 *
 * @throws {ClientError} `misuse` when an option is negative or not a number.
 *
 * @example
 * ```ts from=examples/api/client/create-spend-ledger.ts
 * import { BudgetError, createCloudBrowser, createSpendLedger } from "@cloud-browser/client";
 *
 * const client = createCloudBrowser();
 * const ledger = createSpendLedger({ budgetUsd: 0.1, reserveUsd: 0.08 });
 * const first = await client.automate({ query: "When does the next ferry leave from pier 3?" }, { ledger });
 * await first.outcome();
 * console.log(ledger.spentUsd, ledger.settled); // 0.0431 1
 *
 * const second = client.automate({ query: "And from pier 4?" }, { ledger });
 * await second.catch((error: unknown) => console.log(error instanceof BudgetError)); // true
 * ```
 */
export function createSpendLedger(options: SpendLedgerOptions = {}): SpendLedger {
  const { budgetUsd = Infinity, reserveUsd = 0 }: SpendLedgerOptions = guardArguments(() => ({ ...Object(options) }));
  if (Object(options) !== options || ![budgetUsd, reserveUsd].every((sum) => typeof sum === "number" && sum >= 0))
    throw new ClientError("misuse", "budgetUsd and reserveUsd must be numbers of at least 0");
  // In billionths of a dollar, so that sums are exact.
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
