import { isDeepStrictEqual } from "node:util";
import type { Step } from "../task/step.ts";

/**
 * Leaves out steps that change nothing of what follows: a page that was opened and left without a look, the same said twice,
 * and scrolling on a page that is left or not used any more. Whatever could matter stays: clicks, waits, and addresses with a
 * query, which may do something by being opened.
 */
export function neededSteps(steps: readonly Step[]): readonly Step[] {
  let needed = [...steps];
  for (;;) {
    const fewer = needed.filter((step, index) => !isIdle(step, needed[index - 1], needed.slice(index + 1)));
    if (fewer.length === needed.length) return needed;
    needed = fewer;
  }
}

function isIdle(step: Step, before: Step | undefined, after: readonly Step[]): boolean {
  const [next] = after;
  switch (step.action) {
    case "open": {
      const leaving = after.find(({ action }) => action !== "scroll");
      return leaving?.action === "open" && (leaving.url === step.url || !/[?#]/.test(step.url));
    }
    case "fill":
    case "select":
    case "check":
      return before !== undefined && isDeepStrictEqual(step, before);
    case "scroll":
      return next === undefined || next.action === "open" || next.action === "back" || isOn(next, step.to);
    case "wait":
      return !("seconds" in step.for) && before !== undefined && isDeepStrictEqual(step, before);
    case "back":
    case "click":
    case "press":
    case "extract":
      return false;
  }
}

/** Tells whether a step acts on a part that was scrolled to: it scrolls there by itself. */
function isOn(step: Step, to: Extract<Step, { action: "scroll" }>["to"]): boolean {
  return (
    typeof to !== "string" &&
    ["click", "fill", "select", "check"].includes(step.action) &&
    "target" in step &&
    isDeepStrictEqual(step.target, to)
  );
}
