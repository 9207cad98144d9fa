import type { Handovers } from "../handovers/handovers.ts";
import { findServiceError } from "../service-error.ts";
import type { ControlLease, TakeFault } from "../sessions/control/control-lease.ts";
import type { LiveControl, LiveFault, LiveHandover } from "./live-messages.ts";

/** Who steers a session, as a viewer is told. */
export interface ControlMessage {
  readonly type: "control";
  readonly holder: "program" | "person";
  readonly you: boolean;
  readonly connected: boolean;
  readonly evaluation: boolean;
  readonly since: string;
  readonly grace_until: string | null;
  readonly waiting: boolean;
}

const faults: Readonly<Record<TakeFault, string>> = {
  taken: "another person has the control: wait until it is given back, or take it with force: true",
  void: "the control was given back, or taken by another person, meanwhile: take it again",
};

/** Makes the message about who steers, for one viewer. */
export function makeControlMessage(control: ControlLease, viewer: object): ControlMessage {
  const { holder, sinceMs, isConnected, graceUntilMs, evaluation, waitingCommands } = control.state;
  return {
    type: "control",
    holder,
    you: control.isHeldBy(viewer),
    connected: isConnected,
    evaluation,
    since: new Date(sinceMs).toISOString(),
    grace_until: graceUntilMs === null ? null : new Date(graceUntilMs).toISOString(),
    waiting: waitingCommands > 0,
  };
}

/**
 * Follows a message of a viewer about the control.
 *
 * @param onLease - Called with the secret by which the viewer may resume the control after a lost connection.
 * @returns Why it was not followed.
 */
export function obeyControl(
  { action, evaluation = false, force = false, lease = "" }: LiveControl,
  control: ControlLease,
  viewer: object,
  onLease: (lease: string) => void,
): LiveFault | undefined {
  if (action === "release") {
    if (control.release(viewer)) return undefined;
    return { code: "not-holder", message: "this viewer does not have the control of the session" };
  }
  const got = action === "take" ? control.take(viewer, evaluation, force) : control.resume(viewer, lease);
  if (typeof got === "string") return { code: "refused", message: faults[got] };
  onLease(got.lease);
  return undefined;
}

/** The request for a person that is open, as viewers are told. */
export interface RequestMessage {
  readonly type: "handover";
  readonly handover: { readonly handover_id: string; readonly message: string; readonly expires_at: string } | null;
}

/** Makes the message about the request for a person that is open. */
export function makeRequestMessage({ state: { request } }: ControlLease): RequestMessage {
  if (!request) return { type: "handover", handover: null };
  const { id, message, expiresMs } = request;
  return { type: "handover", handover: { handover_id: id, message, expires_at: new Date(expiresMs).toISOString() } };
}

/** Gives the answer of a viewer to a request for a person. Resolves with why it could not be given; never rejects. */
export async function answerHandover(
  { handover_id, answer, note }: LiveHandover,
  sessionId: string,
  handovers: Pick<Handovers, "answer">,
): Promise<LiveFault | undefined> {
  try {
    await handovers.answer(sessionId, handover_id, answer, note ?? null);
    return undefined;
  } catch (error) {
    const serviceError = findServiceError(error);
    const isRefused = serviceError?.code === "unknown-handover" || serviceError?.code === "handover-answered";
    return {
      code: isRefused ? "refused" : "failed",
      message: serviceError?.message ?? "the answer could not be given",
    };
  }
}
