import type { TerminalEvent } from "../events/event.ts";
import type { StreamError } from "../errors/stream-error.ts";

/**
 * End of a stream, a union discriminated by `type`: with one of the four terminal events, with an error, or left by the caller.
 *
 * Only the terminal events say how the run ended. After the others it may still be running, and be billed.
 *
 * Source: interface § States and transitions.
 */
export type Outcome = { [Type in TerminalEvent["type"]]: TerminalOutcome<Type> }[TerminalEvent["type"]] | Broken | Left;

/** The stream ended with a terminal event. Source: interface § States and transitions. */
export interface TerminalOutcome<Type extends TerminalEvent["type"]> {
  /** Type of the terminal event. */
  readonly type: Type;
  /** The terminal event. */
  readonly event: Extract<TerminalEvent, { type: Type }>;
}

/** Reading failed before a terminal event. */
export interface Broken {
  /** Discriminates the outcomes. */
  readonly type: "broken";
  /** The error that the iteration throws. */
  readonly error: StreamError;
}

/** The caller stopped reading before the terminal event, by `break`, `cancel()` or `await using`. */
export interface Left {
  /** Discriminates the outcomes. */
  readonly type: "left";
}
