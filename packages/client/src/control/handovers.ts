import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import type { AnswerOf, ControlHandover, ControlOptions, ControlSchemas, QueryOf } from "./control-types.ts";

/** Requests for a person: a login, a code, an action that a program must not perform by itself. */
export interface HandoverControl {
  /**
   * Asks a person to do something in a session, and resolves with the request at once.
   *
   * @param idempotencyKey - makes the call safe to repeat: a request with the same key is the same one. Default: a new one per call, so that
   * its retries ask once.
   */
  ask(
    sessionId: string,
    request: Omit<ControlSchemas["AskPerson"], "wait_s">,
    options?: ControlOptions & { readonly idempotencyKey?: string | undefined },
  ): ClientPromise<ControlHandover>;
  /** Lists the newest requests of the caller's key, or of others. */
  list(query?: QueryOf<"list_handovers">, options?: ControlOptions): ClientPromise<AnswerOf<"list_handovers">>;
  /** Lists the requests of one session. */
  listOfSession(sessionId: string, options?: ControlOptions): ClientPromise<AnswerOf<"list_session_handovers">>;
  /** Reads a request. */
  read(sessionId: string, handoverId: string, options?: ControlOptions): ClientPromise<ControlHandover>;
  /** Waits until a request has its answer: a person's, or that it expired or its session ended. Stops with `options.signal`. */
  wait(sessionId: string, handoverId: string, options?: ControlOptions): Promise<ControlHandover>;
  /** Answers a request: its program continues, and gets the control back. */
  answer(
    sessionId: string,
    handoverId: string,
    request: ControlSchemas["AnswerHandover"],
    options?: ControlOptions,
  ): ClientPromise<ControlHandover>;
}

/** Longest wait for an answer in one request, in seconds: shorter than the limit of a body. */
const waitSeconds = 30;

/** Returns the methods about requests for a person. */
export function handoverControl(calls: ControlCalls): HandoverControl {
  const read = (
    sessionId: string,
    handoverId: string,
    options: ControlOptions,
    query: QueryOf<"get_handover">,
  ): ClientPromise<ControlHandover> =>
    calls.json<"get_handover">({
      method: "control.handovers.read",
      send: (api, init) =>
        api.GET("/control/sessions/{session_id}/handovers/{handover_id}", {
          ...init,
          params: { path: { session_id: sessionId, handover_id: handoverId }, query },
        }),
      ids: { sessionId, handoverId },
      isRepeatable: true,
      options,
    });
  return {
    ask: (sessionId, request, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
      calls.json<"ask_person">({
        method: "control.handovers.ask",
        send: (api, init) =>
          api.POST("/control/sessions/{session_id}/handover", { ...init, params: { path: { session_id: sessionId } } }),
        ids: { sessionId },
        body: request,
        headers: { "idempotency-key": idempotencyKey },
        isRepeatable: true,
        options,
      }),
    list: (query = {}, options = {}) =>
      calls.json<"list_handovers">({
        method: "control.handovers.list",
        send: (api, init) => api.GET("/control/handovers", { ...init, params: { query } }),
        isRepeatable: true,
        options,
      }),
    listOfSession: (sessionId, options = {}) =>
      calls.json<"list_session_handovers">({
        method: "control.handovers.listOfSession",
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}/handovers", { ...init, params: { path: { session_id: sessionId } } }),
        ids: { sessionId },
        isRepeatable: true,
        options,
      }),
    read: (sessionId, handoverId, options = {}) => read(sessionId, handoverId, options, {}),
    async wait(sessionId, handoverId, options = {}) {
      for (;;) {
        const handover = await read(sessionId, handoverId, options, { wait_s: waitSeconds });
        if (handover.state !== "open") return handover;
      }
    },
    answer: (sessionId, handoverId, request, options = {}) =>
      calls.json<"answer_handover">({
        method: "control.handovers.answer",
        send: (api, init) =>
          api.POST("/control/sessions/{session_id}/handovers/{handover_id}/answer", {
            ...init,
            params: { path: { session_id: sessionId, handover_id: handoverId } },
          }),
        ids: { sessionId, handoverId },
        body: request,
        isRepeatable: false,
        options,
      }),
  };
}
