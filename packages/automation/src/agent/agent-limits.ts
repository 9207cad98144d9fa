import { AutomationError } from "../automation-error.ts";

/** Limits of the agent's work on one task. */
export interface AgentLimits {
  /** Most tool calls of one task; a message of the model without any counts as one. Default: 50. */
  readonly steps: number;
  /** Most that one task may cost, in US dollars, as a decimal string. Default: "1". */
  readonly budgetUsd: string;
}

/** Default limits. */
export const defaultAgentLimits: AgentLimits = { steps: 50, budgetUsd: "1" };

/**
 * Validates limits.
 *
 * @throws {AutomationError} `usage`
 */
export function checkAgentLimits({ steps, budgetUsd }: AgentLimits): void {
  if (!Number.isSafeInteger(steps) || steps < 1) {
    throw new AutomationError("usage", "the step limit of the agent must be a positive integer");
  }
  if (!/^\d{1,9}(\.\d{1,18})?$/.test(budgetUsd)) {
    throw new AutomationError("usage", 'the budget of a task must be US dollars as a decimal string such as "0.50"');
  }
}
