import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import type {
  AnswerOf,
  ControlOptions,
  ControlSchemas,
  ControlSession,
  CreatedToken,
  QueryOf,
  OpenSessionRequest,
} from "./control-types.ts";

/** Sessions of the service. */
export interface SessionControl {
  /** Opens a session, and resolves when its page has loaded. Sent once: a session that was lost on the way may be open. */
  open(request?: OpenSessionRequest, options?: ControlOptions): ClientPromise<ControlSession>;
  /** Lists the newest sessions, open and ended. */
  list(query?: QueryOf<"list_sessions">, options?: ControlOptions): ClientPromise<AnswerOf<"list_sessions">>;
  /** Reads a session, open or ended. */
  read(sessionId: string, options?: ControlOptions): ClientPromise<ControlSession>;
  /** Ends a session; its recording is ready soon after. Ending it again has no effect. */
  end(sessionId: string, options?: ControlOptions): ClientPromise<ControlSession>;
  /** Deletes the recording and the files of an ended session before their time. */
  deleteRecording(sessionId: string, options?: ControlOptions): ClientPromise<ControlSession>;
}

/** Tokens, with which others see or drive one session without a key. */
export interface TokenControl {
  /** Creates a token; it is shown once. */
  create(
    sessionId: string,
    request: ControlSchemas["CreateToken"],
    options?: ControlOptions,
  ): ClientPromise<CreatedToken>;
  /** Lists the valid tokens of a session, without their values. */
  list(sessionId: string, options?: ControlOptions): ClientPromise<AnswerOf<"list_tokens">>;
  /** Revokes a token, and disconnects its viewers. */
  withdraw(sessionId: string, tokenId: string, options?: ControlOptions): ClientPromise<void>;
}

/** Returns the methods about sessions. */
export function sessionControl(calls: ControlCalls): SessionControl {
  return {
    open: (request = {}, options = {}) =>
      calls.json<"create_session">({
        method: "control.sessions.open",
        send: (api, init) => api.POST("/control/sessions", { ...init }),
        body: request,
        isRepeatable: false,
        options,
      }),
    list: (query = {}, options = {}) =>
      calls.json<"list_sessions">({
        method: "control.sessions.list",
        send: (api, init) => api.GET("/control/sessions", { ...init, params: { query } }),
        isRepeatable: true,
        options,
      }),
    read: (sessionId, options = {}) =>
      calls.json<"get_session">({
        method: "control.sessions.read",
        ids: { sessionId },
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}", { ...init, params: { path: { session_id: sessionId } } }),
        isRepeatable: true,
        options,
      }),
    end: (sessionId, options = {}) =>
      calls.json<"end_session">({
        method: "control.sessions.end",
        ids: { sessionId },
        send: (api, init) =>
          api.DELETE("/control/sessions/{session_id}", { ...init, params: { path: { session_id: sessionId } } }),
        isRepeatable: true,
        options,
      }),
    deleteRecording: (sessionId, options = {}) =>
      calls.json<"delete_recording">({
        method: "control.sessions.deleteRecording",
        ids: { sessionId },
        send: (api, init) =>
          api.DELETE("/control/sessions/{session_id}/recording", {
            ...init,
            params: { path: { session_id: sessionId } },
          }),
        isRepeatable: false,
        options,
      }),
  };
}

/** Returns the methods about tokens. */
export function tokenControl(calls: ControlCalls): TokenControl {
  return {
    create: (sessionId, request, options = {}) =>
      calls.json<"create_token">({
        method: "control.tokens.create",
        ids: { sessionId },
        send: (api, init) =>
          api.POST("/control/sessions/{session_id}/tokens", { ...init, params: { path: { session_id: sessionId } } }),
        body: request,
        isRepeatable: false,
        options,
      }),
    list: (sessionId, options = {}) =>
      calls.json<"list_tokens">({
        method: "control.tokens.list",
        ids: { sessionId },
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}/tokens", { ...init, params: { path: { session_id: sessionId } } }),
        isRepeatable: true,
        options,
      }),
    withdraw: (sessionId, tokenId, options = {}) =>
      calls.nothing({
        method: "control.tokens.withdraw",
        ids: { sessionId, tokenId },
        send: (api, init) =>
          api.DELETE("/control/sessions/{session_id}/tokens/{token_id}", {
            ...init,
            params: { path: { session_id: sessionId, token_id: tokenId } },
          }),
        isRepeatable: false,
        options,
      }),
  };
}
