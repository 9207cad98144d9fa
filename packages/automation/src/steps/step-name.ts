import type { Step } from "../task/step.ts";
import { fillIn } from "../task/template.ts";

/** Describes a step in a few words, without the value that it fills in. */
export function describeStep(step: Step, variables: ReadonlyMap<string, string>): string {
  const getLabel = (target: { readonly label: string }): string => fillIn(target.label, variables);
  switch (step.action) {
    case "open":
      return "open a page";
    case "back":
      return "go back";
    case "click":
      return `click ${getLabel(step.target)}`;
    case "hover":
      return `hover over ${getLabel(step.target)}`;
    case "fill":
      return `fill ${getLabel(step.target)}`;
    case "select":
      return `select in ${getLabel(step.target)}`;
    case "check":
      return `${step.checked ? "check" : "uncheck"} ${getLabel(step.target)}`;
    case "upload":
      return `upload to ${getLabel(step.target)}`;
    case "press":
      return step.target ? `press a key in ${getLabel(step.target)}` : "press a key";
    case "scroll":
      if (typeof step.to === "string") return `scroll to ${step.to}`;
      return "selectors" in step.to ? `scroll to ${getLabel(step.to)}` : "scroll";
    case "tab":
      return step.does === "close" ? `close tab ${step.tab}` : `go on in tab ${step.tab}`;
    case "wait":
      return "label" in step.for ? `wait for ${getLabel(step.for)}` : "wait";
    case "extract":
      return `extract ${JSON.stringify(step.name)}${step.target ? ` from ${getLabel(step.target)}` : ""}`;
  }
}
