import { Secrets } from "../task/secrets.ts";
import type { TaskValue } from "../generalization/generalize.ts";

/** The values of a task that become parameters of its function, and the names of its results. */
export class TaskVariables {
  readonly #values = new Map<string, string>();
  readonly #secrets = new Set<string>();
  /** Hides the secret values in what is told. */
  readonly hidden = new Secrets("");
  readonly #results = new Set<string>();

  /** Values by name, the secret ones too. */
  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  /** All of them, as a function is made with. */
  get all(): readonly TaskValue[] {
    return [...this.#values].map(([name, value]) => ({ name, value, isSecret: this.#secrets.has(name) }));
  }

  /** Keeps a value under a name, or one like it; gives the text that stands for it in a step. */
  add(name: string, value: string): string {
    const free = freeName(name === "" || /^\d/.test(name) ? `value_${name}` : name, this.#values, value);
    this.#values.set(free, value);
    return `{{${free}}}`;
  }

  /** Keeps a value that no function, event or log may hold. */
  addSecret(name: string, value: string): string {
    const text = this.add(name, value);
    this.#secrets.add(text.slice(2, -2));
    this.hidden.keep(value);
    return text;
  }

  /** A text with names in place of the secrets that it holds. */
  withoutSecrets(text: string): string {
    const names = new Map([...this.#secrets].map((name) => [this.#values.get(name) ?? "", name]));
    names.delete("");
    if (names.size === 0) return text;
    const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
    const secrets = new RegExp(
      longestFirst.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join("|"),
      "g",
    );
    return text.replaceAll(secrets, (value) => `{{${names.get(value)}}}`);
  }

  /** A name for a result that no other one has. */
  nameResult(name: string): string {
    let free = name;
    for (let number = 2; this.#results.has(free); number++) free = `${name}_${number}`;
    this.#results.add(free);
    return free;
  }
}

/** The name itself, or with a number behind it when it stands for another value already. */
function freeName(name: string, taken: ReadonlyMap<string, string>, value: string): string {
  let free = name;
  for (let number = 2; taken.has(free) && taken.get(free) !== value; number++) free = `${name}_${number}`;
  return free;
}
