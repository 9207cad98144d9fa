/** Circumstances in which a fault shows, and its effects on an answer. */
import { json, listMembers, type Fields, type Json } from "../messages.ts";
import type { FaultyTarget, How } from "../faulty-target.ts";
import { correctService } from "../service.ts";
import { inJson, other, type Change, type Condition } from "../parts.ts";

/** A target whose fault shows only sometimes. */
export interface SometimesTarget extends FaultyTarget {
  /** Circumstance in which it shows: the end of a sentence. */
  readonly when: string;
}

/** A condition in words, begun anew for each run, since some count. */
export interface Circumstance {
  readonly when: string;
  readonly begin: () => Condition;
}

/** Puts a condition into words. */
export const when = (text: string, holds: Condition): Circumstance => ({ when: text, begin: () => holds });

const counting = (text: string, shows: (time: number) => boolean): Circumstance => {
  const begin = (): Condition => {
    let time = 0;
    return () => shows((time += 1));
  };
  return { when: text, begin };
};

/** Counts the requests for which all conditions before it hold. */
export const every = (count: number): Circumstance =>
  counting(`every ${["", "", "second", "third"][count] ?? `${count}th`} time`, (time) => time % count === 0);
export const after = (count: number): Circumstance => counting(`after the first ${count}`, (time) => time > count);

/** A fault as a row: what it does to an answer of the subject when all conditions hold. */
export type RevisedRow = readonly [
  id: string,
  requirement: string,
  change: Change,
  ...conditions: readonly (Condition | Circumstance)[],
];

/** Revises an answer when all conditions hold. */
export const reviseWhen =
  (change: Change, ...conditions: readonly (Condition | Circumstance)[]): How =>
  () => {
    const all = conditions.map((one) => (typeof one === "function" ? one : one.begin()));
    return {
      revises: (answer, request) => (all.every((holds) => holds(request, answer)) ? change(answer, request) : answer),
    };
  };

/** Makes the targets of the rows about one subject. */
export const listRevised = (subject: Condition, rows: readonly RevisedRow[]): SometimesTarget[] =>
  rows.map(([id, requirement, change, ...conditions]) => {
    const words = conditions.flatMap((one) => (typeof one === "function" ? [] : one.when));
    const text = words.join(" and ") || "for one kind of request";
    return { id, requirement, how: reviseWhen(change, subject, ...conditions), when: text };
  });

/** Makes targets of other parts than the answers. */
export const listTargets = (
  rows: readonly (readonly [id: string, when: string, requirement: string, how: How])[],
): SometimesTarget[] => rows.map(([id, text, requirement, how]) => ({ id, when: text, requirement, how }));

/** Has these options, each true. */
export const on = (...names: readonly string[]): Circumstance =>
  when(`with ${names.join(" and ")}`, (request) => names.every((name) => listMembers(request).get(name) === true));
const header = (text: string, name: string): Circumstance => when(text, ({ headers }) => headers[name] !== undefined);
export const origin = header("for requests that tell their origin", "x-service-request-origin");
export const version = header("for requests that tell the version of their SDK", "x-service-sdk-version");
/** Not the first request of its connection. */
export const later = when("on a connection that was used before", ({ onConnection }) => onConnection > 1);
export const keyless: Condition = ({ headers }) => headers.authorization === undefined;
export const isUnknown: Condition = (request) => listMembers(request).has("conformance_unknown");
export const isPlain: Condition = ({ body, headers, query }) =>
  body === "{}" && query.size === 0 && !Object.keys(headers).some((name) => name.startsWith("x-service-"));

/** Answers in JSON. */
export const answers =
  (status: number, value: Json = {}): Change =>
  () =>
    json(status, value);

/** Changes a field of the first problem, and tells no other. */
export const problem = (name: string, to?: Json): Change =>
  inJson(() => ({ detail: [other({ loc: ["body"], msg: "no", type: "value_error" }, { [name]: to })] }));

/** Changes the events of every n-th run. */
export const everyRun =
  (count: number, change: (events: readonly Fields[]) => readonly Fields[]): How =>
  () => {
    let runs = 0;
    return {
      run: (request) => ((runs += 1) % count === 0 ? change(correctService.run(request)) : correctService.run(request)),
    };
  };
