import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { ErrorNotice } from "../ui/state.tsx";
import { useSubmit } from "../ui/submit.tsx";
import { Time } from "../ui/time.tsx";

/** Request of a program or an automation for a person. */
export interface AskedRequest {
  readonly handover_id: string;
  readonly message: string;
  readonly expires_at: string;
}

/** Request for a person, with a form to answer it, after which the program continues. */
export function HandoverRequest({
  sessionId,
  request: { handover_id, message, expires_at },
  onAnswer,
}: {
  sessionId: string;
  request: AskedRequest;
  onAnswer?: () => void;
}): JSX.Element {
  const answer = useSubmit(async ({ text }) => {
    const note = text("note");
    await unwrap(
      control.POST("/control/sessions/{session_id}/handovers/{handover_id}/answer", {
        params: { path: { session_id: sessionId, handover_id } },
        body: { answer: text("answer") === "declined" ? "declined" : "done", ...(note === "" ? {} : { note }) },
      }),
    );
    onAnswer?.();
  });
  return (
    <form class="notice request" aria-label="A program asks for you" onSubmit={answer.submit}>
      <p>
        <strong>A program asks for you:</strong> {message}
      </p>
      <p class="hint">
        It waits until <Time at={expires_at} />, and goes on when you answer.
      </p>
      <p class="row">
        <label>
          What the program should know
          <input name="note" autoComplete="off" />
        </label>
        <button class="primary" name="answer" value="done" disabled={answer.isBusy.value}>
          Done
        </button>
        <button name="answer" value="declined" disabled={answer.isBusy.value}>
          Decline
        </button>
      </p>
      {answer.error.value && <ErrorNotice error={answer.error.value} />}
    </form>
  );
}
