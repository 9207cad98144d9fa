/** A correct target, and the ways in which the tables say what it does. */
import type { Answer } from "../messages.ts";
import type { Setting } from "../run-suite.ts";
import type { Parts } from "../service.ts";

/** One correct target. */
export interface CorrectTarget extends Setting {
  /** Behaviour, as the end of a sentence. */
  readonly does: string;
  readonly parts: Parts;
}

/** Returns correct targets, each by what it does. */
export const correct = (ways: Readonly<Record<string, Parts>>): CorrectTarget[] =>
  Object.entries(ways).map(([does, parts]) => ({ does, parts }));

export const isStream = ({ headers }: Answer): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true;
