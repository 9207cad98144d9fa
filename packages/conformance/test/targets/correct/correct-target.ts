/** A correct target, and the ways in which the tables say what it does. */
import { bodyOf, isObject, type Answer, type Asked, type Fields, type Json } from "../asked.ts";
import { runEndingIn, type Ending } from "../content.ts";
import { other, run } from "../faulty-target.ts";
import type { Setting } from "../run-suite.ts";
import type { Service } from "../service.ts";

/** One correct target. */
export interface CorrectTarget extends Setting {
  /** Behaviour, as the end of a sentence. */
  readonly does: string;
  readonly parts: Partial<Service>;
}

/** Revises every answer. */
export const revises = (revise: (answer: Answer, asked: Asked) => Answer): Partial<Service> => ({ revises: revise });

/** Writes events in another way. */
export const stream = (write: (event: Fields) => string): Partial<Service> => ({ writes: write });

export const isStream = ({ headers }: Answer): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true;

/** Writes every body in other pieces. */
export const pieces = (cut: (body: string) => (string | Uint8Array)[]): Partial<Service> =>
  revises((answer) => ({ ...answer, pieces: cut(bodyOf(answer)) }));

/** Ends a run by an event of that type, with fields that are other. */
export const ending = (name: Ending, fields: Readonly<Record<string, Json | undefined>> = {}): Partial<Service> =>
  run(() => {
    const all = runEndingIn(name);
    const last = other(all.at(-1) ?? null, fields);
    return isObject(last) ? [...all.slice(0, -1), last] : all;
  });
