import { readAutomationStream, type AutomationStream, type AutomationStreamOptions } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { call } from "../calls/call.ts";
import type { ClientError } from "../errors/client-error.ts";
import type { Connection } from "../http/connection.ts";
import type { Answer, CallContext, CallOptions } from "../calls/operation-call.ts";
import type { CallTimeouts } from "../options/settings.ts";
import { singleRequest } from "../http/single-request.ts";
import type { LedgerRun, SpendLedger } from "./spend-ledger.ts";

/** The task to automate. Source: interface § Resources and their fields. */
export type AutomationRequest = components["schemas"]["AutomationRequest"];

/** Options of one automation; `signal` also ends the reading of its stream. */
export interface AutomateOptions extends CallOptions, Omit<AutomationStreamOptions, "signal" | "timeouts"> {
  /** Limits of the call and of its stream. */
  readonly timeouts?: CallTimeouts | undefined;
  /** Keeps account of what runs cost; may refuse to start one. Default: none. */
  readonly ledger?: SpendLedger | undefined;
}

/** Parts of what is loaded at once. Passed on, as a module that is shared with it would be a chunk of its own. */
export interface AutomationTools {
  /** Makes the call. */
  readonly call: typeof call;
  /** The error of a run that a ledger did not open. */
  readonly refused: (thrown: unknown) => ClientError;
}

/** Starts a billed run: sends one request, whatever happens. Its stream settles the account. */
export async function startAutomation(
  context: CallContext,
  body: AutomationRequest,
  { ledger, signal, onReport, onOutcome, ...own }: AutomateOptions,
  { call: send, refused }: AutomationTools,
): Promise<Answer<AutomationStream>> {
  const startedAt = performance.now();
  const { retries, timeouts } = context.options;
  const { redact, redactKeys } = context.connection;
  const run = ledger && opened(ledger, refused);
  const decode = (response: Response): AutomationStream => {
    // The reason of the caller's signal may hold a key: that of this one does not.
    const stopped = new AbortController();
    const stop = (): void => stopped.abort(redactKeys(signal?.reason));
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
    return readAutomationStream(withRedactedErrors(response, redact), {
      ...own,
      timeouts: { ...timeouts, totalMs: Math.max(1, (timeouts.totalMs ?? Infinity) + startedAt - performance.now()) },
      signal: stopped.signal,
      onReport: onReport && ((report) => callBack(redactKeys, () => onReport(report))),
      onOutcome(outcome) {
        signal?.removeEventListener("abort", stop);
        return callBack(
          redactKeys,
          () => run?.settle(outcome.type === "done" ? outcome.event.total_cost_usd : undefined),
          () => onOutcome?.(outcome),
        );
      },
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
        limits: [own.maxEventBytes], // the stream would refuse it too, but only once the run is billed
        isRetryable: ({ code, cause }) => code === "network" && isUnsent(cause),
        retries: Object(retries).unsentAutomations ? retries : 0,
        decode,
      },
      context,
    );
  } catch (error) {
    // What became of the run is what the caller must know, whatever the ledger says to it.
    await callBack(redactKeys, () => (neverStarted(error) ? run?.drop() : run?.settle(undefined))).catch(
      () => undefined,
    );
    throw error;
  }
}

/** Opens the account of a run. A ledger of the caller's may be anything. */
function opened(ledger: SpendLedger, refused: AutomationTools["refused"]): LedgerRun {
  try {
    const run: unknown = ledger.start();
    if (isRun(run)) return run;
    void Promise.resolve(run).catch(() => undefined); // it may be asynchronous
  } catch (thrown) {
    throw refused(thrown);
  }
  throw refused(undefined);
}

function isRun(run: unknown): run is LedgerRun {
  return ["settle", "drop"].every((name) => typeof Object(run)[name] === "function");
}

/** Calls functions of the caller's at once, each whatever becomes of the others; rejects with what the first one that failed threw. */
async function callBack(redactKeys: Connection["redactKeys"], ...acts: (() => unknown)[]): Promise<void> {
  await Promise.all(acts.map(async (act) => act())).catch((thrown: unknown) => {
    throw redactKeys(thrown);
  });
}

/** Nothing was sent, or the service refused what was. What calls reject with is a `ClientError`. */
function neverStarted(error: unknown): boolean | undefined {
  const { attempts, retryable, status = 0 }: Partial<ClientError> = Object(error);
  return !attempts || retryable || (status >= 400 && status < 500);
}

/** Tells whether an error proves that nothing of the request was sent: no name, no connection. */
function isUnsent(cause: unknown): boolean {
  return cause instanceof Error && (unsent.test(String("code" in cause && cause.code)) || isUnsent(cause.cause));
}

const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** The same answer; what its body fails with is a copy that is safe to log. */
function withRedactedErrors(response: Response, redact: (thrown: unknown) => unknown): Response {
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
