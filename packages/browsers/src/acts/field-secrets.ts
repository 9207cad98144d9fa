/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { ActTarget, PageAct, Withheld } from "./act.ts";
import type { FieldReader } from "./field-reader.ts";

/** Secrets in the fields of a document. */
export interface FieldSecrets {
  /** Returns what an act may say that a field holds. */
  readonly readHolding: (field: Element, target: ActTarget) => Pick<PageAct, "value" | "withheld" | "isPartial">;
  /** Remembers a field that is one of a password now. */
  readonly notePassword: (field: Element | undefined) => void;
  /** Returns whether an element is a key of a PIN, which is a button on some pages. */
  readonly isPad: (target: ActTarget) => boolean;
}

/**
 * Remembers which fields of a document hold secrets. What was a secret once stays one: a password that is shown now, or its field that was
 * made anew. Runs in the page, in a world of its own: it uses nothing outside of itself.
 *
 * @param findSecret - Returns why the value of a field is secret; undefined if it is not.
 */
export function watchSecrets(
  { getValue, listNames }: FieldReader,
  findSecret: (field: Element, name: string, value: string) => Withheld | undefined,
): FieldSecrets {
  const maxValue = 500;
  const knownSecrets = new WeakMap<Element, Withheld>();
  const secretNames = new Set<string>();
  const findWithheld = (field: Element, name: string, value: string): Withheld | undefined => {
    const isKnown = listNames(field).some((one) => secretNames.has(one));
    const why = knownSecrets.get(field) ?? findSecret(field, name, value) ?? (isKnown ? "password" : undefined);
    if (why === undefined) return undefined;
    knownSecrets.set(field, why);
    if (why === "password" && secretNames.size < 100) for (const one of listNames(field)) secretNames.add(one);
    return why;
  };
  return {
    readHolding: (field, { name }) => {
      const value = getValue(field);
      const withheld = findWithheld(field, name, value);
      if (withheld !== undefined) return { value: null, withheld };
      return value.length > maxValue ? { value: value.slice(0, maxValue), isPartial: true } : { value };
    },
    notePassword: (field) => {
      if (field instanceof HTMLInputElement && field.type === "password") findWithheld(field, "", "");
    },
    isPad: ({ name }) => {
      if (Array.from(name).length > 1) return false;
      const inputs = document.querySelectorAll("input");
      return [...inputs].slice(0, 50).some((field) => findWithheld(field, "", "") !== undefined);
    },
  };
}
