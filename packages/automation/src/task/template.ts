import { AutomationError, StepError } from "../automation-error.ts";
import { namePattern } from "./names.ts";

/** Source of a pattern, for the flag `u`: a placeholder of a variable, or escaped braces. */
export const placeholderPattern = String.raw`\{\{(?:"\{\{"|\\"\{\{\\"|${namePattern})\}\}`;

const pattern = new RegExp(String.raw`\{\{(?:"\{\{"|\\"\{\{\\"|(${namePattern}))\}\}`, "gu");

/**
 * Replaces `{{name}}` by the value of the variable. `{{"{{"}}` is an escaped `{{`.
 *
 * @throws {AutomationError} `unknown_variable`
 */
export function fillIn(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(pattern, (_, name: string | undefined) =>
    name === undefined ? "{{" : readValue(name, variables),
  );
}

/**
 * Fills variables into a selector. A value within quotes may contain anything; outside of them letters, digits, `_`, `-`, `.` and spaces.
 *
 * @throws {AutomationError} `unknown_variable`; `step_failed` if a value is not allowed outside of quotes.
 */
export function fillInSelector(selector: string, variables: ReadonlyMap<string, string>): string {
  if (!selector.includes("{{")) return selector;
  let result = "";
  for (const [part] of selector.matchAll(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^"']+/gs)) {
    const quote = part[0] === '"' || part[0] === "'" ? part[0] : undefined;
    if (quote === '"' && /internal:(?:has|has-not|and|or|chain)=$/.test(result)) {
      result += JSON.stringify(fillInSelector(String(JSON.parse(part)), variables));
    } else {
      result += part.replaceAll(pattern, (_, name: string | undefined) =>
        name === undefined ? "{{" : escapeForSelector(name, readValue(name, variables), quote),
      );
    }
  }
  return result;
}

/** Returns the names of the variables in a text, each once, in their order. */
export function listVariables(text: string): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []))];
}

/** Escapes a text so that `fillIn` returns it unchanged. */
export function escapeTemplate(text: string): string {
  return text.replaceAll("{{", '{{"{{"}}');
}

function readValue(name: string, variables: ReadonlyMap<string, string>): string {
  const value = variables.get(name);
  if (value === undefined) {
    const names = [...variables.keys()].join(", ") || "none";
    throw new AutomationError("unknown_variable", `missing value of variable "${name}"; known variables: ${names}`);
  }
  return value;
}

function escapeForSelector(name: string, value: string, quote: string | undefined): string {
  const line = value.replaceAll(/\s+/g, " ").trim();
  if (quote !== undefined)
    return line.replaceAll(/["'\\]/g, (sign) => (sign === quote || sign === "\\" ? `\\${sign}` : sign));
  if (/^[\p{L}\p{N}_. -]*$/u.test(line)) return line;
  throw new StepError(`the value of "${name}" is not allowed in a selector outside of quotes`);
}
