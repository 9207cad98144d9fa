import type { FunctionRecord } from "./function-record.ts";
import { AutomationError } from "../automation-error.ts";
import { listStepVariables } from "../task/step-variables.ts";
import { fillIn, escapeTemplate } from "../task/template.ts";
import { quoteList } from "../quote.ts";
import type { Step } from "../task/step.ts";

/**
 * Returns the values for a function run: the given ones, and defaults for the rest.
 *
 * @throws {AutomationError} `unknown_variable`, naming missing values and unknown names.
 */
export function completeValues(
  { variables, steps }: FunctionRecord,
  input: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const names = new Set([...variables.map(({ name }) => name), ...listStepVariables(steps)]);
  // Keyboards and file systems write the same letters as different characters.
  const normalized = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [names.has(name) ? name : name.normalize("NFKC"), value]),
  );
  const defaults = variables.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]));
  const values = new Map([...defaults, ...Object.entries(normalized)]);
  const unknown = Object.keys(normalized).filter((name) => !names.has(name));
  const missing = [...names].filter((name) => !values.has(name));
  if (unknown.length === 0 && missing.length === 0) return values;
  const has = names.size === 0 ? "it has none" : `it has ${quoteList([...names], Infinity)}`;
  const faults = [
    ...(missing.length > 0 ? [`missing value for ${quoteList(missing, Infinity)}, which is not stored`] : []),
    ...(unknown.length > 0 ? [`unknown variable ${quoteList(unknown, Infinity)}; ${has}`] : []),
  ];
  throw new AutomationError("unknown_variable", `the function can't run with these variables: ${faults.join("; ")}`);
}

/**
 * Fills values into a URL: as they are up to the end of the host, percent-encoded after it.
 *
 * @returns A template without variables.
 */
function fillInUrl(url: string, values: ReadonlyMap<string, string>): string {
  const { before, behind } = splitUrl(url);
  const encoded = new Map([...values].map(([name, value]) => [name, encodeURIComponent(value)]));
  return escapeTemplate(fillIn(before, values) + fillIn(behind, encoded));
}

/** Splits a URL after its host. Before that, variables are whole URLs and hosts. */
export function splitUrl(url: string): { readonly before: string; readonly behind: string } {
  const [before = ""] = /^(?:[a-z]+:\/\/)?[^/?#]*/i.exec(url) ?? [];
  return { before, behind: url.slice(before.length) };
}

/** Fills values into the URL of an `open` step, percent-encoded, which `performStep` does not do. */
export function fillInStepUrl(step: Step, values: ReadonlyMap<string, string>): Step {
  return step.action === "open" ? { ...step, url: fillInUrl(step.url, values) } : step;
}
