import { readAutomationStream, type AutomationStream, type AutomationStreamOptions } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { Answer, CallOptions, Send } from "./call.ts";
import type { ClientError } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import type { CallTimeouts } from "./settings.ts";
import { singleRequest } from "./single-request.ts";
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

/** Error for what a ledger throws. Passed on, as a module that is shared with what is loaded at once would be a chunk of its own. */
export interface LedgerTools extends Pick<Connection, "safeOwn"> {
  /** The error of a run that a ledger did not open. */
  readonly refused: (thrown: unknown) => ClientError;
}

/** Starts a billed run: sends one request, whatever happens. */
export async function startAutomation(
  send: Send,
  body: AutomationRequest,
  { maxEventBytes, oversize, damage, onReport, onOutcome, ledger, ...own }: AutomateOptions,
  tools: LedgerTools,
): Promise<Answer<AutomationStream>> {
  const startedAt = performance.now();
  const run = ledger && opened(ledger, tools);
  try {
    return await send(
      (raw, { signal, retries, timeouts: { totalMs = Infinity, ...timeouts } = {} }) => ({
        operation: "automation_start",
        isRetryable: ({ code, cause }) => code === "network" && isUnsent(cause),
        retries: typeof retries === "object" && retries.unsentAutomations ? retries : 0,
        accept: "text/event-stream, application/json",
        limits: [maxEventBytes], // the stream would refuse it too, but only once the run is billed
        act(init) {
          const fetch = async (request: Request): Promise<Response> => init.fetch(await singleRequest(request));
          return raw.POST("/api/automation/start", { ...init, fetch, body });
        },
        read: (response, { connection: { safe, safeOwn } }) =>
          readAutomationStream(withSafeCauses(response, safe), {
            signal,
            maxEventBytes,
            oversize,
            damage,
            onReport: onReport && ((report) => callBack(safeOwn, () => onReport(report))),
            timeouts: { ...timeouts, totalMs: Math.max(1, totalMs - (performance.now() - startedAt)) },
            onOutcome: (outcome) =>
              callBack(
                safeOwn,
                () => run?.settle(outcome.type === "done" ? outcome.event.total_cost_usd : undefined),
                () => onOutcome?.(outcome),
              ),
          }),
      }),
      own,
    );
  } catch (error) {
    // What became of the run is what the caller must know, whatever the ledger says to it.
    await callBack(tools.safeOwn, () => (neverStarted(error) ? run?.drop() : run?.settle(undefined))).catch(
      () => undefined,
    );
    throw error;
  }
}

/** Opens the account of a run. A ledger of the caller's may be anything. */
function opened(ledger: SpendLedger, { refused }: LedgerTools): LedgerRun {
  let run: unknown;
  try {
    run = ledger.start();
  } catch (thrown) {
    throw refused(thrown);
  }
  if (isRun(run)) return run;
  void Promise.resolve(run).catch(() => undefined); // it may be asynchronous
  throw refused(undefined);
}

function isRun(run: unknown): run is LedgerRun {
  return ["settle", "drop"].every((name) => typeof Object(run)[name] === "function");
}

/** Calls functions of the caller's at once, each whatever becomes of the others; rejects with what the first one that failed threw. */
async function callBack(safeOwn: Connection["safeOwn"], ...acts: (() => unknown)[]): Promise<void> {
  await Promise.all(acts.map(async (act) => act())).catch((thrown: unknown) => {
    throw safeOwn(thrown);
  });
}

/** Nothing was sent, or the service refused what was. What calls reject with is a `ClientError`. */
function neverStarted(error: unknown): boolean {
  const { attempts = 0, retryable = false, status = 0 }: Partial<ClientError> = Object(error);
  return attempts === 0 || retryable || (status >= 400 && status < 500);
}

/** Tells whether an error proves that nothing of the request was sent: no name, no connection. */
function isUnsent(cause: unknown): boolean {
  return cause instanceof Error && (unsent.test(String("code" in cause && cause.code)) || isUnsent(cause.cause));
}

const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** The same answer; what its body fails with is a copy that is safe to log. */
function withSafeCauses(response: Response, safe: (thrown: unknown) => unknown): Response {
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
          controller.error(safe(thrown));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
