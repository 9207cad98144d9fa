import { Decimal } from "decimal.js";
import { computeCost, type ModelPrices, noTokens, type TokenUsage } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";

/**
 * Adds up the exact cost of the calls of a model, and refuses calls beyond the budget. A call whose usage the provider does not report
 * counts one token for each byte sent and received, the most that a tokenizer makes.
 */
export class CostLedger {
  readonly #prices: ModelPrices;
  readonly #highestInputPrice: Decimal;
  readonly #budget: Decimal;
  #spent = computeCost(noTokens, { input: "0", cachedInput: "0", cacheWrite: "0", output: "0" });
  #isEstimated = false;

  /** @param budgetUsd - The most that may be spent, in US dollars, as a decimal string. */
  constructor(prices: ModelPrices, budgetUsd: string) {
    this.#prices = prices;
    this.#highestInputPrice = Decimal.max(prices.input, prices.cachedInput, prices.cacheWrite);
    this.#budget = new Decimal(budgetUsd);
  }

  /** Cost so far in US dollars, to the last digit, as a decimal string. */
  get spentUsd(): string {
    return this.#spent.toFixed();
  }

  /** True when a provider did not report the usage of a call, so that the sum may be too high. */
  get isEstimated(): boolean {
    return this.#isEstimated;
  }

  /**
   * Throws when a call could exceed the budget.
   *
   * @param inputTokens - Most tokens that it sends.
   * @param outputTokens - Most tokens of its response.
   * @throws {AutomationError} `budget_spent`
   */
  checkBudget(inputTokens: number, outputTokens: number): void {
    const most = this.#computeMaxCost(inputTokens, outputTokens);
    if (this.#spent.plus(most).lessThanOrEqualTo(this.#budget)) return;
    throw new AutomationError(
      "budget_spent",
      `the next call of the model could cost $${most.toFixed()}; of the budget of $${this.#budget.toFixed()}, $${this.spentUsd} are spent; give the task a larger budget, or make it smaller`,
    );
  }

  /** Adds the cost of the tokens of a call. */
  add(tokens: TokenUsage): void {
    this.#spent = this.#spent.plus(computeCost(tokens, this.#prices));
  }

  /** Adds the upper bound for a call whose usage was not reported. */
  addEstimate(inputBytes: number, outputBytes: number): void {
    this.#isEstimated = true;
    this.#spent = this.#spent.plus(this.#computeMaxCost(inputBytes, outputBytes));
  }

  #computeMaxCost(inputTokens: number, outputTokens: number): Decimal {
    const input = this.#highestInputPrice.toFixed();
    const prices = { ...this.#prices, input };
    return computeCost({ ...noTokens, uncachedInput: inputTokens, output: outputTokens }, prices);
  }
}
