/** Circumstances that no request of a run is in, each with the reason. */
import type { Subject } from "../targets/messages.ts";

/** The reason for some subjects in some circumstances. */
interface Reason {
  readonly circumstances: readonly string[];
  readonly subjects: readonly Subject[];
  readonly why: string;
}

/** The table. A row that does not hold any more has to go. */
export const reasons: readonly Reason[] = [
  {
    circumstances: ["query"],
    subjects: ["cookies", "replay", "run-stranger"],
    why: "The query parameters of these operations are not shown.",
  },
  {
    circumstances: ["origin", "version"],
    subjects: ["replay"],
    why: "The extra headers of this operation are not shown.",
  },
];

/** Returns the reason why a circumstance is not tried; undefined when there is none. */
export const whyUnmade = (subject: Subject, circumstance: string): string | undefined =>
  reasons.find(({ circumstances, subjects }) => circumstances.includes(circumstance) && subjects.includes(subject))
    ?.why;
