import type { Step, Variable } from "../task/step.ts";
import { refuseAct, type ActRefusal } from "./act-refusal.ts";
import { ActsReader } from "./acts-reader.ts";
import type { RecordedEntry } from "./recorded-entry.ts";

/** The entries that a function is made of, and the state of the timeline after them. */
export interface ActsRange {
  /** Number of the first entry. Default: the first of the session. */
  readonly from?: number | undefined;
  /** Number of the last entry. Default: the last of the session. */
  readonly to?: number | undefined;
  /** True when the timeline is full: the last acts are not recorded. */
  readonly isFull?: boolean;
  /** True while somebody is typing: the text is recorded later. */
  readonly isTypedInto?: boolean;
}

/** A function that is made of acts. */
export interface ActsFunction {
  readonly steps: readonly Step[];
  readonly variables: readonly Variable[];
  /** The actor. */
  readonly by: "person" | "client";
  /** Numbers of the first and the last entry that it was made of. */
  readonly entries: { readonly from: number; readonly to: number };
}

/** Most refusals that are returned. */
const maxRefusals = 20;

/**
 * Makes a function of what a person, or a program by CDP, did in a session: each act becomes a step, each value a variable. If anything in
 * the range can't be repeated reliably, no function is made: one that does something else would be worse than none.
 *
 * @param entries - All entries of the session, in order: those before the range tell where it begins.
 * @example
 * ```ts from=examples/api/automation/make-function-of-acts.ts
 * import { makeFunctionOfActs, type RecordedEntry } from "@cloud-browser/automation";
 *
 * const navigation = { kind: "navigation", address: { url: "https://ferries.example/" }, sameDocument: false } as const;
 * const entries: readonly RecordedEntry[] = [
 *   { seq: 1, atMs: 0, by: "service", tab: 1, kind: "tab-opened" },
 *   { seq: 2, atMs: 40, by: "service", tab: 1, ...navigation, via: "address" },
 *   // Nothing tells which of the buttons it was.
 *   { seq: 3, atMs: 900, by: "person", tab: 1, kind: "act", act: "click", target: { role: "button", name: "Book" } },
 * ];
 * const result = makeFunctionOfActs(entries, {});
 * if ("refusals" in result) for (const { seq, code } of result.refusals) console.log(seq, code); // 3 no-place
 * ```
 */
export function makeFunctionOfActs(
  entries: readonly RecordedEntry[],
  range: ActsRange,
): { readonly function: ActsFunction } | { readonly refusals: readonly ActRefusal[] } {
  const { from = 1, to = Infinity, isFull = false, isTypedInto = false } = range;
  const reader = new ActsReader();
  let before: number | undefined;
  for (const entry of entries) {
    if (entry.seq > to) break;
    const isIn = entry.seq >= from;
    const isTorn = before !== undefined && entry.seq !== before + 1;
    before = entry.seq;
    if (isTorn) reader.miss(entry.seq, isIn);
    if (isIn) reader.read(entry);
    else reader.skip(entry);
  }
  const isOpenEnded = range.to === undefined || range.to >= (entries.at(-1)?.seq ?? 0);
  const last = entries.findLast(({ seq }) => seq <= to)?.seq ?? null;
  if (isOpenEnded && isFull) reader.refuse(last, "timeline-full");
  if (isOpenEnded && isTypedInto) reader.refuse(last, "typing-goes-on");
  const ended = entries.find(({ kind }) => kind === "end");
  if (range.to === undefined && ended?.kind === "end" && ended.isLost) reader.refuse(ended.seq, "lost-end");
  const refusals = reader.end();
  if (refusals.length > 0) return { refusals: refusals.slice(0, maxRefusals) };
  const { steps, variables, actor } = reader;
  if (actor === undefined || steps.length === 0) return { refusals: [refuseAct(null, "no-acts")] };
  return { function: { steps, variables, by: actor, entries: { from: Math.max(1, from), to: last ?? from } } };
}
