import type { Operation } from "../contract/contract.ts";
import { isAnswerTo } from "../http/exchange.ts";
import { loadRequirements } from "../contract/requirements.ts";
import type { Check } from "./check.ts";
import titles from "./titles.json" with { type: "json" };

const sentences: ReadonlyMap<string, string> = new Map(Object.entries(titles));

/** Ids of the requirements that list a check, by its id, in the order of `requirements.yaml`. */
const requirementsOfChecks = Map.groupBy(
  loadRequirements().requirements.flatMap(({ id, checks }) => checks.map((check) => ({ check, id }))),
  ({ check }) => check,
);

/** Parts of a check that most do not need; a title or requirements stand in place of those that its id has. */
export type MoreOfCheck = Partial<Omit<Check, "id" | "probes" | "judge">>;

/** Extends a check to all answers of an operation, whatever their probes. */
export const coverAnswers = (operation: Operation): Pick<Check, "operation" | "appliesTo"> => ({
  operation,
  appliesTo: (exchange) => isAnswerTo(operation, exchange),
});

/** Extends a check to all answers of an operation to valid requests. */
export const coverValidAnswers = (operation: Operation): Pick<Check, "operation" | "appliesTo"> => ({
  operation,
  appliesTo: (exchange) => exchange.expects === "success" && isAnswerTo(operation, exchange),
});

/**
 * Makes a check. Its title is that of `titles.json`; its requirements are those that list it in `requirements.yaml`.
 *
 * @param probes - Ids of the probes that are sent for it.
 * @param judge - Its findings violate the first requirement, unless they name another one.
 * @throws {Error} when it has no title.
 */
export function makeCheck(id: string, probes: readonly string[], judge: Check["judge"], more: MoreOfCheck = {}): Check {
  const title = more.title ?? sentences.get(id);
  if (title === undefined) throw new Error(`${id} has no title in titles.json`);
  const requirements = requirementsOfChecks.get(id)?.map((row) => row.id) ?? [];
  return { id, requirements, probes, judge, ...more, title };
}
