import type { BrowserFunction } from "../api/control.ts";

/** Returns the names of the variables whose values are names of files: those that a step uploads. */
export function findFileVariables({ steps }: Pick<BrowserFunction, "steps">): ReadonlySet<string> {
  return new Set(steps.flatMap((step) => listFiles(step)).flatMap((file) => /^\{\{(.+)\}\}$/.exec(file)?.[1] ?? []));
}

function listFiles(step: object): readonly string[] {
  const files: unknown = "files" in step ? step.files : [];
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}

/** Says what a step does, and to what. */
export function sayStep(step: BrowserFunction["steps"][number]): string {
  const target: unknown = "target" in step ? step.target : undefined;
  const label: unknown = typeof target === "object" && target !== null && "label" in target ? target.label : undefined;
  return typeof label === "string" ? `${step.action} ${label}` : step.action;
}
