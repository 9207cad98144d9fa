import type { ClientPromise } from "../calls/client-promise.ts";
import { isRecord, ownError } from "../errors/client-error.ts";
import type { ControlCalls } from "./control-calls.ts";
import type { AnswerOf, ControlHealth, ControlOptions, ControlSchemas, ControlTimeline } from "./control-types.ts";

/** Timelines of sessions: events, and who caused them. */
export interface TimelineControl {
  /** Reads entries of the timeline of a session: those after a number, up to a limit. */
  read(
    sessionId: string,
    query?: { readonly after?: number; readonly limit?: number },
    options?: ControlOptions,
  ): ClientPromise<ControlTimeline>;
  /** Reads the timeline of a session as Markdown. */
  readMarkdown(sessionId: string, options?: ControlOptions): ClientPromise<string>;
}

/** Console messages of the pages of sessions. */
export interface ConsoleControl {
  /** Reads the newest console messages and failed requests of an open session. */
  read(sessionId: string, options?: ControlOptions): ClientPromise<AnswerOf<"read_console">>;
}

/** The clipboard of sessions. */
export interface ClipboardControl {
  /** Reads the clipboard of a session, after what is selected was copied; `copy: false` leaves the selection. */
  read(
    sessionId: string,
    query?: { readonly copy?: boolean },
    options?: ControlOptions,
  ): ClientPromise<AnswerOf<"get_clipboard">>;
  /** Sets the clipboard of a session. */
  write(
    sessionId: string,
    request: ControlSchemas["SetClipboard"],
    options?: ControlOptions,
  ): ClientPromise<AnswerOf<"set_clipboard">>;
}

/** Returns the methods about timelines. */
export function timelineControl(calls: ControlCalls): TimelineControl {
  return {
    read: (sessionId, query = {}, options = {}) =>
      calls.json<"read_timeline">({
        method: "control.timeline.read",
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}/timeline", {
            ...init,
            params: { path: { session_id: sessionId }, query: { ...query, format: "json" } },
          }),
        ids: { sessionId },
        isRepeatable: true,
        options,
      }),
    readMarkdown: (sessionId, options = {}) =>
      calls.text(
        {
          method: "control.timeline.readMarkdown",
          send: (api, init) =>
            api.GET("/control/sessions/{session_id}/timeline", {
              ...init,
              params: { path: { session_id: sessionId }, query: { format: "markdown" } },
            }),
          ids: { sessionId },
          isRepeatable: true,
          options,
        },
        "text/markdown",
      ),
  };
}

/** Returns the methods about consoles of pages. */
export function consoleControl(calls: ControlCalls): ConsoleControl {
  return {
    read: (sessionId, options = {}) =>
      calls.json<"read_console">({
        method: "control.console.read",
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}/console", { ...init, params: { path: { session_id: sessionId } } }),
        ids: { sessionId },
        isRepeatable: true,
        options,
      }),
  };
}

/** Returns the methods about clipboards. */
export function clipboardControl(calls: ControlCalls): ClipboardControl {
  return {
    read: (sessionId, query = {}, options = {}) =>
      calls.json<"get_clipboard">({
        method: "control.clipboard.read",
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}/clipboard", {
            ...init,
            params: { path: { session_id: sessionId }, query },
          }),
        ids: { sessionId },
        isRepeatable: false,
        options,
      }),
    write: (sessionId, request, options = {}) =>
      calls.json<"set_clipboard">({
        method: "control.clipboard.write",
        send: (api, init) =>
          api.PUT("/control/sessions/{session_id}/clipboard", { ...init, params: { path: { session_id: sessionId } } }),
        ids: { sessionId },
        body: request,
        isRepeatable: true,
        options,
      }),
  };
}

/** Reads the health of the service, also when it is not well. */
export async function readHealth(calls: ControlCalls, options: ControlOptions = {}): Promise<ControlHealth> {
  try {
    return await calls.json<"health">({
      method: "control.readHealth",
      send: (api, init) => api.GET("/health", { ...init }),
      isRepeatable: false,
      options,
    });
  } catch (thrown) {
    const health = healthIn(thrown);
    if (health) return health;
    throw thrown;
  }
}

/** Returns the body of a 503, when it is that of a service that is not well. */
function healthIn(thrown: unknown): ControlHealth | undefined;
function healthIn(thrown: unknown): object | undefined {
  const { status, body } = ownError(thrown) ?? {};
  return status === 503 && isRecord(body) && "checks" in body ? body : undefined;
}

/** Reads the metrics of the service, as Prometheus does. */
export function readMetrics(calls: ControlCalls, options: ControlOptions = {}): ClientPromise<string> {
  return calls.text(
    {
      method: "control.readMetrics",
      send: (api, init) => api.GET("/metrics", { ...init }),
      isRepeatable: true,
      options,
    },
    "text/plain",
  );
}
