import type { FunctionRecord } from "./function-record.ts";
import { AutomationError } from "../automation-error.ts";
import { fillIn, literally, namesIn } from "../task/template.ts";
import type { Step } from "../task/step.ts";

/**
 * The values that a function is run with: those that are given, and for the rest those that it was made with.
 *
 * @throws {AutomationError} `unknown_variable` naming what is missing, and what it does not have.
 */
export function valuesFor(
  { variables, steps }: FunctionRecord,
  given: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const names = new Set([...variables.map(({ name }) => name), ...namesIn(JSON.stringify(steps))]);
  const kept = variables.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]));
  const values = new Map([...kept, ...Object.entries(given)]);
  const strange = Object.keys(given).filter((name) => !names.has(name));
  const missing = [...names].filter((name) => !values.has(name));
  if (strange.length === 0 && missing.length === 0) return values;
  const has = names.size === 0 ? "it has none" : `it has ${quoted([...names])}`;
  const faults = [
    ...(missing.length > 0 ? [`missing value for ${quoted(missing)}, which is not stored`] : []),
    ...(strange.length > 0 ? [`unknown variable ${quoted(strange)}; ${has}`] : []),
  ];
  throw new AutomationError("unknown_variable", `The function can't run with these variables: ${faults.join("; ")}.`);
}

/**
 * Puts values into an address: as they are up to the end of the host, and encoded behind it.
 *
 * @returns A template without variables.
 */
function fillInUrl(url: string, values: ReadonlyMap<string, string>): string {
  const { before, behind } = splitUrl(url);
  const encoded = new Map([...values].map(([name, value]) => [name, encodeURIComponent(value)]));
  return literally(fillIn(before, values) + fillIn(behind, encoded));
}

/** Splits an address behind its host. In front of that, variables are whole addresses and hosts. */
export function splitUrl(url: string): { readonly before: string; readonly behind: string } {
  const [before = ""] = /^(?:[a-z]+:\/\/)?[^/?#]*/i.exec(url) ?? [];
  return { before, behind: url.slice(before.length) };
}

/** A step as it can be performed: values in an address are encoded, which `performStep` does not do. */
export function withFilledUrl(step: Step, values: ReadonlyMap<string, string>): Step {
  return step.action === "open" ? { ...step, url: fillInUrl(step.url, values) } : step;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name.slice(0, 60))).join(", ");
}
