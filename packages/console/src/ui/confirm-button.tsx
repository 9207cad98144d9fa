import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { capitalize } from "./state.tsx";
import { toError } from "./submit.tsx";

/** Button for an irreversible action: it asks for a confirmation, and shows the error. */
export function ConfirmButton({
  label,
  what,
  yes,
  busy,
  act,
}: {
  /** Label of the button, such as `End`. */
  label: string;
  /** Description of the action, such as `End the session on example.com`. */
  what: string;
  /** Label of the confirmation, such as `End it`. */
  yes: string;
  /** Label during the action. */
  busy: string;
  act: () => Promise<void>;
}): JSX.Element {
  const state = useSignal<"idle" | "asking" | "busy">("idle");
  const error = useSignal<Error | undefined>(undefined);
  const confirm = async (): Promise<void> => {
    state.value = "busy";
    error.value = undefined;
    await act().catch((thrown: unknown) => (error.value = toError(thrown)));
    state.value = "idle";
  };
  if (state.value === "asking") {
    return (
      <span class="confirm" role="group" aria-label={`${what}?`}>
        <button type="button" class="danger" autoFocus onClick={() => void confirm()}>
          {yes}
        </button>
        <button type="button" class="quiet" onClick={() => (state.value = "idle")}>
          Keep it
        </button>
      </span>
    );
  }
  return (
    <span>
      {error.value && <span role="alert">{capitalize(error.value.message)} </span>}
      <button
        type="button"
        class="quiet"
        disabled={state.value === "busy"}
        aria-label={what}
        onClick={() => (state.value = "asking")}
      >
        {state.value === "busy" ? `${busy} …` : label}
      </button>
    </span>
  );
}
