import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import type {
  AnswerOf,
  ControlFunction,
  ControlOptions,
  ControlRun,
  FunctionRequest,
  MakeFunctionRequest,
} from "./control-types.ts";

/** Functions: what automations did, to be run again. */
export interface FunctionControl {
  /** Lists the functions, the newest first. */
  list(options?: ControlOptions): ClientPromise<AnswerOf<"list_functions">>;
  /** Reads a function, with its steps. */
  read(functionId: string, options?: ControlOptions): ClientPromise<ControlFunction>;
  /** Reads a function as a program: TypeScript for Playwright. */
  readSource(functionId: string, options?: ControlOptions): ClientPromise<string>;
  /**
   * Runs a function, and resolves with the run, which continues without a reader: `runs.follow` reads its events. Sent once, as it may be
   * billed.
   */
  run(functionId: string, request?: FunctionRequest, options?: ControlOptions): ClientPromise<ControlRun>;
  /**
   * Makes a function of what somebody did in a session, open or ended. When an act can't be repeated for sure, rejects with
   * `unexpected-status` (409), and a `body` that lists the entries, as `RefusedFunction` of the schemas has them.
   *
   * @param idempotencyKey - makes the call safe to repeat: a request with the same key is the same one. Default: a new one per call, so that
   * the call can be retried.
   */
  makeOfActs(
    sessionId: string,
    request?: MakeFunctionRequest,
    options?: ControlOptions & { readonly idempotencyKey?: string | undefined },
  ): ClientPromise<ControlFunction>;
  /** Deletes a function. */
  delete(functionId: string, options?: ControlOptions): ClientPromise<AnswerOf<"delete_function">>;
}

/** Returns the methods about functions. */
export function functionControl(calls: ControlCalls): FunctionControl {
  return {
    list: (options = {}) =>
      calls.json<"list_functions">({
        method: "control.functions.list",
        send: (api, init) => api.GET("/control/functions", { ...init }),
        isRepeatable: true,
        options,
      }),
    read: (functionId, options = {}) =>
      calls.json<"get_function">({
        method: "control.functions.read",
        send: (api, init) =>
          api.GET("/control/functions/{function_id}", { ...init, params: { path: { function_id: functionId } } }),
        ids: { functionId },
        isRepeatable: true,
        options,
      }),
    readSource: (functionId, options = {}) =>
      calls.text(
        {
          method: "control.functions.readSource",
          send: (api, init) =>
            api.GET("/control/functions/{function_id}/source", {
              ...init,
              params: { path: { function_id: functionId } },
            }),
          ids: { functionId },
          isRepeatable: true,
          options,
        },
        "text/typescript",
      ),
    run: (functionId, request = {}, options = {}) =>
      calls.json<"get_run">({
        method: "control.functions.run",
        send: (api, init) =>
          api.POST("/control/functions/{function_id}/run", { ...init, params: { path: { function_id: functionId } } }),
        ids: { functionId },
        body: request,
        headers: { prefer: "respond-async" },
        isRepeatable: false,
        options,
      }),
    makeOfActs: (sessionId, request = {}, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
      calls.json<"make_function">({
        method: "control.functions.makeOfActs",
        send: (api, init) =>
          api.POST("/control/sessions/{session_id}/function", { ...init, params: { path: { session_id: sessionId } } }),
        ids: { sessionId },
        body: request,
        headers: { "idempotency-key": idempotencyKey },
        isRepeatable: true,
        options,
      }),
    delete: (functionId, options = {}) =>
      calls.json<"delete_function">({
        method: "control.functions.delete",
        send: (api, init) =>
          api.DELETE("/control/functions/{function_id}", { ...init, params: { path: { function_id: functionId } } }),
        ids: { functionId },
        isRepeatable: false,
        options,
      }),
  };
}
