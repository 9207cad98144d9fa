import {
  readAutomationStream,
  type AutomationStream,
  type AutomationStreamOptions,
  type Outcome,
} from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { call } from "../calls/call.ts";
import type { ClientError } from "../errors/client-error.ts";
import type { RunNotice } from "../options/hooks.ts";
import type { Redact } from "../errors/redaction.ts";
import type { Answer, CallContext, CallOptions } from "../calls/operation-call.ts";
import type { CallTimeouts } from "../options/settings.ts";
import { singleRequest } from "../http/single-request.ts";
import { callBack, safeCallbacks } from "../options/safe-callbacks.ts";
import type { LedgerRun, SpendLedger } from "./spend-ledger.ts";

/** The task to automate. Source: interface § Resources and their fields. */
export type AutomationRequest = components["schemas"]["AutomationRequest"];

/** Options of an automation; `signal` also stops reading its stream. */
export interface AutomateOptions extends CallOptions, Omit<AutomationStreamOptions, "signal" | "timeouts"> {
  /** Time limits of the call and of its stream. */
  readonly timeouts?: CallTimeouts | undefined;
  /** Tracks the cost of runs, and may refuse to start one. Default: none. */
  readonly ledger?: SpendLedger | undefined;
}

/** Functions of the entry chunk. They are parameters, as a module that both chunks import would become a third chunk. */
export interface AutomationTools {
  /** Makes the call. */
  readonly call: typeof call;
  /** Creates the error of a run that the ledger refused. */
  readonly refused: (thrown: unknown) => ClientError;
  /** Logs the end of a run. */
  readonly logRun: (notice: RunNotice) => void;
}

/**
 * Starts a billed run. It is not idempotent, so one request is sent, whatever happens, and never repeated. The end of its stream settles
 * the run in the ledger.
 */
export async function startAutomation(
  context: CallContext,
  body: AutomationRequest,
  { ledger, ...own }: AutomateOptions,
  { call: send, refused, logRun }: AutomationTools,
): Promise<Answer<AutomationStream>> {
  const startedAt = performance.now();
  const { retries, timeouts } = context.options;
  const { redact, redactKeys } = context.connection;
  const run = ledger && openRun(ledger, refused);
  const settle = (outcome: Outcome): unknown => {
    const { type } = outcome;
    logRun({ operation: "automation_start", outcome: type, durationMs: performance.now() - startedAt });
    return run?.settle(type === "done" ? outcome.event.total_cost_usd : undefined);
  };
  const decode = (response: Response): AutomationStream => {
    const totalMs = Math.max(1, (timeouts.totalMs ?? Infinity) + startedAt - performance.now());
    const callbacks = safeCallbacks(own, redactKeys, settle);
    return readAutomationStream(withRedactedErrors(response, redact), {
      ...own,
      ...callbacks,
      timeouts: { ...timeouts, totalMs },
    });
  };
  try {
    return await send(
      {
        request: {
          operation: "automation_start",
          content: { body, middleware: [{ onRequest: singleRequest }] },
        },
        accept: "text/event-stream, application/json",
        limits: { maxEventBytes: own.maxEventBytes }, // the stream checks it, too, but after the run has started
        isRetryable: ({ code, cause }) => code === "network" && isUnsent(cause),
        retries: Object(retries).unsentAutomations ? retries : 0,
        decode,
      },
      context,
    );
  } catch (error) {
    // The error of the call matters more than one of the ledger, and does not wait for it.
    callBack(redactKeys, () => (neverStarted(error) ? run?.drop() : run?.settle(undefined))).catch(() => undefined);
    throw error;
  }
}

/** Opens a run in the ledger, which may be any object of the caller's. */
function openRun(ledger: SpendLedger, refused: AutomationTools["refused"]): LedgerRun {
  try {
    const run: unknown = ledger.start();
    if (isRun(run)) return run;
    void Promise.resolve(run).catch(() => undefined); // an asynchronous one may reject
  } catch (thrown) {
    throw refused(thrown);
  }
  throw refused(undefined);
}

function isRun(run: unknown): run is LedgerRun {
  return ["settle", "drop"].every((name) => typeof Object(run)[name] === "function");
}

/** Returns whether no run was started: nothing was sent, or the service rejected the request. */
function neverStarted(error: unknown): boolean | undefined {
  const { attempts, retryable, status = 0 }: Partial<ClientError> = Object(error);
  return !attempts || retryable || (status >= 400 && status < 500);
}

/** Returns whether an error proves that nothing was sent: the name was not found, or the connection refused. */
function isUnsent(cause: unknown): boolean {
  return cause instanceof Error && (unsent.test(String("code" in cause && cause.code)) || isUnsent(cause.cause));
}

const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** Returns the response with a body whose errors are redacted. */
function withRedactedErrors(response: Response, redact: Redact): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (thrown) {
          throw redact(thrown);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
