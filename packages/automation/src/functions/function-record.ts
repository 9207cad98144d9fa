import type { Step, Variable } from "../task/step.ts";

/** A task that was done once and can be done again, without a model. Source: interface § Other records; the rest is ours. */
export interface FunctionRecord {
  /** Its id, a UUID. Source: interface § Events. */
  readonly function_id: string;
  /** Its name: a few words in snake_case. Source: interface § Events. */
  readonly function_name: string;
  /** When it was made: ISO 8601 with offset. Source: interface § Events. */
  readonly created_at: string;
  /** The task that it came of. */
  readonly query: string;
  /** Inputs of the function; the values are those of the task. */
  readonly variables: readonly Variable[];
  /** Steps in their order. */
  readonly steps: readonly Step[];
}
