import type { Step, Variable } from "./step.ts";
import { listVariables } from "./template.ts";

/** Returns the names of the variables in steps, each once, in their order. Names of results and schemas hold none. */
export function listStepVariables(steps: readonly Step[]): readonly string[] {
  const texts = JSON.stringify(steps, (key, value: unknown) =>
    key === "schema" || key === "name" ? undefined : value,
  );
  return listVariables(texts);
}

/**
 * Returns the names in steps that no variable declares. A function with such a name can't be run.
 *
 * @example
 * ```ts from=examples/api/automation/undeclared-variables.ts
 * import { undeclaredVariables } from "@cloud-browser/automation";
 *
 * console.log(undeclaredVariables([{ action: "open", url: "https://ferries.example/{{pier}}" }], [])); // [ 'pier' ]
 * ```
 */
export function undeclaredVariables(steps: readonly Step[], variables: readonly Variable[]): readonly string[] {
  const declared = new Set(variables.map(({ name }) => name));
  return listStepVariables(steps).filter((name) => !declared.has(name));
}
