import type { components } from "@cloud-browser/spec/types";
import type { PersonAtWork } from "../page/person.ts";
import type { StepSession } from "../page/step-context.ts";
import type { Step, Variable } from "./step.ts";

/** An event of the stream. Source: interface § Events. */
export type AutomationEvent = components["schemas"]["AutomationEvent"];

/** An event after which the stream continues. Source: interface § States and transitions. */
export type ProgressEvent = Exclude<AutomationEvent, { type: "done" | "error" | "timeout" | "cancelled" }>;

/** An event that ends the stream. Source: interface § States and transitions. */
export type TerminalEvent = Extract<AutomationEvent, { type: "done" | "error" | "timeout" | "cancelled" }>;

/** The session of a run, in which a worker works, and the receiver of its events. The session has a page when the work begins. */
export interface Workplace extends StepSession, PersonAtWork {
  /** Emits an event. Resolves when the stream accepts more; await it. Rejects when the run is over. */
  readonly emit: (event: ProgressEvent) => Promise<void>;
}

/** Result of a task. */
export interface Work {
  /** The answer as Markdown. It was emitted as text deltas already. */
  readonly answer: string;
  /** Extracted values, by name. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The steps that succeeded, in their order, without detours. May contain `{{variables}}`. */
  readonly steps: readonly Step[];
  /** The variables in the steps. */
  readonly variables: readonly Variable[];
  /** Name of the function, a few words in snake_case. */
  readonly name: string;
  /** The task as stored with the function: secrets are replaced by `{{variables}}`. */
  readonly task: string;
  /** Completeness of extracted values, by name, as sentences. */
  readonly completeness?: Readonly<Record<string, string>>;
  /** Notes, as sentences: reactions of pages that are no failure, content that was not read, and requests that were pending at the end. */
  readonly notes?: readonly string[];
  /** False if the model reports that the task could not be done, or if no step can have done it. */
  readonly succeeded?: false;
}

/** Works on tasks: the planner, the agent with a model, or a function. */
export interface Worker {
  /**
   * Works on a task until it is done.
   *
   * @throws {AutomationError} if it can't be done.
   */
  work(task: string, place: Workplace): Promise<Work>;
  /** Exact cost of the current or last task so far, in US dollars, as a decimal string. */
  readonly cost: () => string;
}
