import type { Changes } from "../changes/changes.ts";
import type { SteeringChange, SteeringEvents } from "../sessions/control/steering-events.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { TimelineEvent } from "../timeline/timeline-event.ts";

/** Adds what changes about who steers a session to its timeline, and tells the readers of lists. Returns a function that ends it. */
export function tellSteering(steering: SteeringEvents, sessions: Pick<Sessions, "open">, changes: Changes): () => void {
  return steering.observe(({ session_id, ...change }) => {
    const session = sessions.open.find(({ id }) => id === session_id);
    session?.history.timeline.record(toTimelineEvent(change));
    changes.tell("sessions", session?.key);
    if (change.kind === "asked" || change.kind === "answered") changes.tell("handovers", session?.key);
  });
}

/** Returns a change as an entry of a timeline. */
function toTimelineEvent(change: SteeringChange): TimelineEvent {
  const kind = "handover";
  switch (change.kind) {
    case "taken":
    case "disconnected":
    case "resumed":
      return { kind, by: "person", state: change.kind };
    case "given_back":
      return { kind, by: change.why === "released" ? "person" : "service", state: change.kind, words: change.why };
    case "asked":
      return { kind, by: change.by === "run" ? "run" : "client", state: change.kind, words: change.message };
    case "answered": {
      const by = change.answer === "done" || change.answer === "declined" ? "person" : "service";
      return { kind, by, state: change.answer, ...(change.note === null ? {} : { words: change.note }) };
    }
  }
}
