/** Circumstances in which a fault shows, in words: what is true of a request, and of those before it. */
import { listMembers, type ReceivedRequest } from "./messages.ts";
import type { Parts } from "./service.ts";

/** Knowledge of a server about a run, at a request that could show its fault. */
export interface Moment {
  /** Number of this request among those that could show the fault, from 1. */
  readonly time: number;
  /** Number of such requests in a run. */
  readonly times: number;
  /** Runs that were started before. */
  readonly runs: number;
  /** True when the previous request, of whatever operation, was refused. */
  readonly afterRefusal: boolean;
  /** Requests that are being answered at the same time, with this one. */
  readonly underWay: number;
}

/** One circumstance. */
export interface Circumstance {
  /** The end of a sentence about a fault. */
  readonly when: string;
  /** Returns whether it holds now. */
  readonly holds: (request: ReceivedRequest, moment: Moment) => boolean;
  /** Correct behaviour of the service that it needs. Default: none. */
  readonly parts?: Parts;
  /** Runs that may be started. Default: 1. */
  readonly maxRuns?: number;
}

/** Puts a condition on the request into words. */
export const when = (text: string, holds: (request: ReceivedRequest) => boolean): Circumstance => ({
  when: text,
  holds,
});

/** Every so many times. */
export const every = (count: number, text?: string): Circumstance => ({
  when: text ?? `every ${["", "", "second", "third"][count] ?? `${count}th`} time`,
  holds: (_, { time }) => time % count === 0,
});
export const after = (count: number): Circumstance => ({
  when: `after the first ${count}`,
  holds: (_, { time }) => time > count,
});

/** Has these options, each true. */
export const on = (...names: readonly string[]): Circumstance =>
  when(`with ${names.join(" and ")}`, (request) => names.every((name) => listMembers(request).get(name) === true));

export const origin = when(
  "for requests that tell their origin",
  ({ headers }) => "x-service-request-origin" in headers,
);
export const version = when(
  "for requests that tell the version of their SDK",
  ({ headers }) => "x-service-sdk-version" in headers,
);
/** Not the first request of its connection. */
export const later = when("on a connection that was used before", ({ onConnection }) => onConnection > 1);
