import { inError, judgeStatus, nothingSeen, type Check, type Judgement } from "../check.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import { asksToWait } from "../setup-statuses.ts";
import { keyNotTested } from "./harmless-requests.ts";
import { automationMissing, isAutomationMissing } from "./missing-automation.ts";
import { automationOperation, keyEvidence } from "./protected-operations.ts";

const stated = "automation.401-missing-key";
const assumed = "automation.401-empty-key";
const probes = [`${automationOperation.word}/with-empty`];

const consults = [`${automationOperation.word}/with-wrong-key`, ...keyEvidence];

/** Returns the judgement of a request with an empty key that shows nothing about the key; undefined when it does. */
function notJudged(exchange: Exchange, run: ReadonlyMap<string, Exchange> | undefined): Judgement | undefined {
  const { response, failure } = exchange;
  const wrong = run?.get(`${automationOperation.word}/with-wrong-key`);
  if (wrong !== undefined && succeeded(wrong))
    return nothingSeen("The plain request without the valid key is accepted; the check of that reports it.");
  if (isAutomationMissing(exchange, run)) return automationMissing(exchange);
  if (!response) return inError(failure?.message ?? "no response");
  if (asksToWait(response.status)) return inError(`The target answered ${response.status}: it asks to retry later.`);
  return succeeded(exchange) ? undefined : keyNotTested(exchange, run);
}

/**
 * Checks of `Bearer` with nothing behind it: a key is missing (401), or the header is malformed (400).
 *
 * Source: interface § Authentication; RFC 6750, section 3.1.
 */
export const emptyBearerChecks: readonly Check[] = [
  {
    id: "automation/refuses-empty-key",
    title: "A request with an empty key is answered with 401, or with 400 as one whose header is malformed.",
    requirements: [stated],
    operation: automationOperation.operation,
    probes,
    consults,
    judge: (exchange, _, run) => {
      const status = exchange.response?.status ?? 0;
      const isRefused = status === 400 || status === 401;
      return (
        notJudged(exchange, run) ??
        judgeStatus(isRefused, stated, "401, or 400, because no key follows the scheme Bearer", status)
      );
    },
  },
  {
    id: "automation/401-empty-key",
    title: "A request with an empty key is answered with 401.",
    requirements: [assumed],
    operation: automationOperation.operation,
    probes,
    consults,
    judge: (exchange, _, run) => {
      const status = exchange.response?.status ?? 0;
      if (status !== 400 && status !== 401) return nothingSeen("Another check reports that status.");
      return (
        notJudged(exchange, run) ??
        judgeStatus(status === 401, assumed, "401, because no key follows the scheme Bearer", "400")
      );
    },
  },
];
