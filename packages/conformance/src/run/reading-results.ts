import { levelsWith, withLevels, type ChosenReading } from "../contract/readings.ts";
import type { Level } from "../contract/requirements.ts";
import type { CheckResult, ReadingResult } from "../report/report.ts";
import { decideVerdict, type RunState } from "../report/verdict.ts";

/** The level of each check in a run, as its reading says; with `strict` every check decides but those that a pinned reading leaves out. */
export function collectLevels(
  checks: readonly { readonly id: string }[],
  choices: readonly ChosenReading[],
  strict: boolean,
): ReadonlyMap<string, Level> {
  const all = strict ? checks.map(({ id }): [string, Level] => [id, "stated"]) : [];
  return new Map([...all, ...choices.flatMap(({ reading, value }) => [...levelsWith(reading, value)])]);
}

/**
 * Returns the readings that a verdict rests on, and the verdict under each other value of one of them.
 *
 * @param checks - The results of the checks that were selected, with the levels of this run.
 */
export function readingResults(
  choices: readonly ChosenReading[],
  checks: readonly CheckResult[],
  state: RunState,
): readonly ReadingResult[] {
  const selection = new Set(checks.map(({ id }) => id));
  return choices.map(({ reading, value, by }) => {
    const { id, requirements, sentence, values } = reading;
    const isSelected = values.every((other) => other.checks.every((check) => selection.has(check)));
    const others = values
      .filter((other) => other !== value)
      .map((other) => ({
        value: other.value,
        text: other.text,
        verdict: isSelected ? decideVerdict(withLevels(checks, levelsWith(reading, other)), state) : null,
      }));
    return { id, requirements, sentence, value: value.value, text: value.text, by, others };
  });
}
