import type { JSX } from "preact";
import { MarkdownView } from "../ui/markdown-view.tsx";
import { Failure, Loading } from "../ui/state.tsx";
import type { RunEntry, RunSnapshot } from "./run-snapshot.ts";

/** Longest result of a tool that is shown at once, in characters. */
const most = 4_000;

/** The events of a run. */
export function EventList({
  snapshot: { entries, terminal },
  error,
}: {
  snapshot: RunSnapshot;
  error: Error | undefined;
}): JSX.Element {
  return (
    <section aria-label="Events">
      {error && <Failure error={error} />}
      {entries.length === 0 && !error && <Loading what="Waiting for events" />}
      <ol class="events" aria-live="polite" aria-relevant="additions">
        {entries.map((entry, index) => (
          <li key={index} class={entry.kind}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {terminal && <Outcome event={terminal} />}
    </section>
  );
}

function Entry({ entry: { kind, text, result } }: { entry: RunEntry }): JSX.Element {
  switch (kind) {
    case "thinking":
      return (
        <details>
          <summary>Thinking</summary>
          <p>{text}</p>
        </details>
      );
    case "text":
      return <MarkdownView text={text} />;
    case "status":
      return <span class="sub">{text}</span>;
    case "tool":
      return (
        <details>
          <summary>
            <strong>{text}</strong> {result === undefined ? "…" : "✓"}
          </summary>
          <pre tabIndex={0} aria-label={`Result of ${text}`}>
            {(result ?? "").slice(0, most)}
            {(result?.length ?? 0) > most && "\n… the rest is left out here"}
          </pre>
        </details>
      );
  }
}

function Outcome({ event }: { event: NonNullable<RunSnapshot["terminal"]> }): JSX.Element {
  const fields: Readonly<Record<string, unknown>> = { ...event };
  const why = [fields["error"], fields["reason"], fields["detail"]].filter((text) => typeof text === "string");
  return (
    <p class={`notice ${event.type === "done" ? "good" : "bad"}`} role="status">
      <strong>{event.type}</strong> {why.join(": ")}
    </p>
  );
}
