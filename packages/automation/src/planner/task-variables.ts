import { escapePattern } from "../quote.ts";
import { findFreeName, toName } from "../task/names.ts";
import { Secrets } from "../task/redaction.ts";
import type { TaskValue } from "../generalization/generalize.ts";

/** Values of a task that become parameters of its function, and names of its results. */
export class TaskVariables {
  readonly #values = new Map<string, string>();
  readonly #secrets = new Set<string>();
  readonly #choices = new Set<string>();
  /** Redacts the secret values in events. */
  readonly secrets = new Secrets("");
  readonly #results = new Set<string>();

  /** Values by name, secrets included. */
  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  /** All values, as `generalize` takes them. */
  get all(): readonly TaskValue[] {
    return [...this.#values].map(([name, value]) => ({
      name,
      value,
      isSecret: this.#secrets.has(name),
      isChoice: this.#choices.has(name),
    }));
  }

  /** Adds a value under a name, or a similar one if that is taken; returns the placeholder for a step. */
  add(name: string, value: string): string {
    const free = findFreeName(toName(name), (candidate) => (this.#values.get(candidate) ?? value) !== value);
    this.#values.set(free, value);
    return `{{${free}}}`;
  }

  /** Adds what was clicked or checked because the task named it. */
  addChoice(name: string, value: string): void {
    this.#choices.add(this.add(name, value).slice(2, -2));
  }

  /** Adds a value that no function, event or log may contain. */
  addSecret(name: string, value: string): string {
    const text = this.add(name, value);
    this.#secrets.add(text.slice(2, -2));
    this.secrets.add(value);
    return text;
  }

  /** Replaces secrets in a text by their placeholders. */
  hideSecrets(text: string): string {
    const names = new Map([...this.#secrets].map((name) => [this.#values.get(name) ?? "", name]));
    names.delete("");
    if (names.size === 0) return text;
    const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
    const secrets = new RegExp(longestFirst.map(escapePattern).join("|"), "g");
    return text.replaceAll(secrets, (value) => `{{${names.get(value)}}}`);
  }

  /** Returns a unique name for a result. */
  nameResult(name: string): string {
    const free = findFreeName(name, (candidate) => this.#results.has(candidate));
    this.#results.add(free);
    return free;
  }
}
