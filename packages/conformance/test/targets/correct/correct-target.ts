/** A correct target, and the ways in which the tables say what it does. */
import { joinBody, type Answer, type ReceivedRequest, type Fields } from "../messages.ts";
import type { Setting } from "../run-suite.ts";
import type { Service } from "../service.ts";

/** One correct target. */
export interface CorrectTarget extends Setting {
  /** Behaviour, as the end of a sentence. */
  readonly does: string;
  readonly parts: Partial<Service>;
}

/** Returns correct targets, each by what it does. */
export const correct = (ways: Readonly<Record<string, Partial<Service>>>): CorrectTarget[] =>
  Object.entries(ways).map(([does, parts]) => ({ does, parts }));

/** Revises every answer. */
export const revises = (revise: (answer: Answer, request: ReceivedRequest) => Answer): Partial<Service> => ({
  revises: revise,
});

/** Writes events in another way. */
export const stream = (write: (event: Fields) => string): Partial<Service> => ({ writes: write });

export const isStream = ({ headers }: Answer): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true;

/** Writes every body in other pieces. */
export const pieces = (cut: (body: string) => (string | Uint8Array)[]): Partial<Service> =>
  revises((answer) => ({ ...answer, pieces: cut(joinBody(answer)) }));
