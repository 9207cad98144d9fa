import { CheckBudget, runPausing, runAtOnce, type Pausing } from "./budget.ts";

/** Writes a JSON value so that equal values have equal texts: names are in order. */
export function writeCanonicalJson(value: unknown): string {
  return runAtOnce(pausingText(value, new CheckBudget()));
}

/** Writes a JSON value so that equal values have equal texts, with pauses. */
export function* pausingText(value: unknown, budget: CheckBudget): Pausing<string> {
  if (typeof value !== "object" || value === null) {
    if (budget.spend(typeof value === "string" ? value.length + 5 : 5)) yield;
    return JSON.stringify(value);
  }
  if (budget.spend(5)) yield;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(yield* runPausing(pausingText(item, budget)));
    return `[${parts.join()}]`;
  }
  for (const [name, each] of Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) {
    parts.push(`${JSON.stringify(name)}:${yield* runPausing(pausingText(each, budget))}`);
  }
  return `{${parts.join()}}`;
}
