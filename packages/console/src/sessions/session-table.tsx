import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ListedSession } from "../api/control.ts";
import { links } from "../routes.ts";
import { formatDuration, Time } from "../ui/time.tsx";
import { shownHost } from "./session-card.tsx";
import { cutPage, filterSessions, type TableFilter } from "./session-filter.ts";
import { DataTable } from "../ui/data-table.tsx";

/** Sessions on one page of the table. */
const pageSize = 25;

/** Reasons for the end of sessions, in words. */
const reasons: Readonly<Record<NonNullable<ListedSession["end_reason"]>, string>> = {
  requested: "ended by request",
  "not-created": "could not be created",
  idle: "was idle too long",
  unused: "was never used",
  "time-limit": "reached its time limit",
  "page-crashed": "its page crashed",
  "browser-crashed": "its browser crashed",
  memory: "used too much memory",
  flood: "its pages sent too much",
  shutdown: "the service was stopped",
  "service-died": "the service died",
  "host-lost": "its node was lost",
};

/** All sessions, to be searched, filtered and paged through. */
export function SessionTable({ sessions, isCut }: { sessions: readonly ListedSession[]; isCut: boolean }): JSX.Element {
  const filter = useSignal<TableFilter>({ text: "", state: "" });
  const page = useSignal(0);
  const found = filterSessions(sessions, filter.value);
  const { items, index, count } = cutPage(found, pageSize, page.value);
  return (
    <section aria-labelledby="all-sessions">
      <h2 id="all-sessions">
        All <span class="count">{found.length}</span>
      </h2>
      <form class="filter" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            placeholder="title, address, key or id"
            value={filter.value.text}
            onInput={({ currentTarget }) => {
              filter.value = { ...filter.value, text: currentTarget.value };
              page.value = 0;
            }}
          />
        </label>
        <label>
          State
          <select
            value={filter.value.state}
            onChange={({ currentTarget: { value } }) => {
              filter.value = { ...filter.value, state: value === "active" || value === "ended" ? value : "" };
              page.value = 0;
            }}
          >
            <option value="">all</option>
            <option value="active">open</option>
            <option value="ended">ended</option>
          </select>
        </label>
      </form>
      {items.length === 0 ? (
        <p class="hint">No session matches. Search for fewer words, or for all states.</p>
      ) : (
        <DataTable label="Table of sessions" columns={["Page", "State", "Created", "Lasted", "Key", "Replay"]}>
          {items.map((session) => (
            <Row key={session.session_id} session={session} />
          ))}
        </DataTable>
      )}
      {count > 1 && (
        <nav class="pages" aria-label="Pages of sessions">
          <button type="button" disabled={index === 0} onClick={() => (page.value = index - 1)}>
            Newer
          </button>
          <span>
            Page {index + 1} of {count}
          </span>
          <button type="button" disabled={index === count - 1} onClick={() => (page.value = index + 1)}>
            Older
          </button>
        </nav>
      )}
      {isCut && (
        <p class="hint">Only the newest {sessions.length} are listed; older ones are still there by their id.</p>
      )}
    </section>
  );
}

function Row({ session }: { session: ListedSession }): JSX.Element {
  const { session_id, title, url, created_at, ended_at, end_reason, key, recording } = session;
  const endMs = ended_at === null ? Date.now() : Date.parse(ended_at);
  const isReady = recording?.state === "ready";
  return (
    <tr>
      <td class="wide">
        <a href={links.session(session_id)}>{title || shownHost(url) || "blank page"}</a>
        <span class="sub">{shownHost(url)}</span>
      </td>
      <td>
        <span class={`badge ${session.state}`}>{session.state === "active" ? "open" : "ended"}</span>
        {end_reason !== null && <span class="sub">{reasons[end_reason]}</span>}
      </td>
      <td>
        <Time at={created_at} />
      </td>
      <td class="number">{formatDuration(endMs - Date.parse(created_at))}</td>
      <td>{key}</td>
      <td>{isReady ? <a href={links.session(session_id, "replay")}>play</a> : (recording?.state ?? "none")}</td>
    </tr>
  );
}
