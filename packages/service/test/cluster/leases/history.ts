/** Something that happens to the world at a moment. Times are in seconds of the world. */
export type Mishap =
  | { readonly kind: "pause" | "crash"; readonly at: number; readonly node: number; readonly for: number }
  | { readonly kind: "cut"; readonly at: number; readonly node: number; readonly for: number; readonly what: Way }
  | { readonly kind: "clock"; readonly at: number; readonly by: number };

/** Requests that do not arrive, or answers that do not. */
export type Way = "requests" | "answers";

/** One history. */
export interface History {
  /** How fast the clock of each node goes; one per node. */
  readonly rates: readonly number[];
  /** What happens. */
  readonly mishaps: readonly Mishap[];
  /** How long each message takes, in turn; how each node that goes on takes up what waits for it. */
  readonly delays: readonly number[];
}

/** Mishaps begin before this. */
export const lastMishap = 25;
