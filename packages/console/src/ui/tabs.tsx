import type { ComponentChildren, JSX } from "preact";
import { useId, useRef } from "preact/hooks";

/** Tab, and its content. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: () => ComponentChildren;
}

/** Tabs, with arrow keys between them. Only the chosen one is there. */
export function Tabs({
  label,
  tabs,
  chosen,
  choose,
}: {
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  choose: (id: string) => void;
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const index = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  );
  const current = tabs[index];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const edge = { Home: 0, End: tabs.length - 1 }[event.key];
    if (step === undefined && edge === undefined) return;
    event.preventDefault();
    const next = edge ?? (index + (step ?? 0) + tabs.length) % tabs.length;
    choose(tabs[next]?.id ?? chosen);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ id, label: name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            aria-selected={id === current?.id}
            aria-controls={`${prefix}panel`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${prefix}panel`} aria-labelledby={`${prefix}${current?.id ?? ""}`}>
        {current?.content()}
      </div>
    </>
  );
}
