import type { Target } from "../task/step.ts";
import { fillIn, fillInSelector, namesIn } from "../task/template.ts";
import { nameSimilarity } from "./similar-names.ts";
import { partsOf } from "./selector-text.ts";

/** Element that a target means, as far as its selectors and label tell. */
export interface Expectation {
  /** Its role; undefined when nothing says so. */
  readonly role: string | undefined;
  /** Its name; undefined when nothing says so. */
  readonly name: string | undefined;
  /** True when its name is the value of a variable, or holds one. */
  readonly isVariable: boolean;
  /** Scopes that it has to be in, the outermost first. */
  readonly within: readonly Scope[];
  /** Other scopes that it was in; each tells of another way to it. */
  readonly places: readonly (readonly Scope[])[];
}

/** Scope of an element: something that it is in, or near to. */
export interface Scope {
  /** Its role. */
  readonly role: string;
  /** Its name; undefined when any will do. */
  readonly name: string | undefined;
  /** A text that is in it too; undefined when any will do. */
  readonly text: string | undefined;
  /** True when the element is not in it but beside it: a heading. */
  readonly isBeside: boolean;
}

/** Reads what a target means. */
export function expectationOf(target: Target, variables: ReadonlyMap<string, string>): Expectation {
  const read = target.selectors.flatMap((selector) => {
    const parts = partsOf(fillInSelector(selector, variables));
    const last = parts.findLastIndex((part) => !/^(?:nth|visible)=/.test(part));
    const role = rolePart(parts[last] ?? "");
    return role ? [{ ...role, within: scopesOf(parts.slice(0, last)) }] : [];
  });
  const [first] = read;
  const isVariable = namesIn(target.label).length > 0;
  // Where a role and a name alone were enough, what is around them is only one of the ways.
  const required = read.some(({ within }) => within.length === 0) ? [] : (first?.within ?? []);
  const places = read.map(({ within }) => within).filter((within) => within !== required && within.length > 0);
  if (first) return { ...first, isVariable, within: required, places };
  const [, role, name] = /^([a-z]+)(?: "(.*)")?$/s.exec(fillIn(target.label, variables)) ?? [];
  return { role, name, isVariable, within: [], places: [] };
}

/** How far a role and a name are what is expected: 1 for exactly that, 0 for something else. */
export function likeness(expected: Expectation, role: string, name: string): number {
  if (expected.role !== undefined && !areKin(expected.role, role)) return 0;
  const similarity = expected.name === undefined ? 1 : nameSimilarity(expected.name, name);
  return expected.role === undefined || expected.role === role ? similarity : similarity * 0.97;
}

const kinds: readonly (readonly string[])[] = [
  ["button", "link", "menuitem", "tab", "switch"],
  ["textbox", "searchbox", "combobox", "spinbutton"],
  ["combobox", "listbox"],
  ["checkbox", "switch", "menuitemcheckbox"],
  ["radio", "menuitemradio"],
  ["table", "grid", "treegrid"],
  ["list", "listbox", "menu"],
];

/** Tells whether a role may stand where another one was: pages turn buttons into links. */
export function areKin(role: string, other: string): boolean {
  return role === other || kinds.some((kind) => kind.includes(role) && kind.includes(other));
}

function rolePart(part: string): { role: string; name: string | undefined } | undefined {
  const [, role, name] = /^(?:internal:)?role=([a-z]+)(?:\[name="((?:[^"\\]|\\.)*)"\s*[si]?\])?$/s.exec(part) ?? [];
  return role === undefined ? undefined : { role, name: name?.replaceAll(/\\(.)/gs, "$1") };
}

function scopesOf(parts: readonly string[]): Scope[] {
  const scopes: Scope[] = [];
  for (const part of parts) {
    const role = rolePart(part);
    if (role) scopes.push({ ...role, text: undefined, isBeside: false });
    const text = textWithin(part);
    const scope = scopes.pop();
    if (scope)
      scopes.push({ ...scope, text: text ?? scope.text, isBeside: scope.isBeside || part.startsWith("xpath=") });
  }
  return scopes;
}

function textWithin(part: string): string | undefined {
  const [, nested] = /^internal:has=("(?:[^"\\]|\\.)*")$/s.exec(part) ?? [];
  const [, text] =
    /^internal:text=("(?:[^"\\]|\\.)*")s$/s.exec(nested === undefined ? "" : String(JSON.parse(nested))) ?? [];
  return text === undefined ? undefined : String(JSON.parse(text));
}
