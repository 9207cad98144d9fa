import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

/** Button that ends a session after a confirmation. */
export function EndButton({
  sessionId,
  name,
  onEnd,
}: {
  sessionId: string;
  name: string;
  onEnd: () => void;
}): JSX.Element {
  const end = async (): Promise<void> => {
    await unwrap(control.DELETE("/control/sessions/{session_id}", { params: { path: { session_id: sessionId } } }));
    onEnd();
  };
  return <ConfirmButton label="End" what={`End the session on ${name}`} yes="End it" busy="Ending" act={end} />;
}
