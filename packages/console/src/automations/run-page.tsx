import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { control, unwrap, type ListedRun } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { links } from "../routes.ts";
import { ErrorNotice, Loaded } from "../ui/state.tsx";
import { formatDuration, Time } from "../ui/time.tsx";
import { describeEnd } from "./automations-page.tsx";
import { EventList } from "./event-list.tsx";
import { useRunEvents } from "./run-events.ts";
import { RunRequest } from "./run-request.tsx";
import { toError } from "../ui/submit.tsx";

/** One run: its events as they come, its end, and what came of it. */
export function RunPage({ id }: { id: string }): JSX.Element {
  const run = usePolled(
    (signal) => unwrap(control.GET("/control/runs/{thread_id}", { params: { path: { thread_id: id } }, signal })),
    [id],
    2_000,
    ["runs"],
  );
  return (
    <Loaded of={run.value} retry={run.again} missing={<NoRun id={id} />}>
      {(shown) => <ShownRun run={shown} again={run.again} />}
    </Loaded>
  );
}

function NoRun({ id }: { id: string }): JSX.Element {
  return (
    <>
      <h1>There is no such run</h1>
      <p>
        No run of this key has the id <code>{id}</code>: those that have ended are kept for a week.
      </p>
      <p>
        <a href={links.automations}>All runs</a>
      </p>
    </>
  );
}

function ShownRun({ run, again }: { run: ListedRun; again: () => void }): JSX.Element {
  const { thread_id, state, task, session_id, function_id } = run;
  const events = useRunEvents(thread_id);
  const error = useSignal<Error | undefined>(undefined);
  const cancel = async (): Promise<void> => {
    try {
      await unwrap(control.POST("/control/runs/{thread_id}/cancel", { params: { path: { thread_id } } }));
      again();
    } catch (thrown) {
      error.value = toError(thrown);
    }
  };
  return (
    <>
      <header class="page-head">
        <div>
          <p class="crumbs">
            <a href={links.automations}>Automations</a> /
          </p>
          <h1 title={task ?? ""}>{task ?? "A task"}</h1>
          <RunFacts run={run} />
        </div>
        {state === "active" && (
          <button type="button" class="danger" onClick={() => void cancel()}>
            Cancel the run
          </button>
        )}
      </header>
      {error.value && <ErrorNotice error={error.value} />}
      <p class="row">
        {session_id !== null && <a href={links.session(session_id)}>Its session</a>}
        {function_id !== null && <a href={links.function(function_id)}>Its function</a>}
      </p>
      {state === "active" && session_id !== null && <RunRequest sessionId={session_id} />}
      <EventList snapshot={events.value.snapshot} sessionId={session_id} error={events.value.error} />
    </>
  );
}

function RunFacts({ run }: { run: ListedRun }): JSX.Element {
  const { state, end, reason, started_at, ended_at, cost_usd, key, steps } = run;
  const lastedMs = (ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at);
  return (
    <p class="facts">
      <span class={`badge ${state === "active" ? "active" : (end ?? "")}`}>{describeEnd(run)}</span>
      {reason !== null && <span>{reason}</span>}
      <span>
        started <Time at={started_at} />, {formatDuration(lastedMs)}
      </span>
      <span>
        {steps} {steps === 1 ? "step" : "steps"}
      </span>
      <span>${cost_usd}</span>
      <span>key {key}</span>
    </p>
  );
}
