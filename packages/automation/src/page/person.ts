/** Answer of a person who was asked. */
export interface PersonAnswer {
  /** `done` or `declined` by the person; `expired` when nobody has answered in time, `ended` when the session has ended. */
  readonly answer: "done" | "declined" | "expired" | "ended";
  /** Note of the person; null without one. */
  readonly note: string | null;
}

/** A person who may act on the pages of a run. */
export interface PersonAtWork {
  /** Waits while a person has the control of the session. Resolves with true when that was so: the page may be another one. Default: nobody has it. */
  readonly untilMayAct?: (() => Promise<boolean>) | undefined;
  /** Asks a person to do something in the session, and waits for the answer, and for the control. Default: nobody can be asked. */
  readonly askPerson?: ((message: string) => Promise<PersonAnswer>) | undefined;
}

/** Describes an answer other than `done`, as the end of a sentence. */
export function describeRefusal({ answer, note }: PersonAnswer): string {
  const words = note === null ? "" : `: ${note}`;
  return answer === "declined"
    ? `a person was asked, and declined${words}`
    : "a person was asked, and did not answer in time";
}
