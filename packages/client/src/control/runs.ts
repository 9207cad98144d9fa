import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import type { AnswerOf, ControlOptions, ControlRun, QueryOf } from "./control-types.ts";
import type { AttachOptions, Run } from "../runs/attach-run.ts";

/** Runs of automations and of functions. */
export interface RunControl {
  /** Lists active runs, or those that ended in the last week. */
  list(query?: QueryOf<"list_runs">, options?: ControlOptions): ClientPromise<AnswerOf<"list_runs">>;
  /** Reads a run, active or ended. */
  read(runId: string, options?: ControlOptions): ClientPromise<ControlRun>;
  /**
   * Follows the events of a run from any on, as `attachRun` does: over lost connections, each once, to its one outcome. Sends nothing
   * until they are read; leaving them does not stop the run.
   */
  follow(runId: string, options?: AttachOptions): Promise<Run>;
  /** Cancels a run; its stream ends with a `cancelled` event, and its session ends. */
  cancel(runId: string, options?: ControlOptions): ClientPromise<AnswerOf<"cancel_run">>;
}

/** Returns the methods about runs. */
export function runControl(calls: ControlCalls): RunControl {
  return {
    list: (query = {}, options = {}) =>
      calls.json<"list_runs">({
        method: "control.runs.list",
        send: (api, init) => api.GET("/control/runs", { ...init, params: { query } }),
        isRepeatable: true,
        options,
      }),
    read: (runId, options = {}) =>
      calls.json<"get_run">({
        method: "control.runs.read",
        send: (api, init) => api.GET("/control/runs/{thread_id}", { ...init, params: { path: { thread_id: runId } } }),
        ids: { runId },
        isRepeatable: true,
        options,
      }),
    follow: async (runId, options = {}) => {
      const { attachRun } = await import("../runs/attach-run.ts");
      return attachRun(calls, runId, options);
    },
    cancel: (runId, options = {}) =>
      calls.json<"cancel_run">({
        method: "control.runs.cancel",
        send: (api, init) =>
          api.POST("/control/runs/{thread_id}/cancel", { ...init, params: { path: { thread_id: runId } } }),
        ids: { runId },
        isRepeatable: false,
        options,
      }),
  };
}
