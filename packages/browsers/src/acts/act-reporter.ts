/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { PageAct } from "./act.ts";

/** An act as the page reports it, before time and tab are added. */
export type SeenAct = Omit<PageAct, "ageMs" | "trusted" | "dropped">;

/** Reports acts to the service. */
export interface ActReporter {
  /** Counts an act; returns false when there were too many in this second. Acts of scripts are counted apart. */
  readonly mayTell: (trusted?: boolean) => boolean;
  /** Reports an act. @param atMs - When it happened, by the clock of the document. */
  readonly tell: (act: SeenAct, trusted: boolean, atMs: number) => void;
}

/**
 * Reports acts through a binding, at most thirty in a second. Runs in the page, in a world of its own: it uses nothing outside of itself.
 *
 * @param binding - Name of the binding that takes an act as JSON.
 */
export function reportActs(binding: string): ActReporter {
  const mostInASecond = 30;
  const now = performance.now.bind(performance);
  let second = 0;
  /** Number of acts reported in this second: those of people, and those of scripts, which are counted apart. */
  let counts = { trusted: 0, scripted: 0 };
  let dropped = 0;

  const mayTell = (trusted = true): boolean => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) counts = { trusted: 0, scripted: 0 };
    second = current;
    const count = (counts[trusted ? "trusted" : "scripted"] += 1);
    if (trusted && count > mostInASecond) dropped += 1;
    return count <= mostInASecond;
  };
  const tell = (act: SeenAct, trusted: boolean, atMs: number): void => {
    const send: unknown = Reflect.get(globalThis, binding);
    if (typeof send !== "function") return;
    const more = dropped > 0 ? { dropped } : {};
    dropped = 0;
    send(JSON.stringify({ ...act, trusted, ageMs: Math.round(now() - atMs), ...more }));
  };
  return { mayTell, tell };
}
