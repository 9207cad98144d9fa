import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LiveSession } from "./live-session.ts";

/** Tabs and address of the current page; enabled while this viewer has the control. */
export function AddressBar({ live }: { live: LiveSession }): JSX.Element {
  const typed = useSignal<string | undefined>(undefined);
  const isSteering = live.isHolder;
  const page = live.page.value;
  const tabs = live.tabs.value;
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = typed.value?.trim();
    if (!text) return;
    live.send({ type: "address", url: /^[a-z]+:/i.test(text) ? text : `https://${text}` });
    typed.value = undefined;
  };
  const history = (action: "back" | "forward" | "reload", label: string, sign: string): JSX.Element => (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      disabled={!isSteering}
      onClick={() => live.send({ type: "history", action })}
    >
      {sign}
    </button>
  );
  return (
    <div class="browser-bar">
      {tabs.length > 1 && (
        <ul class="browser-tabs" aria-label="Tabs of the session">
          {tabs.map(({ tab, title, url }) => (
            <li key={tab} class={tab === page?.tab ? "current" : ""}>
              <button
                type="button"
                disabled={!isSteering}
                aria-current={tab === page?.tab ? "true" : undefined}
                onClick={() => live.send({ type: "tab", action: "choose", tab })}
              >
                {title || url || "blank page"}
              </button>
              {isSteering && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Close ${title || url}`}
                  onClick={() => live.send({ type: "tab", action: "close", tab })}
                >
                  ✕
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={open}>
        {history("back", "Back", "←")}
        {history("forward", "Forward", "→")}
        {history("reload", "Reload", "⟳")}
        <input
          aria-label="Address of the page"
          spellcheck={false}
          autoComplete="off"
          readOnly={!isSteering}
          value={typed.value ?? page?.url ?? ""}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onBlur={() => (typed.value = undefined)}
        />
        <span class="spinner" role="status">
          {page?.loading ? "loading …" : ""}
        </span>
      </form>
    </div>
  );
}
