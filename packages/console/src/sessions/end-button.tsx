import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { capitalize } from "../ui/state.tsx";

/** Ends a session, after it has asked. */
export function EndButton({
  sessionId,
  name,
  onEnd,
}: {
  sessionId: string;
  name: string;
  onEnd: () => void;
}): JSX.Element {
  const state = useSignal<"idle" | "asking" | "ending">("idle");
  const error = useSignal<string | undefined>(undefined);
  const end = async (): Promise<void> => {
    state.value = "ending";
    try {
      await unwrap(control.DELETE("/control/sessions/{session_id}", { params: { path: { session_id: sessionId } } }));
      onEnd();
    } catch (thrown) {
      error.value = thrown instanceof Error ? thrown.message : String(thrown);
    }
    state.value = "idle";
  };
  if (state.value === "asking") {
    return (
      <span class="confirm" role="group" aria-label={`End the session on ${name}?`}>
        <button type="button" class="danger" autoFocus onClick={() => void end()}>
          End it
        </button>
        <button type="button" class="quiet" onClick={() => (state.value = "idle")}>
          Keep it
        </button>
      </span>
    );
  }
  return (
    <span>
      {error.value !== undefined && <span role="alert">{capitalize(error.value)} </span>}
      <button
        type="button"
        class="quiet"
        disabled={state.value === "ending"}
        aria-label={`End the session on ${name}`}
        onClick={() => (state.value = "asking")}
      >
        {state.value === "ending" ? "Ending …" : "End"}
      </button>
    </span>
  );
}
