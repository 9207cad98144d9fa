import type { JSX } from "preact";
import type { ListedSession } from "../api/control.ts";
import { Thumbnail } from "../live/thumbnail.tsx";
import { links } from "../routes.ts";
import { Time } from "../ui/time.tsx";
import { EndButton } from "./end-button.tsx";

/** One open session with its live picture. */
export function SessionCard({ session, onEnd }: { session: ListedSession; onEnd: () => void }): JSX.Element {
  const { session_id, title, url, created_at, key, thread_id } = session;
  const name = title || shownHost(url) || "blank page";
  return (
    <li class="card">
      <a href={links.session(session_id)}>
        <Thumbnail sessionId={session_id} viewerUrl={session.viewer_url} />
        <strong>{name}</strong>
        <span class="sub">{shownHost(url)}</span>
      </a>
      <footer>
        <span>
          <Time at={created_at} /> · {key}
          {thread_id !== null && " · automation"}
        </span>
        <EndButton sessionId={session_id} name={name} onEnd={onEnd} />
      </footer>
    </li>
  );
}

/** Returns the host of an address; empty without an address. */
export function shownHost(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).host : "";
}
