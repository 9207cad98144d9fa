import type { HandoverAnswer } from "../sessions/control/steering-events.ts";

/** A request of a program, or of a run, for a person. */
export interface HandoverRecord {
  /** Its id, a UUID. */
  readonly handover_id: string;
  /** The session that a person is to act in. */
  readonly session_id: string;
  /** Name of the key that created the session; null for the key that the service was started with. */
  readonly key: string | null;
  /** Task of the person. */
  readonly message: string;
  /** Who asks. */
  readonly asked_by: "program" | "run";
  /** When it was asked, in milliseconds since 1970. */
  readonly asked_ms: number;
  /** Its deadline, in milliseconds since 1970. */
  readonly expires_ms: number;
  /** Its one answer; null while it is open. `ended` when its session has ended without another one. */
  readonly answer: HandoverAnswer | null;
  /** Words of the person with the answer. */
  readonly note: string | null;
  /** When it was answered, in milliseconds since 1970; null while it is open. */
  readonly answered_ms: number | null;
}

/** A request that is new. */
export interface NewHandover extends Omit<HandoverRecord, "key" | "answer" | "note" | "answered_ms"> {
  /** A text by which the same request is known when it is sent again; null when it has none. */
  readonly idempotency_key: string | null;
}

/** Which requests a list has. */
export interface HandoverFilter {
  /** Those of the sessions of one key; null: of the key that the service was started with. Default: of all. */
  readonly key?: string | null | undefined;
  /** Those in one state. Default: both. */
  readonly state?: "open" | "answered" | undefined;
  /** Those of one session. Default: of all. */
  readonly sessionId?: string | undefined;
}

/** Requests for a person, kept as long as the record of their session. Each method rejects when the store is unavailable. */
export interface HandoverStore {
  /** Adds a request; returns it, or the one of the session that has the same idempotency key. */
  ask(handover: NewHandover): Promise<HandoverRecord>;
  /** Answers a request whose session is open; the first answer counts. Returns it as it is then; undefined when there is none. */
  answer(id: string, answer: HandoverAnswer, note: string | null, atMs: number): Promise<HandoverRecord | undefined>;
  /** Returns a request; undefined when there is none. */
  get(id: string): Promise<HandoverRecord | undefined>;
  /** Returns requests, the newest first. */
  list(limit: number, filter?: HandoverFilter): Promise<readonly HandoverRecord[]>;
  /** Returns how many are open, of the sessions of one key, or of all. */
  countOpen(key?: string | null): Promise<number>;
}
