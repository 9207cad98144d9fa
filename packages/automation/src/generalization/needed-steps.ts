import { isDeepStrictEqual } from "node:util";
import type { Step } from "../task/step.ts";

/**
 * Returns the steps without those that have no effect: a page that was opened and not used, a repeated step, scrolling on a page that is
 * not used afterwards. Clicks, waits and URLs with a query are kept: they may have side effects.
 */
export function listNeededSteps(steps: readonly Step[]): readonly Step[] {
  let needed = [...steps];
  for (;;) {
    const fewer = needed.filter((step, index) => !hasNoEffect(step, needed[index - 1], needed.slice(index + 1)));
    if (fewer.length === needed.length) return needed;
    needed = fewer;
  }
}

function hasNoEffect(step: Step, before: Step | undefined, after: readonly Step[]): boolean {
  const [next] = after;
  switch (step.action) {
    case "open": {
      const leaving = after.find(({ action }) => action !== "scroll");
      return leaving?.action === "open" && (leaving.url === step.url || !/[?#]/.test(step.url));
    }
    case "fill":
    case "select":
    case "check":
    case "upload":
      return before !== undefined && isDeepStrictEqual(step, before);
    case "scroll":
      return next === undefined || next.action === "open" || next.action === "back" || isOn(next, step.to);
    case "wait":
      return !("seconds" in step.for) && before !== undefined && isDeepStrictEqual(step, before);
    case "back":
    case "tab":
    case "click":
    case "hover":
    case "press":
    case "extract":
      return false;
  }
}

/** Returns whether a step acts on the element that was scrolled to: it scrolls there on its own. */
function isOn(step: Step, to: Extract<Step, { action: "scroll" }>["to"]): boolean {
  return (
    typeof to !== "string" &&
    ["click", "fill", "select", "check"].includes(step.action) &&
    "target" in step &&
    isDeepStrictEqual(step.target, to)
  );
}
