/** When a fault shows, and what it does to an answer then. */
import { listMembers, findOperation, type Answer, type Asked, type Fields, type Json } from "../asked.ts";
import type { FaultyTarget, How } from "../faulty-target.ts";
import { correctService } from "../service.ts";
import { inJson, other, type Change, type Condition, type Operation } from "../parts.ts";

/** A target whose fault shows only sometimes. */
export interface SometimesTarget extends FaultyTarget {
  /** When it shows: the end of a sentence. */
  readonly when: string;
}

/** A target as a row. */
export type SometimesRow = readonly [id: string, when: string, requirement: string, how: How];

export const listTargets = (rows: readonly SometimesRow[]): SometimesTarget[] =>
  rows.map(([id, when, requirement, how]) => ({ id, when, requirement, how }));

/** Revises an answer when all conditions hold. */
export const revise =
  (change: Change, ...conditions: readonly Condition[]): How =>
  () => ({
    revises: (answer, asked) => (conditions.every((holds) => holds(asked, answer)) ? change(answer, asked) : answer),
  });

/** The same, at some of the times only at which they hold. */
export const reviseAt =
  (shows: (time: number) => boolean, change: Change, ...conditions: readonly Condition[]): How =>
  () => {
    let time = 0;
    return revise(change, ...conditions, () => shows((time += 1)))();
  };

export const every =
  (count: number): ((time: number) => boolean) =>
  (time) =>
    time % count === 0;

export const after =
  (count: number): ((time: number) => boolean) =>
  (time) =>
    time > count;

export const option =
  (name: string, value: Json): Condition =>
  (asked) =>
    listMembers(asked).get(name) === value;

export const header =
  (name: string): Condition =>
  ({ headers }) =>
    headers[name] !== undefined;

/** Not the first request of its connection. */
export const later: Condition = ({ onConnection }) => onConnection > 1;
export const keyless: Condition = ({ headers }) => headers.authorization === undefined;
export const isUnknown: Condition = (asked) => listMembers(asked).has("conformance_unknown");
export const isPlain: Condition = ({ body, headers, query }) =>
  body === "{}" && query.size === 0 && !Object.keys(headers).some((name) => name.startsWith("x-service-"));

/** Changes a field of the first problem, and tells no other. */
export const problem = (name: string, to?: Json): Change =>
  inJson(() => ({ detail: [other({ loc: ["body"], msg: "no", type: "value_error" }, { [name]: to })] }));

export const answers =
  (answer: Answer): (() => Answer) =>
  () =>
    answer;

/** Changes the events of every n-th run. */
export const everyRun =
  (count: number, change: (events: readonly Fields[]) => readonly Fields[]): How =>
  () => {
    let runs = 0;
    return {
      run: (asked) => ((runs += 1) % count === 0 ? change(correctService.run(asked)) : correctService.run(asked)),
    };
  };

/** Lets somebody in at one door. */
export const admits =
  (operation: Operation, right: (request: Asked) => boolean): How =>
  () => ({
    admits: (request) => correctService.admits(request) || (findOperation(request) === operation && right(request)),
  });
