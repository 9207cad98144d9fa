import { readAutomationStream, type AutomationStream, type AutomationStreamOptions } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import { json, type Answer, type CallOptions, type Send } from "./call.ts";
import { ClientError } from "./client-error.ts";
import type { CallTimeouts } from "./settings.ts";
import type { SpendLedger } from "./spend-ledger.ts";

/** The task to automate. Source: interface § Resources and their fields. */
export type AutomationRequest = components["schemas"]["AutomationRequest"];

/** Options of one automation; `signal` also ends the reading of its stream. Source: ours. */
export interface AutomateOptions extends CallOptions, Omit<AutomationStreamOptions, "signal" | "timeouts"> {
  /** Limits of the call and of its stream. */
  readonly timeouts?: CallTimeouts | undefined;
  /** Keeps account of what runs cost; may refuse to start one. Default: none. */
  readonly ledger?: SpendLedger | undefined;
}

/** Starts a billed run: sends one request, whatever happens. */
export async function startAutomation(
  send: Send,
  body: AutomationRequest,
  { maxEventBytes, oversize, damage, onReport, onOutcome, ledger, ...own }: AutomateOptions,
): Promise<Answer<AutomationStream>> {
  // The stream would refuse it too, but only once the run is billed.
  if (maxEventBytes !== undefined && !(maxEventBytes > 0))
    throw new ClientError("misuse", "maxEventBytes must be positive");
  const startedAt = performance.now();
  const run = ledger?.start();
  try {
    return await send(
      (raw, { signal, timeouts: { totalMs = Infinity, ...timeouts } = {} }) => ({
        operation: "automation_start",
        accept: `text/event-stream, ${json}`,
        act: (init) => raw.POST("/api/automation/start", { ...init, body }),
        read: (response) =>
          readAutomationStream(response, {
            signal,
            maxEventBytes,
            oversize,
            damage,
            onReport,
            timeouts: { ...timeouts, totalMs: Math.max(1, totalMs - (performance.now() - startedAt)) },
            onOutcome(outcome) {
              run?.settle(outcome.type === "done" ? outcome.event.total_cost_usd : undefined);
              onOutcome?.(outcome);
            },
          }),
      }),
      own,
    );
  } catch (error) {
    if (error instanceof ClientError && neverStarted(error)) run?.drop();
    else run?.settle(undefined);
    throw error;
  }
}

/** Nothing was sent, or the service refused what was. */
function neverStarted({ attempts = 0, retryable, status = 0 }: ClientError): boolean {
  return attempts === 0 || retryable || (status >= 400 && status < 500);
}
