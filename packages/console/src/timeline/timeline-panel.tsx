import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { control, unwrap } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { saveText } from "../ui/save.ts";
import { Loaded } from "../ui/state.tsx";
import { formatDuration } from "../ui/time.tsx";
import { MakeFunction } from "./make-function.tsx";
import { sayEntry, type TimelineEntry } from "./say-entry.ts";
import { followTimeline, type ReadTimeline } from "./read-timeline.ts";

/** Panel with the timeline of a session. Rows link to their moment in the video. */
export function TimelinePanel({
  sessionId,
  isOpen,
  atMs,
  onSeek,
  onRead,
}: {
  sessionId: string;
  isOpen: boolean;
  /** Current position in the video, in milliseconds. */
  atMs?: number | undefined;
  onSeek?: (videoMs: number) => void;
  onRead?: (timeline: ReadTimeline) => void;
}): JSX.Element {
  const known = useRef<ReadTimeline | undefined>(undefined);
  const timeline = usePolled(
    async (signal) => {
      known.current = await followTimeline(sessionId, known.current, signal);
      onRead?.(known.current);
      return known.current;
    },
    [sessionId],
    isOpen ? 1_500 : undefined,
  );
  const save = async (): Promise<void> => {
    const text = await unwrap(
      control.GET("/control/sessions/{session_id}/timeline", {
        params: { path: { session_id: sessionId }, query: { format: "markdown" } },
        parseAs: "text",
      }),
    );
    saveText(`${sessionId}.md`, text);
  };
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Loaded of={timeline.value} retry={timeline.again}>
        {(read) => (
          <>
            {read.entries.length === 0 && <p class="hint">Nothing has happened so far.</p>}
            <ol>
              {read.entries.map((entry) => (
                <Row
                  key={entry.seq}
                  entry={entry}
                  isCurrent={entry.seq === findCurrent(read.entries, atMs)?.seq}
                  onSeek={onSeek}
                />
              ))}
            </ol>
            <p class="row">
              <button type="button" class="quiet" onClick={() => void save()}>
                As Markdown
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() => saveText(`${sessionId}.json`, JSON.stringify(read, null, 2))}
              >
                As JSON
              </button>
              <MakeFunction sessionId={sessionId} entries={read.entries} />
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

function Row({
  entry,
  isCurrent,
  onSeek,
}: {
  entry: TimelineEntry;
  isCurrent: boolean;
  onSeek: ((videoMs: number) => void) | undefined;
}): JSX.Element {
  const { at_ms, video_ms, by } = entry;
  const words = sayEntry(entry);
  return (
    <li class={by} aria-current={isCurrent ? "true" : undefined}>
      <span class="at" title={onSeek && video_ms === null ? "before the video begins" : undefined}>
        {onSeek ? (video_ms === null ? "–" : formatDuration(video_ms)) : formatDuration(at_ms)}
      </span>
      <span class="by">{by}</span>
      {onSeek && video_ms !== null ? (
        <button type="button" class="quiet" onClick={() => onSeek(video_ms)}>
          {words}
        </button>
      ) : (
        <span>{words}</span>
      )}
    </li>
  );
}

/** Returns the last entry that was there at a moment of the video. */
function findCurrent(entries: readonly TimelineEntry[], atMs: number | undefined): TimelineEntry | undefined {
  if (atMs === undefined) return undefined;
  return entries.findLast(({ video_ms }) => video_ms !== null && video_ms <= atMs);
}
