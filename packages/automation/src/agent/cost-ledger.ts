import { Decimal } from "decimal.js";
import { costOf, type ModelPrices, noTokens, type TokenUsage } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";

/**
 * Adds up what the calls of a model cost, exactly, and refuses those beyond the budget. A call whose usage the provider does not tell is
 * counted at one token for each byte that was sent and received: no tokenizer makes more of them.
 */
export class CostLedger {
  readonly #prices: ModelPrices;
  readonly #dearestInput: Decimal;
  readonly #budget: Decimal;
  #spent = costOf(noTokens, { input: "0", cachedInput: "0", cacheWrite: "0", output: "0" });
  #isEstimated = false;

  /** @param budgetUsd - The most that may be spent, in US dollars, as a decimal string. */
  constructor(prices: ModelPrices, budgetUsd: string) {
    this.#prices = prices;
    this.#dearestInput = Decimal.max(prices.input, prices.cachedInput, prices.cacheWrite);
    this.#budget = new Decimal(budgetUsd);
  }

  /** Cost so far in US dollars, to the last digit, as a decimal string. */
  get spentUsd(): string {
    return this.#spent.toFixed();
  }

  /** True when a provider did not tell the usage of a call, so that the sum may be too high. */
  get isEstimated(): boolean {
    return this.#isEstimated;
  }

  /**
   * Refuses a call that could pass the budget.
   *
   * @param inputTokens - Most that it sends.
   * @param outputTokens - Most that it may answer with.
   * @throws {AutomationError} `budget_spent`
   */
  requireRoomFor(inputTokens: number, outputTokens: number): void {
    const most = this.#worst(inputTokens, outputTokens);
    if (this.#spent.plus(most).lessThanOrEqualTo(this.#budget)) return;
    throw new AutomationError(
      "budget_spent",
      `The next call of the model could cost $${most.toFixed()}; of the budget of $${this.#budget.toFixed()}, $${this.spentUsd} are spent. Give the task a larger budget, or make it smaller.`,
    );
  }

  /** Adds what a call used. */
  add(tokens: TokenUsage): void {
    this.#spent = this.#spent.plus(costOf(tokens, this.#prices));
  }

  /** Adds the most that a call can have used whose usage nobody told. */
  addUntold(inputBytes: number, outputBytes: number): void {
    this.#isEstimated = true;
    this.#spent = this.#spent.plus(this.#worst(inputBytes, outputBytes));
  }

  #worst(inputTokens: number, outputTokens: number): Decimal {
    const input = this.#dearestInput.toFixed();
    const prices = { ...this.#prices, input };
    return costOf({ ...noTokens, uncachedInput: inputTokens, output: outputTokens }, prices);
  }
}
