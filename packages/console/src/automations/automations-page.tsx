import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ListedRun } from "../api/control.ts";
import { listRuns } from "../api/lists.ts";
import { usePolled } from "../api/polled.ts";
import { links } from "../routes.ts";
import { Empty, Loaded } from "../ui/state.tsx";
import { formatDuration, Time } from "../ui/time.tsx";
import { NewRun } from "./new-run.tsx";
import { DataTable } from "../ui/data-table.tsx";

/** Page with a form for a task, and the runs so far with their costs. */
export function AutomationsPage(): JSX.Element {
  const runs = usePolled(listRuns, [], 3_000, ["runs"]);
  return (
    <>
      <header class="page-head">
        <h1>Automations</h1>
      </header>
      <NewRun />
      <Loaded of={runs.value} retry={runs.again}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No runs yet">
              <p>Write above what should be done, in plain words: “open example.com and read the heading”.</p>
            </Empty>
          ) : (
            <RunTable runs={all} />
          )
        }
      </Loaded>
    </>
  );
}

/** Describes the end of a run, or its state. */
export function describeEnd({ state, end }: Pick<ListedRun, "state" | "end">): string {
  return state === "active" ? "running" : (end ?? "ended");
}

function RunTable({ runs }: { runs: readonly ListedRun[] }): JSX.Element {
  const filter = useSignal("");
  const found = runs.filter(({ task, key, end, thread_id }) =>
    [task, key, end, thread_id].join(" ").toLowerCase().includes(filter.value.toLowerCase()),
  );
  return (
    <section aria-labelledby="history">
      <h2 id="history">
        History <span class="count">{found.length}</span>
      </h2>
      <form class="filter" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            placeholder="task, key, end or id"
            value={filter.value}
            onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
          />
        </label>
      </form>
      <DataTable label="Table of runs" columns={["Task", "End", "Started", "Lasted", "Cost", "Key"]}>
        {found.map((run) => (
          <tr key={run.thread_id}>
            <td class="wide">
              <a href={links.run(run.thread_id)}>
                {run.task ??
                  (run.state === "active"
                    ? "task is shown when the run has ended"
                    : "a task that is not kept, as its run failed")}
              </a>
            </td>
            <td>
              <span class={`badge ${run.state === "active" ? "active" : (run.end ?? "")}`}>{describeEnd(run)}</span>
              {run.reason !== null && <span class="sub">{run.reason}</span>}
            </td>
            <td>
              <Time at={run.started_at} />
            </td>
            <td class="number">
              {formatDuration(
                (run.ended_at === null ? Date.now() : Date.parse(run.ended_at)) - Date.parse(run.started_at),
              )}
            </td>
            <td class="number">${run.cost_usd}</td>
            <td>{run.key}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
