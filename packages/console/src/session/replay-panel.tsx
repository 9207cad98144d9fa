import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ReplayResponse } from "@cloud-browser/client";
import { createClient } from "../api/client.ts";
import type { ListedSession } from "../api/control.ts";
import { TimelinePanel } from "../timeline/timeline-panel.tsx";
import type { ReadTimeline } from "../timeline/read-timeline.ts";
import { sayEntry } from "../timeline/say-entry.ts";
import { saveText } from "../ui/save.ts";
import { Empty, ErrorNotice, Loading } from "../ui/state.tsx";
import { formatDuration, Time } from "../ui/time.tsx";

type Recording = NonNullable<ListedSession["recording"]>;

const speeds = [0.5, 1, 1.5, 2, 4, 8] as const;
/** Time before their expiry at which addresses are requested again, in milliseconds. */
const refreshAheadMs = 30_000;
import { toError } from "../ui/submit.tsx";

/** Panel with the replay of an ended session, or the reason why it is missing. */
export function ReplayPanel({ session }: { session: ListedSession }): JSX.Element {
  const { recording, session_id } = session;
  if (recording === null) {
    return (
      <Empty title="Nothing was recorded">
        <p>The session was opened without a recording.</p>
      </Empty>
    );
  }
  if (recording.state !== "ready") return <Unready recording={recording} />;
  return <Player sessionId={session_id} recording={recording} startedAt={session.created_at} />;
}

/** Explains why the replay is missing. */
function Unready({ recording: { state, detail, next_attempt_at } }: { recording: Recording }): JSX.Element {
  const isComing = state === "encoding" || state === "retrying" || state === "recording";
  return (
    <Empty title={isComing ? "The replay is being made" : "There is no replay"}>
      <p>{detail}</p>
      {next_attempt_at !== null && (
        <p>
          It is tried again <Time at={next_attempt_at} />.
        </p>
      )}
      {isComing && <Loading what="This page shows it when it is there" />}
    </Empty>
  );
}

function Player({
  sessionId,
  recording,
  startedAt,
}: {
  sessionId: string;
  recording: Recording;
  startedAt: string;
}): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  const replay = useSignal<ReplayResponse | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const speed = useSignal(1);
  const atMs = useSignal(0);
  const timeline = useSignal<ReadTimeline | undefined>(undefined);
  /** Reads the addresses, and keeps the current position. */
  const load = async (): Promise<void> => {
    try {
      const at = video.current?.currentTime ?? 0;
      replay.value = await createClient().replay(sessionId);
      error.value = undefined;
      if (at > 0) requestAnimationFrame(() => video.current && (video.current.currentTime = at));
    } catch (thrown) {
      error.value = toError(thrown);
    }
  };
  useEffect(() => void load(), [sessionId]);
  const expiresAt = replay.value?.expires_at;
  useEffect(() => {
    if (expiresAt === undefined) return;
    const leftMs = Date.parse(expiresAt) - Date.now() - refreshAheadMs;
    // Longer delays than this are no delay at all.
    const timer = setTimeout(() => void load(), Math.min(Math.max(leftMs, 5_000), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  }, [expiresAt]);
  if (error.value) return <ErrorNotice error={error.value} retry={() => void load()} />;
  if (!replay.value) return <Loading what="Fetching the replay" />;
  const { mp4_url, playlist_content, video_duration_ms, video_start_ms } = replay.value;
  const seek = (videoMs: number): void => {
    if (video.current) video.current.currentTime = videoMs / 1_000;
  };
  const setSpeed = (rate: number): void => {
    speed.value = rate;
    if (video.current) video.current.playbackRate = rate;
  };
  return (
    <div class="beside">
      <section class="player" aria-label="Replay">
        <video
          ref={video}
          src={mp4_url}
          controls
          muted
          playsInline
          preload="metadata"
          onTimeUpdate={({ currentTarget }) => (atMs.value = currentTarget.currentTime * 1_000)}
          onError={() => {
            const failed = video.current?.error;
            if (failed)
              error.value = new Error(`the video can't be played: ${failed.message || `code ${failed.code}`}`);
          }}
        />
        <Marks timeline={timeline.value} durationMs={video_duration_ms ?? 0} onSeek={seek} />
        <div class="player-bar">
          <span class="speeds" role="group" aria-label="Speed">
            {speeds.map((rate) => (
              <button
                key={rate}
                type="button"
                class="quiet"
                aria-pressed={speed.value === rate}
                onClick={() => setSpeed(rate)}
              >
                {rate}×
              </button>
            ))}
          </span>
          <a href={mp4_url} download={`${sessionId}.mp4`}>
            Download MP4
          </a>
          <button type="button" class="quiet" onClick={() => saveText(`${sessionId}.m3u8`, playlist_content ?? "")}>
            Download playlist
          </button>
        </div>
        <dl class="facts">
          <div>
            <dt>Lasts</dt>
            <dd>{formatDuration(video_duration_ms ?? 0)}</dd>
          </div>
          <div>
            <dt>Begins</dt>
            <dd>
              {formatDuration(video_start_ms ?? 0)} after the session, which was opened <Time at={startedAt} />
            </dd>
          </div>
          <div>
            <dt>Addresses expire</dt>
            <dd>{expiresAt !== undefined && <Time at={expiresAt} />}, and are renewed here before</dd>
          </div>
          {recording.delete_at !== null && (
            <div>
              <dt>Deleted</dt>
              <dd>
                <Time at={recording.delete_at} />
              </dd>
            </div>
          )}
        </dl>
        <Gaps gaps={recording.gaps} />
      </section>
      <TimelinePanel
        sessionId={sessionId}
        isOpen={false}
        atMs={atMs.value}
        onSeek={seek}
        onRead={(read) => (timeline.value = read)}
      />
    </div>
  );
}

/** Marks of what happened, on a line as long as the video. */
function Marks({
  timeline,
  durationMs,
  onSeek,
}: {
  timeline: ReadTimeline | undefined;
  durationMs: number;
  onSeek: (videoMs: number) => void;
}): JSX.Element | null {
  if (!timeline || durationMs <= 0) return null;
  return (
    <ol class="marks" aria-label="What happened, along the video">
      {timeline.entries.map((entry) =>
        entry.video_ms === null ? null : (
          <Mark
            key={entry.seq}
            words={`${formatDuration(entry.video_ms)} ${sayEntry(entry)}`}
            share={Math.min(1, entry.video_ms / durationMs)}
            onClick={() => onSeek(entry.video_ms ?? 0)}
          />
        ),
      )}
    </ol>
  );
}

/** One mark. Its place is set here: the policy of the page allows no styles in its text. */
function Mark({ words, share, onClick }: { words: string; share: number; onClick: () => void }): JSX.Element {
  const place = (element: HTMLLIElement | null): void => element?.style.setProperty("left", `${share * 100}%`);
  return (
    <li ref={place}>
      <button type="button" title={words} aria-label={words} tabIndex={-1} onClick={onClick} />
    </li>
  );
}

/** Lists the gaps of a recording. */
function Gaps({ gaps }: { gaps: Recording["gaps"] }): JSX.Element | null {
  if (gaps.length === 0) return null;
  const why = { "write-failed": "pictures could not be written", "size-limit": "the recording was at its size limit" };
  return (
    <div class="notice">
      <p>Some time is without pictures; the video shows a still one meanwhile:</p>
      <ul>
        {gaps.map(({ from_ms, to_ms, reason }) => (
          <li key={from_ms}>
            from {formatDuration(from_ms)} {to_ms === null ? "on" : `to ${formatDuration(to_ms)}`}: {why[reason]}
          </li>
        ))}
      </ul>
    </div>
  );
}
