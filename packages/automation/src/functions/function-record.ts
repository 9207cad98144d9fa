import type { Step, Variable } from "../task/step.ts";

/** A recorded task that can be repeated without a model. Source: interface § Other records; the rest is ours. */
export interface FunctionRecord {
  /** Its id, a UUID. Source: interface § Events. */
  readonly function_id: string;
  /** Its name, a few words in snake_case. Source: interface § Events. */
  readonly function_name: string;
  /** Time of creation: ISO 8601 with offset. Source: interface § Events. */
  readonly created_at: string;
  /** The task that it was recorded from. */
  readonly query: string;
  /** Inputs of the function, with the values of the task as defaults. */
  readonly variables: readonly Variable[];
  /** Steps in their order. */
  readonly steps: readonly Step[];
}
