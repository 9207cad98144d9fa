import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LiveSession } from "./live-session.ts";

/** A dialog of the page, such as a confirmation; who has the control answers it. */
export function PageDialog({
  live,
  dialog,
}: {
  live: LiveSession;
  dialog: NonNullable<LiveSession["dialog"]["value"]>;
}): JSX.Element {
  const text = useSignal(dialog.default_text);
  const isSteering = live.isHolder;
  const answer = (action: "accept" | "dismiss"): void =>
    live.send({ type: "dialog", action, ...(dialog.kind === "prompt" ? { text: text.value } : {}) });
  return (
    <div class="page-dialog" role="alertdialog" aria-label="The page asks">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer("accept");
        }}
      >
        <h3>The page {dialog.kind === "alert" ? "says" : "asks"}</h3>
        <p>{dialog.message}</p>
        {dialog.kind === "prompt" && (
          <input
            aria-label="Answer"
            value={text.value}
            readOnly={!isSteering}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        )}
        {isSteering ? (
          <p>
            <button class="primary">OK</button>{" "}
            {dialog.kind !== "alert" && (
              <button type="button" onClick={() => answer("dismiss")}>
                Cancel
              </button>
            )}
          </p>
        ) : (
          <p class="hint">Take the control to answer it.</p>
        )}
      </form>
    </div>
  );
}
