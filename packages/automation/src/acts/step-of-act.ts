import type { Step } from "../task/step.ts";
import type { ActRefusalCode } from "./act-refusal.ts";
import type { RecordedAct, RecordedTarget } from "./recorded-entry.ts";
import { findRecordedTarget } from "./recorded-target.ts";
import { readValueName, type RecordedVariables } from "./recorded-variables.ts";

/** Conversion of an act: a step, nothing, or the code of the reason why it can't be repeated reliably. */
export type ConvertedAct = { readonly step: Step } | { readonly isNothing: true } | { readonly code: ActRefusalCode };

/**
 * Keys that only scroll or move the focus when no element has it. They need no step: scroll positions are recorded, and steps focus their
 * elements.
 */
const ofNoElement = /^(?:PageUp|PageDown|Home|End|Arrow(?:Up|Down|Left|Right)|(?:Shift\+)?Tab)$/;
const clipboard =
  /^(?:(?:Control|Meta|Shift|Alt)\+)*(?:(?:Control|Meta)\+(?:Shift\+)?[vcx]|(?:Shift|Control)\+Insert|Shift\+Delete|Paste|Copy|Cut)$/i;
/** Keys that Playwright presses by this name. */
const pressed =
  /^(?:(?:Control|Alt|Meta|Shift)\+)*(?:[!-*,-~]|Enter|Tab|Escape|Backspace|Delete|Insert|Home|End|Page(?:Up|Down)|Arrow(?:Up|Down|Left|Right)|F(?:[1-9]|1[0-2])|Space)$/;

/** Converts an act. */
export function convertAct(act: RecordedAct, variables: RecordedVariables): ConvertedAct {
  if ((act.dropped ?? 0) > 0) return { code: "gap" };
  if (act.act === "drag") return { code: "drag" };
  if (act.act === "scroll")
    return act.target || !act.to ? { code: "element-scroll" } : { step: { action: "scroll", to: act.to } };
  const code = act.act === "click" ? refuseClick(act) : act.act === "press" ? refusePress(act) : undefined;
  if (code === "nothing") return { isNothing: true };
  if (code !== undefined) return { code };
  const recorded = findRecordedTarget(act.target);
  if ("code" in recorded) return recorded;
  const { target } = recorded;
  const element = act.target ?? noElement;
  switch (act.act) {
    case "click":
      return { step: { action: "click", target } };
    case "press":
      return { step: { action: "press", key: act.key ?? "", target } };
    case "check":
      return { step: { action: "check", target, checked: act.checked === true } };
    case "fill": {
      if (act.isUnfinished) return { code: "unfinished-fill" };
      const value = act.isPartial ? null : (act.value ?? null);
      return {
        step: {
          action: "fill",
          target,
          value: value === "" ? "" : variables.add(readValueName(element, "value"), value),
        },
      };
    }
    case "select": {
      if (act.count !== undefined) return { code: "multiple-select" };
      if (act.value === "") return { code: "empty-choice" };
      const value = act.isPartial ? null : (act.value ?? null);
      return { step: { action: "select", target, option: variables.add(readValueName(element, "choice"), value) } };
    }
    case "upload": {
      const count = act.count ?? 0;
      if (count === 0) return { code: "cleared-upload" };
      const files = Array.from({ length: count }, () => variables.add(readValueName(element, "file"), null));
      return { step: { action: "upload", target, files } };
    }
  }
}

const noElement: RecordedTarget = { role: null, name: "" };

function refuseClick({ button, count = 1, modifiers = "" }: RecordedAct): ActRefusalCode | undefined {
  if (button !== undefined) return "other-button";
  if (count > 1) return "double-click";
  return modifiers === "" ? undefined : "modified-click";
}

function refusePress({ key, target }: RecordedAct): ActRefusalCode | "nothing" | undefined {
  if (typeof key !== "string") return "untold-keys";
  if (clipboard.test(key)) return "clipboard";
  if (target === null) return ofNoElement.test(key) ? "nothing" : "key-without-target";
  return pressed.test(key) ? undefined : "unknown-key";
}
