import { mainKey } from "../keys/keys.ts";
import type { HandoverRecord } from "../storage/handover-store.ts";

/** A request for a person, as the control interface shows it. */
export interface HandoverView {
  /** Its id, a UUID. */
  readonly handover_id: string;
  /** The session that a person is to act in. */
  readonly session_id: string;
  /** Name of the key that created the session; `main` for the key that the service was started with. */
  readonly key: string;
  /** Its state. */
  readonly state: "open" | "answered";
  /** Task of the person. */
  readonly message: string;
  /** Who asks: a program, or a run. */
  readonly asked_by: HandoverRecord["asked_by"];
  /** When it was asked: ISO 8601, UTC. */
  readonly asked_at: string;
  /** Its deadline. */
  readonly expires_at: string;
  /** Its one answer; null while it is open. */
  readonly answer: HandoverRecord["answer"];
  /** Words of the person with the answer; null for nothing. */
  readonly note: string | null;
  /** When it was answered; null while it is open. */
  readonly answered_at: string | null;
}

/** Returns a request for a person as `/control` shows it. */
export function viewHandover(record: HandoverRecord): HandoverView {
  const { handover_id, session_id, key, message, asked_by, asked_ms, expires_ms, answer, note, answered_ms } = record;
  return {
    handover_id,
    session_id,
    key: key ?? mainKey,
    state: answer === null ? "open" : "answered",
    message,
    asked_by,
    asked_at: new Date(asked_ms).toISOString(),
    expires_at: new Date(expires_ms).toISOString(),
    answer,
    note,
    answered_at: answered_ms === null ? null : new Date(answered_ms).toISOString(),
  };
}
