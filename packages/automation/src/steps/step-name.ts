import type { Step } from "../task/step.ts";
import { fillIn } from "../task/template.ts";

/** Describes a step in a few words, without the value that it fills in. */
export function nameOfStep(step: Step, variables: ReadonlyMap<string, string>): string {
  const label = (target: { readonly label: string }): string => fillIn(target.label, variables);
  switch (step.action) {
    case "open":
      return "open a page";
    case "back":
      return "go back";
    case "click":
      return `click ${label(step.target)}`;
    case "hover":
      return `hover over ${label(step.target)}`;
    case "fill":
      return `fill ${label(step.target)}`;
    case "select":
      return `select in ${label(step.target)}`;
    case "check":
      return `${step.checked ? "check" : "uncheck"} ${label(step.target)}`;
    case "upload":
      return `upload to ${label(step.target)}`;
    case "press":
      return step.target ? `press a key in ${label(step.target)}` : "press a key";
    case "scroll":
      if (typeof step.to === "string") return `scroll to ${step.to}`;
      return "selectors" in step.to ? `scroll to ${label(step.to)}` : "scroll";
    case "tab":
      return step.does === "close" ? `close tab ${step.tab}` : `go on in tab ${step.tab}`;
    case "wait":
      return "label" in step.for ? `wait for ${label(step.for)}` : "wait";
    case "extract":
      return `extract ${JSON.stringify(step.name)}${step.target ? ` from ${label(step.target)}` : ""}`;
  }
}
