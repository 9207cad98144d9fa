import { byAttribute, byLabel, byRole, byTestId, byText, cssAttribute, having } from "../targets/selector-text.ts";
import { escapeTemplate } from "../task/template.ts";
import type { StepTarget } from "../task/step.ts";
import type { ActRefusalCode } from "./act-refusal.ts";
import type { RecordedKey, RecordedScope, RecordedTarget } from "./recorded-entry.ts";

/** Enters the frame that is selected before it. */
const enter = " >> internal:control=enter-frame >> ";

/** Returns how the element of an act is found again, or why it can't be. */
export function findRecordedTarget(
  target: RecordedTarget | null,
): { readonly target: StepTarget } | { readonly code: ActRefusalCode } {
  if (target === null) return { code: "no-target" };
  const { role, place } = target;
  if (!place) return { code: "no-place" };
  if (place.obstacle !== undefined) return { code: place.obstacle };
  const frames = (place.frames ?? []).map(({ by, value }) =>
    by === "only" ? value + enter : `iframe${cssAttribute(by, value)}${enter}`,
  );
  const prefix = frames.join("");
  const selectors = place.keys.flatMap((key) => {
    const selector = selectorOf(key, role);
    return selector === undefined ? [] : [prefix + selector];
  });
  if (selectors.length === 0) return { code: "unnamed" };
  return { target: { selectors, label: escapeTemplate(labelOf(target)) } };
}

function labelOf({ role, name, place }: RecordedTarget): string {
  const words = name === "" ? "" : ` ${JSON.stringify(name)}`;
  if (role !== null) return role + words;
  const [key] = place?.keys ?? [];
  return `the element${words || ` ${JSON.stringify(key?.value ?? "")}`}`;
}

function selectorOf({ by, value, within }: RecordedKey, role: string | null): string | undefined {
  const self = selectorWithin(by, value, role);
  return self === undefined || within === undefined ? self : `${selectorOfScope(within)} >> ${self}`;
}

function selectorWithin(by: RecordedKey["by"], value: string, role: string | null): string | undefined {
  switch (by) {
    case "role":
      return role === null ? undefined : byRole(role, value);
    case "label":
      return byLabel(value);
    case "placeholder":
    case "alt":
    case "title":
      return byAttribute(by, value);
    case "testid":
      return byTestId(value);
    case "name":
    case "id":
      return cssAttribute(by, value);
    case "text":
      return byText(value);
    case "file-input":
      return "input[type=file]";
  }
}

function selectorOfScope(scope: RecordedScope): string {
  if ("field" in scope) return `form:has(${cssAttribute("name", scope.field)})`;
  return "text" in scope ? `${byRole(scope.role)} >> ${having(byText(scope.text))}` : byRole(scope.role, scope.name);
}
