import type { PersonAtWork, ProgressEvent } from "@cloud-browser/automation";
import { untilAborted } from "../async.ts";
import type { Handovers } from "../handovers/handovers.ts";
import type { Session } from "../sessions/session.ts";
import type { RunClock } from "./run-clock.ts";

/** Parts of a run that a person may act in. */
export interface PersonAtRunParts {
  /** Its session. */
  readonly session: Session;
  /** Requests for a person. */
  readonly handovers: Pick<Handovers, "ask" | "wait">;
  /** How long a person who is asked has, in milliseconds; 0: nobody is asked. */
  readonly askMs: number;
  /** The time of the run. */
  readonly clock: RunClock;
  /** Delivers an event of the run. */
  readonly emit: (event: ProgressEvent) => Promise<void>;
  /** Aborts when the run is over. */
  readonly signal: AbortSignal;
}

/** Returns how a run waits for a person, and asks for one: its time stands still meanwhile, and its stream says so. */
export function makePersonAtRun({ session, handovers, askMs, clock, emit, signal }: PersonAtRunParts): PersonAtWork {
  const { control } = session;
  const during = async <Result>(about: object, wait: () => Promise<Result>): Promise<Result> => {
    const resume = clock.pause();
    try {
      // What is beyond the key field is ours.
      const waits = { type: "status" as const, status: "waiting_for_person", ...about };
      await emit(waits);
      const result = await untilAborted(wait(), signal);
      await untilAborted(control.waitForReturn(), signal);
      await emit({ type: "status", status: "running" });
      return result;
    } finally {
      resume();
    }
  };
  const untilMayAct = async (): Promise<boolean> => {
    if (!control.isHeld) return false;
    await during({}, () => control.waitForReturn());
    return true;
  };
  if (askMs === 0) return { untilMayAct };
  return {
    untilMayAct,
    askPerson: async (message) => {
      const resume = clock.pause();
      try {
        const question = { message, deadlineMs: askMs, by: "run" } as const;
        const { handover_id } = await handovers.ask(session, question);
        return await during({ handover_id, message }, async () => {
          for (;;) {
            const { answer, note } = await handovers.wait(session.id, handover_id, askMs, signal);
            if (answer !== null) return { answer, note };
          }
        });
      } finally {
        resume();
      }
    },
  };
}
