import type { CloudBrowserControl } from "@cloud-browser/client/control";
import type { StreamEvent } from "@cloud-browser/stream";
import type { LocalRun, NumberedEvent } from "./local-run.ts";
import { createRunReport, type RunReport } from "./run-report.ts";

/** Options of following a run. */
export interface FollowRunOptions {
  /** Id of the last event that is known. Default: none is. */
  readonly after: string | undefined;
  /** Longest wait for new events, in milliseconds. */
  readonly waitMs: number;
  /** Maximum number of characters of the report; the rest is read with the next call. */
  readonly mostChars: number;
  /** Stops following; the run continues. */
  readonly signal: AbortSignal;
  /** Called for each event. */
  readonly onEvent: (event: StreamEvent, report: RunReport) => void;
}

/** Part of a run that was read. */
export interface FollowedRun {
  readonly report: RunReport;
  /** Id of the last event that was read: what comes next is read after it. */
  readonly after: string | undefined;
  /** Reason for which reading stopped: the `end` of the run, the `time` limit, `enough` characters, or a wait for a `person`. */
  readonly stopped: "end" | "time" | "enough" | "person";
}

/** Status of a run that waits for a person. */
const waitsForPerson = "waiting_for_person";

/** Reads events of a run until it ends, waits for a person, or a limit of characters or time is reached. Never stops the run. */
export async function followRun(
  source: LocalRun | { readonly control: CloudBrowserControl; readonly id: string },
  { after, waitMs, mostChars, signal, onEvent }: FollowRunOptions,
): Promise<FollowedRun> {
  const report = createRunReport(mostChars);
  // Nothing comes after it.
  if (after === "end") return { report, after, stopped: "end" };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), waitMs);
  const until = AbortSignal.any([signal, stop.signal]);
  let last = after;
  let stopped: FollowedRun["stopped"] = "time";
  try {
    const events =
      "control" in source ? readEvents(source.control, source.id, after, until) : source.read(after, until);
    for await (const { id, event } of events) {
      last = id;
      report.add(event);
      onEvent(event, report);
      if (report.end() !== undefined) stopped = "end";
      else if (event.type === "status" && report.status() === waitsForPerson) stopped = "person";
      else if (report.chars() >= mostChars) stopped = "enough";
      if (stopped !== "time") break;
    }
  } catch (error) {
    if (!until.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  return { report, after: last, stopped };
}

/** Yields the events of a run of the service. */
async function* readEvents(
  control: CloudBrowserControl,
  id: string,
  after: string | undefined,
  signal: AbortSignal,
): AsyncIterable<NumberedEvent> {
  const run = await control.runs.follow(id, { signal, ...(after !== undefined && { after }) });
  for await (const event of run.stream) yield { id: run.lastEventId ?? "0", event };
}
