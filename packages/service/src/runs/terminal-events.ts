import type { TerminalEvent } from "@cloud-browser/automation";
import type { RunRecord } from "../storage/run-store.ts";

/** The error that ends a run whose browser crashed or was closed. */
export const sessionLost: TerminalEvent = {
  type: "error",
  error: "session_lost",
  detail: "The browser of the run crashed or was closed.",
};

/** Returns the event that ends a run which has exceeded its time limit. */
export function makeTimeoutEvent(ms: number): TerminalEvent {
  return { type: "timeout", reason: "time_limit", detail: `The run exceeded its time limit of ${ms / 1000} s.` };
}

/** Returns the reason why a run ended, in a word; null for `done`. */
export function findReason(event: TerminalEvent): string | null {
  if (event.type === "done") return null;
  return String(event.type === "error" ? event.error : event.reason);
}

/** Returns the terminal event of a run as it is sent: with the cost and the id of the run. */
export function withCost(event: TerminalEvent, id: string, costUsd: string): TerminalEvent {
  const { metadata = { thread_id: id } } = event.type === "done" ? event : {};
  const complete = { ...event, metadata, total_cost_usd: Number(costUsd) };
  return complete;
}

/** Returns whether a run has lost its service or its node. */
export function isLost({ end }: RunRecord): boolean {
  return end === "service-died" || end === "host-lost";
}

/**
 * Returns the terminal event of a run that has none, by its record. A lost run is not started again: nobody knows what its last step came
 * to, and a click can't be taken back.
 */
export function recoverTerminalEvent(record: RunRecord): TerminalEvent {
  const { thread_id: id, cost_usd, reason, function_id } = record;
  return withCost(chooseEnd(record), id, cost_usd);

  function chooseEnd({ end }: RunRecord): TerminalEvent {
    switch (end) {
      case "done":
        return {
          type: end,
          metadata: { thread_id: id },
          total_cost_usd: 0,
          ...(function_id !== null && { function_id }),
        };
      case "cancelled":
        return { type: end, reason: reason ?? "" };
      case "timeout":
        return { type: end, reason: reason ?? "", detail: "" };
      case "error":
        return { type: end, error: reason ?? "", detail: "" };
      case "service-died":
        return makeLostEvent("service_died", "The service died during the run");
      case "host-lost":
        return makeLostEvent("host_lost", "The node that performed the run was lost");
      case null:
        throw new Error("the run has not ended");
    }
  }
}

function makeLostEvent(error: string, why: string): TerminalEvent {
  const rest =
    "Its last step may or may not have happened, and it is not retried: check what it was meant to change before you start another run.";
  return { type: "error", error, detail: `${why}. ${rest}` };
}
