/** How a hand-over is answered: by a person (`done`, `declined`), by its deadline, or by the end of its session. */
export type HandoverAnswer = "done" | "declined" | "expired" | "ended";

/**
 * Something that changed about who steers a session.
 *
 * - `taken`: a person has taken the control; `given_back`: the program has it again, and why.
 * - `disconnected`, `resumed`: the person who has it has lost the connection, and is there again.
 * - `asked`, `answered`: the program, or a run, has asked for a person, and got its one answer.
 */
export type SteeringChange =
  | { readonly kind: "taken"; readonly evaluation: boolean }
  | { readonly kind: "given_back"; readonly why: "released" | "answered" | "grace-over" | "right-ended" }
  | { readonly kind: "disconnected" | "resumed" }
  | { readonly kind: "asked"; readonly handover_id: string; readonly message: string; readonly by: "program" | "run" }
  | {
      readonly kind: "answered";
      readonly handover_id: string;
      readonly answer: HandoverAnswer;
      readonly note: string | null;
    };

/** A change, with its session and its time. */
export type SteeringEvent = SteeringChange & {
  /** The session. */
  readonly session_id: string;
  /** When it happened, in milliseconds since 1970. */
  readonly at_ms: number;
};

/** Hears of every change, in order. May not throw. */
export type SteeringObserver = (event: SteeringEvent) => void;

/** Tells everybody who wants to know of changes about who steers: the one place that all of them go through. */
export class SteeringEvents {
  readonly #observers = new Set<SteeringObserver>();

  /** Calls back with each change from now on. Returns a function that ends it. */
  observe(observer: SteeringObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Tells a change. */
  tell(event: SteeringEvent): void {
    for (const observer of this.#observers) observer(event);
  }
}
