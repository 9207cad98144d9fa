import {
  byAttribute,
  byLabel,
  byRole,
  byTestId,
  byText,
  byCssAttribute,
  enterFrame,
  selectHaving,
} from "../targets/selector-text.ts";
import { escapeTemplate } from "../task/template.ts";
import type { StepTarget } from "../task/step.ts";
import type { ActRefusalCode } from "./act-refusal.ts";
import type { RecordedKey, RecordedScope, RecordedTarget } from "./recorded-entry.ts";

/** Returns the target of an act, or the code of the reason why its element can't be found again. */
export function findRecordedTarget(
  target: RecordedTarget | null,
): { readonly target: StepTarget } | { readonly code: ActRefusalCode } {
  if (target === null) return { code: "no-target" };
  const { role, place } = target;
  if (!place) return { code: "no-place" };
  if (place.obstacle !== undefined) return { code: place.obstacle };
  const frames = (place.frames ?? []).map(({ by, value }) =>
    by === "only" ? value + enterFrame : `iframe${byCssAttribute(by, value)}${enterFrame}`,
  );
  const prefix = frames.join("");
  const selectors = place.keys.flatMap((key) => {
    const selector = writeSelector(key, role);
    return selector === undefined ? [] : [prefix + selector];
  });
  if (selectors.length === 0) return { code: "unnamed" };
  return { target: { selectors, label: escapeTemplate(writeLabel(target)) } };
}

function writeLabel({ role, name, place }: RecordedTarget): string {
  const words = name === "" ? "" : ` ${JSON.stringify(name)}`;
  if (role !== null) return role + words;
  const [key] = place?.keys ?? [];
  return `the element${words || ` ${JSON.stringify(key?.value ?? "")}`}`;
}

function writeSelector({ by, value, within }: RecordedKey, role: string | null): string | undefined {
  const self = selectByKey(by, value, role);
  return self === undefined || within === undefined ? self : `${writeScope(within)} >> ${self}`;
}

function selectByKey(by: RecordedKey["by"], value: string, role: string | null): string | undefined {
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
      return byCssAttribute(by, value);
    case "text":
      return byText(value);
    case "file-input":
      return "input[type=file]";
  }
}

function writeScope(scope: RecordedScope): string {
  if ("field" in scope) return `form:has(${byCssAttribute("name", scope.field)})`;
  return "text" in scope
    ? `${byRole(scope.role)} >> ${selectHaving(byText(scope.text))}`
    : byRole(scope.role, scope.name);
}
