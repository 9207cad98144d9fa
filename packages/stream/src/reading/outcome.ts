import type { TerminalEvent } from "../events/event.ts";
import type { StreamError } from "../errors/stream-error.ts";

/**
 * How a stream ended, told apart by `type`: by one of the four terminal events, broken, or left by the caller.
 *
 * Only the first four say how the run ended. After the others it may still go on, and be billed.
 *
 * Source: interface § States and transitions.
 */
export type Outcome = { [Type in TerminalEvent["type"]]: TerminalOutcome<Type> }[TerminalEvent["type"]] | Broken | Left;

/** The stream ended as the interface says. Source: interface § States and transitions. */
export interface TerminalOutcome<Type extends TerminalEvent["type"]> {
  /** Type of the terminal event. */
  readonly type: Type;
  /** The terminal event. */
  readonly event: Extract<TerminalEvent, { type: Type }>;
}

/** The stream could not be read to a terminal event. */
export interface Broken {
  /** Tells the outcomes apart. */
  readonly type: "broken";
  /** The reason; the same error that the iteration throws. */
  readonly error: StreamError;
}

/** The caller stopped reading before the terminal event: `break`, `cancel()`, or the end of `await using`. */
export interface Left {
  /** Tells the outcomes apart. */
  readonly type: "left";
}
