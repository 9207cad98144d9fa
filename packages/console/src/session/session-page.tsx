import type { JSX } from "preact";
import { control, unwrap, type ListedSession } from "../api/control.ts";
import { isEnding } from "../api/lists.ts";
import { usePolled } from "../api/polled.ts";
import { LivePanel } from "../live/live-view.tsx";
import { links, navigate } from "../routes.ts";
import { EndButton } from "../sessions/end-button.tsx";
import { shownHost } from "../sessions/session-card.tsx";
import { TimelinePanel } from "../timeline/timeline-panel.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Loaded } from "../ui/state.tsx";
import { Tabs, type Tab } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import { ContentPanel } from "./content-panel.tsx";
import { CookiesPanel } from "./cookies-panel.tsx";
import { FilesPanel } from "./files-panel.tsx";
import { MessagesPanel } from "./messages-panel.tsx";
import { ReplayPanel } from "./replay-panel.tsx";

/** One session: live while it is open, and its replay afterwards. */
export function SessionPage({ id, tab }: { id: string; tab: string | undefined }): JSX.Element {
  const session = usePolled(
    (signal) => unwrap(control.GET("/control/sessions/{session_id}", { params: { path: { session_id: id } }, signal })),
    [id],
    3_000,
    ["sessions"],
    isEnding,
  );
  return (
    <Loaded of={session.value} retry={session.again} missing={<NoSession id={id} />}>
      {(shown) => <ShownSession session={shown} tab={tab} again={session.again} />}
    </Loaded>
  );
}

function NoSession({ id }: { id: string }): JSX.Element {
  return (
    <>
      <h1>There is no such session</h1>
      <p>
        No session of this key has the id <code>{id}</code>: it was deleted with its recording, or belongs to another
        key.
      </p>
      <p>
        <a href={links.sessions}>All sessions</a>
      </p>
    </>
  );
}

function ShownSession({
  session,
  tab,
  again,
}: {
  session: ListedSession;
  tab: string | undefined;
  again: () => void;
}): JSX.Element {
  const { session_id, title, url, state, key, created_at, thread_id } = session;
  const name = title || shownHost(url) || "blank page";
  const tabs = listTabs(session, again);
  return (
    <>
      <header class="page-head">
        <div>
          <p class="crumbs">
            <a href={links.sessions}>Sessions</a> /
          </p>
          <h1 title={name}>{name}</h1>
          <p class="facts">
            <span class={`badge ${state}`}>{state === "active" ? "open" : "ended"}</span>
            <span>
              opened <Time at={created_at} /> with the key {key}
            </span>
            {session.profile !== null && (
              <span>
                profile {session.profile.name} ({session.profile.outcome})
                {session.profile.why !== null && `: ${session.profile.why}`}
              </span>
            )}
            {thread_id !== null && <a href={links.run(thread_id)}>its automation</a>}
            <span>
              <code>{session_id}</code> <CopyButton text={session_id} label="Copy the id" />
            </span>
          </p>
        </div>
        {state === "active" && <EndButton sessionId={session_id} name={name} onEnd={again} />}
      </header>
      <Tabs
        label="Views of the session"
        tabs={tabs}
        chosen={tab ?? tabs[0]?.id ?? ""}
        choose={(chosen) => navigate(links.session(session_id, chosen))}
      />
    </>
  );
}

/** Returns what can be seen of a session: its page while it is open, its replay when it has ended. */
function listTabs(session: ListedSession, again: () => void): readonly Tab[] {
  const replay = { id: "replay", label: "Replay", content: () => <ReplayPanel session={session} /> };
  if (session.state === "ended") {
    return [replay, { id: "files", label: "Files", content: () => <FilesPanel session={session} /> }];
  }
  return [
    {
      id: "live",
      label: "Live",
      content: () => (
        <div class="beside">
          <LivePanel session={session} onEnd={again} />
          <TimelinePanel sessionId={session.session_id} isOpen />
        </div>
      ),
    },
    { id: "content", label: "Content", content: () => <ContentPanel session={session} /> },
    { id: "cookies", label: "Cookies", content: () => <CookiesPanel session={session} /> },
    { id: "files", label: "Files", content: () => <FilesPanel session={session} /> },
    { id: "messages", label: "Console", content: () => <MessagesPanel sessionId={session.session_id} /> },
    { id: "connect", label: "Connect", content: () => <ConnectPanel session={session} /> },
  ];
}
