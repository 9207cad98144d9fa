import type { JSX } from "preact";
import { links } from "../routes.ts";
import { MarkdownView } from "../ui/markdown-view.tsx";
import { ErrorNotice, Loading } from "../ui/state.tsx";
import type { RunEntry, RunSnapshot } from "./run-snapshot.ts";

/** Longest result of a tool that is shown without a click, in characters. */
const most = 4_000;

/** The events of a run. */
export function EventList({
  snapshot: { entries, terminal },
  sessionId,
  error,
}: {
  snapshot: RunSnapshot;
  /** Session of the run; null before there is one. */
  sessionId: string | null;
  error: Error | undefined;
}): JSX.Element {
  return (
    <section aria-label="Events">
      {error && <ErrorNotice error={error} />}
      {entries.length === 0 && !error && <Loading what="Waiting for events" />}
      <ol class="events" aria-live="polite" aria-relevant="additions">
        {entries.map((entry, index) => (
          <li key={index} class={entry.kind}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {terminal && <Outcome event={terminal} sessionId={sessionId} />}
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
            <strong>{text}</strong> {result === undefined ? "…" : "✓"} <span class="said">{firstLine(result)}</span>
          </summary>
          <pre tabIndex={0} aria-label={`Result of ${text}`}>
            {(result ?? "").slice(0, most)}
            {(result?.length ?? 0) > most && "\n… the rest is left out here"}
          </pre>
        </details>
      );
  }
}

function Outcome({
  event,
  sessionId,
}: {
  event: NonNullable<RunSnapshot["terminal"]>;
  sessionId: string | null;
}): JSX.Element {
  const fields: Readonly<Record<string, unknown>> = { ...event };
  const why = [fields["error"], fields["reason"], fields["detail"]].filter((text) => typeof text === "string");
  const files = fileNamesIn(fields["metadata"]);
  return (
    <>
      <p class={`notice ${event.type === "done" ? "good" : "bad"}`} role="status">
        <strong>{event.type}</strong> {why.join(": ")}
      </p>
      {files.length > 0 && sessionId !== null && (
        <p>
          Downloaded <a href={links.session(sessionId, "files")}>{files.join(", ")}</a>
        </p>
      )}
    </>
  );
}

/** Returns the first line of a result, which summarizes it. */
function firstLine(result: string | undefined): string {
  return (result ?? "").split("\n", 1)[0]?.slice(0, 300) ?? "";
}

/** Returns the names of the files that a run has downloaded. */
function fileNamesIn(metadata: unknown): readonly string[] {
  const { files }: { files?: unknown } = Object(metadata);
  return Array.isArray(files) ? files.map((file: unknown) => String(Object(file)["name"])) : [];
}
