import { randomUUID } from "node:crypto";
import { type CommandError, type Fields, invalidParams, isFields, refusal, asText } from "../devtools/message.ts";
import type { TargetInfo } from "./target-info.ts";
import { refusedTrace, traceParams } from "./trace-config.ts";
import { TraceFilter } from "./trace-filter.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** Longest trace, in milliseconds: no other session of the browser can be traced at the same time. */
const maxTraceMs = 5 * 60_000;

/** Events per `Tracing.dataCollected`. */
const batchSize = 2_000;

const needsPage = refusal(
  "A session of this service is traced page by page: send Tracing.start on the session of a page (Playwright: browser.startTracing(page)).",
);
const oneAtATime = refusal(
  "A trace is already running in this browser, which sessions share; try again when it has ended, or let the operator of the service give each session a browser of its own.",
);

interface Trace {
  readonly sessionId: string;
  readonly isStream: boolean;
  filter: TraceFilter | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Traces pages of one session, for one client. Chromium's traces cover the whole browser; the client receives what
 * `TraceFilter` keeps.
 */
export class Tracing {
  readonly #upstream: Upstream;
  readonly #sendEvent: (sessionId: string, method: string, params: Fields) => void;
  #trace: Trace | undefined;
  /** Unread rest of the last trace that was requested as a stream. */
  #stream: { readonly handle: string; readonly pieces: string[] } | undefined;

  /** @param sendEvent - Sends an event to the client. */
  constructor(upstream: Upstream, sendEvent: (sessionId: string, method: string, params: Fields) => void) {
    this.#upstream = upstream;
    this.#sendEvent = sendEvent;
  }

  /** Executes a command on the session of a page if it is one of these; returns whether it was. */
  run(
    method: string,
    params: Fields,
    sessionId: string,
    target: TargetInfo | undefined,
    answer: (reply: Reply) => void,
  ): boolean {
    switch (method) {
      case "Tracing.start":
        this.#start(params, sessionId, target, answer);
        return true;
      case "Tracing.end":
      case "Tracing.getCategories":
        this.#upstream.request(method, {}, sessionId, answer);
        return true;
      case "IO.read":
        return this.#read(params, answer);
      case "IO.close":
        return this.#close(params, answer);
      default:
        return false;
    }
  }

  /** Handles a tracing event of Chromium; it is not forwarded as it is. */
  onEvent(method: string, params: Fields, sessionId: string, size: number): void {
    const trace = this.#trace;
    if (trace?.sessionId !== sessionId) return;
    if (method === "Tracing.dataCollected") trace.filter?.add(params["value"], size);
    if (method !== "Tracing.tracingComplete") return;
    this.onDetached(sessionId);
    if (trace.filter) this.#deliver(trace, trace.filter, params["dataLossOccurred"] === true);
  }

  /** Handles the end of a session, which ends its trace in Chromium. */
  onDetached(sessionId: string): void {
    if (this.#trace?.sessionId !== sessionId) return;
    clearTimeout(this.#trace.timer);
    this.#trace = undefined;
  }

  #start(params: Fields, sessionId: string, target: TargetInfo | undefined, answer: (reply: Reply) => void): void {
    if (target?.type !== "page") return answer({ failure: needsPage });
    const reason = refusedTrace(params);
    if (reason !== undefined) return answer({ failure: invalidParams(reason) });
    if (this.#trace) return answer({ failure: oneAtATime });
    const asStream = params["transferMode"] === "ReturnAsStream";
    const trace: Trace = { sessionId, isStream: asStream, filter: undefined, timer: undefined };
    this.#trace = trace;
    const fail = (failure: CommandError): void => {
      if (this.#trace === trace) this.#trace = undefined;
      answer({ failure });
    };
    this.#upstream.request("SystemInfo.getProcessInfo", {}, undefined, ({ result }) => {
      const pid = findBrowserPid(result);
      if (pid === undefined) return fail(refusal("Tracing is unavailable: the browser does not list its processes."));
      // Before the response, as the first events may precede it.
      trace.filter = new TraceFilter(pid, target.targetId);
      this.#upstream.request("Tracing.start", traceParams(params), sessionId, (reply) => {
        if (reply.failure) return fail(/already/i.test(reply.failure.message) ? oneAtATime : reply.failure);
        trace.timer = setTimeout(() => this.#upstream.request("Tracing.end", {}, sessionId), maxTraceMs).unref();
        answer(reply);
      });
    });
  }

  #deliver({ sessionId, isStream: asStream }: Trace, filter: TraceFilter, hasLost: boolean): void {
    const events = filter.finish();
    const batches: Fields[][] = [];
    for (let at = 0; at < events.length; at += batchSize) batches.push(events.slice(at, at + batchSize));
    const dataLossOccurred = hasLost || filter.hasDataLoss;
    if (asStream) {
      const handle = `trace-${randomUUID()}`;
      const pieces = batches.map((batch, index) => (index > 0 ? "," : "") + JSON.stringify(batch).slice(1, -1));
      this.#stream = { handle, pieces: ['{"traceEvents":[', ...pieces, "]}"] };
      const stream = { stream: handle, traceFormat: "json", streamCompression: "none" };
      this.#sendEvent(sessionId, "Tracing.tracingComplete", { dataLossOccurred, ...stream });
    } else {
      for (const value of batches) this.#sendEvent(sessionId, "Tracing.dataCollected", { value });
      this.#sendEvent(sessionId, "Tracing.tracingComplete", { dataLossOccurred });
    }
  }

  #read({ handle }: Fields, answer: (reply: Reply) => void): boolean {
    if (!this.#isStream(handle)) return false;
    const data = this.#stream?.pieces.shift() ?? "";
    answer({ result: { base64Encoded: false, data, eof: !this.#stream || this.#stream.pieces.length === 0 } });
    return true;
  }

  #close({ handle }: Fields, answer: (reply: Reply) => void): boolean {
    if (!this.#isStream(handle)) return false;
    this.#stream = undefined;
    answer({ result: {} });
    return true;
  }

  #isStream = (handle: unknown): boolean => this.#stream !== undefined && asText(handle) === this.#stream.handle;
}

function findBrowserPid(result: Fields | undefined): number | undefined {
  const processes = result?.["processInfo"];
  const browser = Array.isArray(processes)
    ? processes.filter(isFields).find(({ type }) => type === "browser")
    : undefined;
  const pid = browser?.["id"];
  return typeof pid === "number" ? pid : undefined;
}
