import type { TerminalEvent, Workplace } from "@cloud-browser/automation";
import type { Timeline } from "./timeline.ts";
import { withoutQueries } from "./without-queries.ts";

type ProgressEvent = Parameters<Workplace["emit"]>[0];

/** Longest result of a step that is told, in characters. */
const maxResult = 500;

/** Tells the steps of a run in the timeline of its session. */
export class RunSteps {
  readonly #timeline: Pick<Timeline, "record">;
  readonly #runId: string;
  /** Tool calls without a result, the oldest first. */
  readonly #calls: { readonly tool: string; readonly startMs: number }[] = [];

  constructor(timeline: Pick<Timeline, "record">, runId: string) {
    this.#timeline = timeline;
    this.#runId = runId;
    timeline.record({ kind: "run-started", by: "run", thread_id: runId });
  }

  /** Takes an event of the run, in which secrets are redacted. */
  observe(event: ProgressEvent): void {
    if (event.type === "tool_start") this.#calls.push({ tool: event.name, startMs: performance.now() });
    if (event.type !== "tool_result") return;
    const { content } = event;
    const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
    const result = withoutQueries(text.slice(0, 4 * maxResult));
    this.#end(result.length > maxResult ? `${result.slice(0, maxResult)}…` : result);
  }

  /** The run has ended. */
  end({ type }: TerminalEvent): void {
    while (this.#calls.length > 0) this.#end(null);
    this.#timeline.record({ kind: "run-ended", by: "run", thread_id: this.#runId, outcome: type });
  }

  #end(result: string | null): void {
    const call = this.#calls.shift();
    if (!call) return;
    const { tool, startMs } = call;
    this.#timeline.record({
      kind: "step",
      by: "run",
      tool,
      result,
      duration_ms: Math.round(performance.now() - startMs),
    });
  }
}
