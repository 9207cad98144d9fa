import { trace, type Span } from "@opentelemetry/api";
import type { TerminalEvent, Workplace } from "@cloud-browser/automation";
import { fail, runInSpan, startSpan } from "./spans.ts";

type ProgressEvent = Parameters<Workplace["emit"]>[0];

/** The spans of one automation run: its own, and below it one for each tool call, from `tool_start` to `tool_result`. */
export class RunSpans {
  /** Tool calls without a result, the oldest first. */
  readonly #calls: Span[] = [];

  /** Runs the work of a run within its span. */
  run(runId: string, work: () => Promise<void>): Promise<void> {
    return runInSpan("automation.run", { attributes: { "cloud_browser.run_id": runId } }, async () => {
      try {
        await work();
      } finally {
        for (const call of this.#calls) call.end();
      }
    });
  }

  /** Begins the span of a tool call, or ends it. Only the name of the tool is in it. */
  observe(event: ProgressEvent): void {
    if (event.type === "tool_start") this.#calls.push(startSpan(`automation.tool ${event.name}`));
    if (event.type === "tool_result") this.#calls.shift()?.end();
  }

  /** Notes how the run ended, and what it cost in US dollars. Called within `run`. */
  end(type: TerminalEvent["type"], costUsd: string): void {
    const span = trace.getActiveSpan();
    span?.setAttributes({ "cloud_browser.run_end": type, "cloud_browser.cost_usd": Number(costUsd) });
    if (span && type === "error") fail(span, type);
  }
}
