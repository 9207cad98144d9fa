import type { StepTarget } from "../task/step.ts";
import { fillIn, fillInSelector, listVariables } from "../task/template.ts";
import { compareNames } from "./similar-names.ts";
import { splitSelector } from "./selector-text.ts";

/** Expected role, name and scope of a target's element, derived from its selectors and label. */
export interface TargetExpectation {
  /** Its role; undefined if unknown. */
  readonly role: string | undefined;
  /** Its name; undefined if unknown. */
  readonly name: string | undefined;
  /** True when its name contains the value of a variable. */
  readonly isVariable: boolean;
  /** Scopes that have to contain it, the outermost first. */
  readonly within: readonly TargetScope[];
  /** Alternative scopes, one per selector. */
  readonly places: readonly (readonly TargetScope[])[];
}

/** Scope of an element: an ancestor, or a heading near it. */
export interface TargetScope {
  /** Its role. */
  readonly role: string;
  /** Its name; undefined matches any. */
  readonly name: string | undefined;
  /** A text that it also contains; undefined matches any. */
  readonly text: string | undefined;
  /** True for a heading beside the element, which does not contain it. */
  readonly isBeside: boolean;
}

/** Derives the expectation of a target. */
export function describeExpectation(target: StepTarget, variables: ReadonlyMap<string, string>): TargetExpectation {
  const roles = target.selectors.flatMap((selector) => {
    const parts = splitSelector(fillInSelector(selector, variables));
    const last = parts.findLastIndex((part) => !/^(?:nth|visible)=/.test(part));
    const role = parseRole(parts[last] ?? "");
    return role ? [{ ...role, within: listScopes(parts.slice(0, last)) }] : [];
  });
  const [first] = roles;
  const isVariable = listVariables(target.label).length > 0;
  // If role and name alone were unique, the scope is optional.
  const required = roles.some(({ within }) => within.length === 0) ? [] : (first?.within ?? []);
  const places = roles.map(({ within }) => within).filter((within) => within !== required && within.length > 0);
  if (first) return { ...first, isVariable, within: required, places };
  const [, role, name] = /^([a-z]+)(?: "(.*)")?$/s.exec(fillIn(target.label, variables)) ?? [];
  return { role, name, isVariable, within: [], places: [] };
}

/** Similarity of a role and a name to the expected ones: 1 for equal, 0 for different. */
export function compareToExpectation(expected: TargetExpectation, role: string, name: string): number {
  if (expected.role !== undefined && !areInterchangeable(expected.role, role)) return 0;
  const similarity = expected.name === undefined ? 1 : compareNames(expected.name, name);
  return expected.role === undefined || expected.role === role ? similarity : similarity * 0.97;
}

const interchangeableRoles: readonly (readonly string[])[] = [
  ["button", "link", "menuitem", "tab", "switch"],
  ["textbox", "searchbox", "combobox", "spinbutton"],
  ["combobox", "listbox"],
  ["checkbox", "switch", "menuitemcheckbox"],
  ["radio", "menuitemradio"],
  ["table", "grid", "treegrid"],
  ["list", "listbox", "menu"],
];

/** Returns whether two roles are interchangeable, as buttons and links are. */
export function areInterchangeable(role: string, other: string): boolean {
  return role === other || interchangeableRoles.some((kind) => kind.includes(role) && kind.includes(other));
}

function parseRole(part: string): { role: string; name: string | undefined } | undefined {
  const [, role, name] = /^(?:internal:)?role=([a-z]+)(?:\[name="((?:[^"\\]|\\.)*)"\s*[si]?\])?$/s.exec(part) ?? [];
  return role === undefined ? undefined : { role, name: name?.replaceAll(/\\(.)/gs, "$1") };
}

function listScopes(parts: readonly string[]): TargetScope[] {
  const scopes: TargetScope[] = [];
  for (const part of parts) {
    const role = parseRole(part);
    if (role) scopes.push({ ...role, text: undefined, isBeside: false });
    const text = parseText(part);
    const scope = scopes.pop();
    if (scope)
      scopes.push({ ...scope, text: text ?? scope.text, isBeside: scope.isBeside || part.startsWith("xpath=") });
  }
  return scopes;
}

function parseText(part: string): string | undefined {
  const [, nested] = /^internal:has=("(?:[^"\\]|\\.)*")$/s.exec(part) ?? [];
  const [, text] =
    /^internal:text=("(?:[^"\\]|\\.)*")s$/s.exec(nested === undefined ? "" : String(JSON.parse(nested))) ?? [];
  return text === undefined ? undefined : String(JSON.parse(text));
}
