import { AutomationError } from "../automation-error.ts";
import { redactTask } from "../task/redact-task.ts";
import type { Instruction } from "./instruction.ts";
import { readClauses } from "./read-clause.ts";
import { splitTask } from "./split-task.ts";

/** Longest task that the planner reads, in characters. */
export const maxTaskLength = 20_000;

const understands =
  "open an address, click X (N times), hover over X, fill X with Y and Z with W, select X from Y, check X, search for X, log in as X with password Y, submit the form, press Enter, scroll, wait, extract the table, links, list or text, get X and Y, get the Xs (of each Y, under Z, the first 3), how many Xs are there; a name or value that holds a comma, a condition or other actions needs quotation marks";

/** A clause of a task, and its instruction. */
export interface PlannedClause {
  /** Text of the clause, without secrets. */
  readonly clause: string;
  /** The parsed instruction. */
  readonly instruction: Instruction;
}

/**
 * Parses the whole task before anything is done: half a task is worse than none. Takes linear time.
 *
 * @throws {AutomationError} `model_needed` if it is too long, or can't be parsed.
 */
export function readTask(task: string): readonly PlannedClause[] {
  if (task.length > maxTaskLength)
    throw createModelNeededError(
      `the task is too long for the planner (${task.length.toLocaleString("en")} characters, limit ${maxTaskLength.toLocaleString("en")})`,
      "longer",
    );
  const plan: PlannedClause[] = [];
  for (const clause of splitTask(task)) {
    const instructions = readClauses(clause);
    if (!instructions) throw createNotUnderstoodError(clause);
    for (const instruction of instructions) plan.push({ clause: dropSecret(clause, instruction), instruction });
  }
  if (plan.length === 0) throw createNotUnderstoodError(task);
  return plan;
}

function createNotUnderstoodError(strange: string): AutomationError {
  const what = `the planner does not understand "${redactTask(strange).slice(0, 200)}". It understands: ${understands}`;
  return createModelNeededError(what, "other");
}

function createModelNeededError(why: string, which: string): AutomationError {
  return new AutomationError(
    "model_needed",
    `no model is configured, and ${why}; configure a model for ${which} tasks`,
  );
}

/** Returns a clause without a value that may be a secret, as only the field on the page shows that. */
function dropSecret(clause: string, instruction: Instruction): string {
  if (instruction.verb === "log-in") return `log in as ${instruction.user}`;
  return instruction.verb === "fill" ? `fill ${instruction.field}` : clause;
}
