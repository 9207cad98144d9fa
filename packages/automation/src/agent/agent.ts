import type { Logger } from "pino";
import type { Work, Worker, Workplace } from "../task/work.ts";
import { checkAgentLimits } from "./agent-limits.ts";
import { AgentRun, type AgentSettings } from "./agent-run.ts";
import { CostLedger } from "./cost-ledger.ts";

/** Options of the agent. */
export interface AgentOptions extends AgentSettings {
  /** Logger, called when a cost had to be estimated because the provider reported no usage. Default: none. */
  readonly log?: Logger;
}

/**
 * Works on tasks with a model that calls tools. One for each task.
 *
 * @example
 * ```ts from=examples/api/automation/agent.ts
 * import { Agent, defaultAgentLimits } from "@cloud-browser/automation";
 * import { createModel } from "@cloud-browser/page-content";
 *
 * const model = createModel({
 *   baseUrl: "https://models.example/v1",
 *   name: "small-model",
 *   prices: { input: "0.15", cachedInput: "0.08", cacheWrite: "0.15", output: "0.60" },
 * });
 * const agent = new Agent({ model, limits: { ...defaultAgentLimits, budgetUsd: "0.50" } });
 * // await agent.work("Find the next ferry from pier 3.", workplace) performs it, as a Planner does.
 * console.log(agent.cost()); // 0
 * ```
 */
export class Agent implements Worker {
  readonly #options: AgentOptions;
  #ledger: CostLedger;

  /** @throws {AutomationError} `usage` */
  constructor(options: AgentOptions) {
    checkAgentLimits(options.limits);
    this.#options = options;
    this.#ledger = this.#newLedger();
  }

  cost(): string {
    return this.#ledger.spentUsd;
  }

  async work(task: string, workplace: Workplace): Promise<Work> {
    const ledger = (this.#ledger = this.#newLedger());
    try {
      return await new AgentRun(task, workplace, this.#options, ledger).run();
    } finally {
      if (ledger.isEstimated) {
        const facts = { model: this.#options.model.name, cost_usd: ledger.spentUsd };
        this.#options.log?.warn(
          facts,
          "the provider did not report the usage of every call; the cost is an upper bound",
        );
      }
    }
  }

  #newLedger(): CostLedger {
    const { model, limits } = this.#options;
    return new CostLedger(model.prices, limits.budgetUsd);
  }
}
