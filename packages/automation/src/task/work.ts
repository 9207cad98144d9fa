import type { components } from "@cloud-browser/spec/types";
import type { ActivePage } from "../page/active-page.ts";
import type { Step, Variable } from "./step.ts";

/** An event of the stream. Source: interface § Events. */
export type AutomationEvent = components["schemas"]["AutomationEvent"];

/** An event after which the stream goes on. Source: interface § States and transitions. */
export type ProgressEvent = Exclude<AutomationEvent, { type: "done" | "error" | "timeout" | "cancelled" }>;

/** An event that ends the stream. Source: interface § States and transitions. */
export type TerminalEvent = Extract<AutomationEvent, { type: "done" | "error" | "timeout" | "cancelled" }>;

/** Browser and callbacks that a worker uses. */
export interface Workplace {
  /** The page that the run's session is on; it has one from the beginning. */
  readonly activePage: ActivePage;
  /** Tells what happens. Resolves when the reader has room for more: a worker waits for it. Rejects when the run is over. */
  readonly tell: (event: ProgressEvent) => Promise<void>;
  /** Somebody acts on the page: what follows is recorded closely. */
  readonly acted: () => void;
  /** Throws when a page may not be opened there. */
  readonly permit: (url: URL) => Promise<void>;
  /** Ends the work: it is too late, it was cancelled, or its reader has gone. */
  readonly signal: AbortSignal;
}

/** Result of a task. */
export interface Work {
  /** The answer, for people: Markdown. It has been told as text deltas already. */
  readonly answer: string;
  /** Extracted values, by name. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The steps that worked, in their order, without those that led nowhere. May hold `{{variables}}`. */
  readonly steps: readonly Step[];
  /** The values of the task that the steps hold as variables. */
  readonly variables: readonly Variable[];
  /** Name of the function, a few words in snake_case. */
  readonly name: string;
  /** The task as a function keeps it: `{{variables}}` in place of its secrets. */
  readonly task: string;
  /** False when the model says that the task could not be done. */
  readonly succeeded?: false;
}

/** Whoever works on tasks: the planner, or the agent with a model. */
export interface Worker {
  /**
   * Works on a task until it is done.
   *
   * @throws {AutomationError} when it can't be done.
   */
  work(task: string, place: Workplace): Promise<Work>;
  /** Exact cost of the last or current work until now, in US dollars, as a decimal string. */
  readonly cost: () => string;
}
