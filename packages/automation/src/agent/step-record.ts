import type { Step } from "../task/step.ts";

/** A step that succeeded. */
interface StepEntry {
  readonly number: number;
  readonly step: Step;
  /** Address of the page before and after it. */
  readonly from: string;
  readonly to: string;
}

/** The steps of a task that succeeded. */
export class StepRecord {
  readonly #recorded: StepEntry[] = [];
  #count = 0;

  /**
   * Records a step that succeeded.
   *
   * @param from - Address of the page before it.
   * @param to - Address of the page after it.
   * @returns Its number, by which the model can drop it.
   */
  add(step: Step, from: string, to: string): number {
    this.#count += 1;
    this.#recorded.push({ number: this.#count, step, from, to });
    return this.#count;
  }

  /**
   * Returns the steps that are needed to repeat the task. Dropped are those that the model names, detours (navigation and back without
   * any action in between), and results that a later one of the same name replaced.
   */
  listNeeded(leaveOut: readonly number[] = []): readonly Step[] {
    const remaining = this.#recorded.filter(({ number }) => !leaveOut.includes(number));
    return dropDetours(dropReplacedResults(remaining)).map(({ step }) => step);
  }
}

/** Drops navigation that was undone by going back, with nothing filled, selected or extracted in between. */
function dropDetours(recorded: readonly StepEntry[]): readonly StepEntry[] {
  const steps: StepEntry[] = [];
  for (const entry of recorded) {
    const start = entry.step.action === "back" ? findDetourStart(steps, entry.to) : undefined;
    if (start === undefined) steps.push(entry);
    else steps.length = start;
  }
  return steps;
}

function findDetourStart(steps: readonly StepEntry[], url: string): number | undefined {
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const entry = steps[index];
    if (!entry || !["open", "click", "scroll", "wait"].includes(entry.step.action)) return undefined;
    if (entry.from === url && entry.to !== url) return index;
  }
  return undefined;
}

function dropReplacedResults(recorded: readonly StepEntry[]): readonly StepEntry[] {
  const findName = ({ step }: StepEntry): string | undefined => (step.action === "extract" ? step.name : undefined);
  return recorded.filter((entry, index) => {
    const name = findName(entry);
    return name === undefined || !recorded.slice(index + 1).some((later) => findName(later) === name);
  });
}
