/** A target that breaks one sentence of the interface, and the ways in which the table says how. */
import { json, findOperation, type Answer, type Fields, type Json } from "./messages.ts";
import { correctService, type Service } from "./service.ts";

/** The parts that a target does otherwise; made anew for each run, since some of them count. */
export type How = () => Partial<Service>;

/** One faulty target. */
export interface FaultyTarget {
  /** Behaviour, in kebab-case. */
  readonly id: string;
  /** The one requirement that it breaks; the sentence is there. */
  readonly requirement: string;
  /** Implementation of the behaviour. */
  readonly how: How;
  /** It answers as a mock does when a request prefers an answer: the only way to see what no request provokes. */
  readonly choosesAnswers?: true;
  /** Runs that may be started. Default: 1. */
  readonly maxRuns?: number;
}

/** Several ways to break one sentence. */
export function listBreaking(requirement: string, ways: Readonly<Record<string, Partial<Service>>>): FaultyTarget[] {
  return Object.entries(ways).map(([id, parts]) => ({ id, requirement, how: () => parts }));
}

/** A fault as a row, whose parts count nothing. */
export type FaultRow = readonly [id: string, requirement: string, parts: Partial<Service>];

/** Makes the targets of rows. */
export const listFaults = (rows: readonly FaultRow[]): FaultyTarget[] =>
  rows.map(([id, requirement, parts]) => ({ id, requirement, how: () => parts }));

/** Scrapes, and changes what it gives. */
export const changeScrape = (change: (space: Json, options: ReadonlyMap<string, Json>) => Json): Partial<Service> => ({
  scrapes: (options, request) => change(correctService.scrapes(options, request), options),
});

/** Turns a request down and blames one place for it. */
export const blame = (...loc: string[]): Answer => json(422, { detail: [{ loc, msg: "no", type: "value_error" }] });

/** Adds a problem to a page scrape when something is true of its members. */
export const refuse = (field: string, when: (options: ReadonlyMap<string, Json>) => boolean): Partial<Service> => ({
  revises: (answer, request) => {
    if (findOperation(request) !== "scrape" || answer.status !== 200) return answer;
    const value: Fields = JSON.parse(request.body);
    return when(new Map(Object.entries(value))) ? blame("body", field) : answer;
  },
});
