/** Correct targets that use two freedoms at once: what is allowed alone is allowed together. */
import type { CorrectTarget } from "./correct-target.ts";

/** The step from one server to the other one of its pair: no divisor of their number, so that each meets others. */
const steps: readonly number[] = [37, 101];

/** Returns whether a target differs from the plain one in nothing but its answers. */
const isPlain = (target: CorrectTarget): boolean =>
  [target.line, target.automation, target.choosesAnswers, target.options, target.maxRuns].every(
    (part) => part === undefined,
  );

/** The two in one; undefined when both do the same part, each in its own way. */
function together(one: CorrectTarget, other: CorrectTarget): CorrectTarget | undefined {
  const { revises: first } = one.parts;
  const { revises: second } = other.parts;
  const clash = Object.keys(one.parts).some((name) => name !== "revises" && Object.hasOwn(other.parts, name));
  if (one === other || clash) return undefined;
  return {
    does: `${one.does}; and ${other.does}`,
    parts: {
      ...one.parts,
      ...other.parts,
      ...(first && second ? { revises: (answer, request) => second(first(answer, request), request) } : {}),
    },
  };
}

/**
 * Makes pairs of correct servers.
 *
 * @param most - Most pairs that are made.
 */
export function listPairs(targets: readonly CorrectTarget[], most: number): CorrectTarget[] {
  const plain = targets.filter(isPlain);
  const pairs = steps.flatMap((step) =>
    plain.flatMap((one, at): CorrectTarget[] => {
      const other = plain[(at * 3 + step) % plain.length];
      const pair = other && together(one, other);
      return pair ? [pair] : [];
    }),
  );
  return pairs.filter(({ does }, at) => pairs.findIndex((pair) => pair.does === does) === at).slice(0, most);
}
