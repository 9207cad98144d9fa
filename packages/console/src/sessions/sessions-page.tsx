import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ListedSession } from "../api/control.ts";
import { isEnding, listSessions, mostSessions } from "../api/lists.ts";
import { usePolled } from "../api/polled.ts";
import { Empty, Loaded } from "../ui/state.tsx";
import { OpenSessionForm } from "./open-session.tsx";
import { SessionCard } from "./session-card.tsx";
import { SessionTable } from "./session-table.tsx";

/** All sessions: those that are open with live pictures, and a table of all. */
export function SessionsPage(): JSX.Element {
  const isOpening = useSignal(false);
  const sessions = usePolled(listSessions, [], 3_000, ["sessions"], (all) => all.some(isEnding));
  return (
    <>
      <header class="page-head">
        <h1>Sessions</h1>
        <button type="button" class="primary" onClick={() => (isOpening.value = true)}>
          Open a session
        </button>
      </header>
      <Loaded of={sessions.value} retry={sessions.again}>
        {(all) => <AllSessions all={all} again={sessions.again} />}
      </Loaded>
      {isOpening.value && <OpenSessionForm onClose={() => (isOpening.value = false)} />}
    </>
  );
}

function AllSessions({ all, again }: { all: readonly ListedSession[]; again: () => void }): JSX.Element {
  const open = all.filter(({ state }) => state === "active");
  if (all.length === 0) {
    return (
      <Empty title="No sessions yet">
        <p>Open one here, or with a request: POST /control/sessions. It appears as soon as it is there.</p>
      </Empty>
    );
  }
  return (
    <>
      <h2>
        Open <span class="count">{open.length}</span>
      </h2>
      {open.length === 0 ? (
        <p class="hint">None is open. Those that have ended are below, with their replays.</p>
      ) : (
        <ul class="grid">
          {open.map((session) => (
            <SessionCard key={session.session_id} session={session} onEnd={again} />
          ))}
        </ul>
      )}
      <SessionTable sessions={all} isCut={all.length >= mostSessions} />
    </>
  );
}
