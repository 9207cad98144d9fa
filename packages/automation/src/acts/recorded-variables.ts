import { findFreeName, toName, toSnakeCase } from "../task/names.ts";
import type { Variable } from "../task/step.ts";
import { escapeTemplate } from "../task/template.ts";
import type { RecordedAddress, RecordedTarget } from "./recorded-entry.ts";

/** The variables of a function that is made of acts: one for each value that was entered. */
export class RecordedVariables {
  readonly #variables = new Map<string, Variable>();

  /** All variables, in the order in which steps use them. */
  get all(): readonly Variable[] {
    return [...this.#variables.values()];
  }

  /**
   * Adds a variable.
   *
   * @param words - What it is named after.
   * @param value - Its default; null for a value that is not known, and has to be given.
   * @returns Its placeholder.
   */
  add(words: string, value: string | null): string {
    const free = findFreeName(toName(toSnakeCase(words), "value"), (candidate) => this.#variables.has(candidate));
    this.#variables.set(free, { name: free, value });
    return `{{${free}}}`;
  }

  /**
   * Replaces an earlier value by another one under the same name.
   *
   * @param before - Placeholder of the earlier value, or an empty text.
   * @param now - Placeholder of the value, added last, or an empty text.
   * @returns What stands for the value from now on.
   */
  replace(before: string, now: string): string {
    const old = this.#variables.get(readPlaceholder(before));
    const added = this.#variables.get(readPlaceholder(now));
    if (!old) return now;
    this.#variables.delete(added?.name ?? old.name);
    if (!added) return now;
    this.#variables.set(old.name, { name: old.name, value: added.value });
    return before;
  }

  /** Returns an address as a template: the values of its query are variables. */
  parameterizeAddress({ url, parameters = [], isPartial = false }: RecordedAddress): string {
    if (isPartial) return this.add("address", null);
    const query = parameters.map((name) => `${encodeURIComponent(name)}=${this.add(name, null)}`);
    return escapeTemplate(url) + (query.length > 0 ? `?${query.join("&")}` : "");
  }
}

/** Returns the name of an element's value. @param fallback - Default when it has no name. */
export function readValueName({ name, place }: RecordedTarget, fallback: string): string {
  const [key] = place?.keys ?? [];
  return name || key?.value || fallback;
}

function readPlaceholder(placeholder: string): string {
  return placeholder.slice(2, -2);
}
