import { inError, judgeStatus, nothingSeen, type Check, type Judgement, type Exchanges } from "../check.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import { asksToWait } from "../setup-statuses.ts";
import { explainUntestedKey, reportMissingAutomation, isAutomationMissing } from "./harmless-requests.ts";
import { automationOperation, keyEvidence } from "./protected-operations.ts";
import { makeCheck } from "../make-check.ts";

const { word, operation } = automationOperation;
const wrongKeyId = `${word}/with-wrong-key`;

/** Returns the judgement of a request with an empty key that shows nothing about the key; undefined when it does. */
function notJudged(exchange: Exchange, run: Exchanges): Judgement | undefined {
  const { response, failure } = exchange;
  const wrong = run?.get(wrongKeyId);
  if (wrong !== undefined && succeeded(wrong))
    return nothingSeen("The plain request without the valid key is accepted; the check of that reports it.");
  if (isAutomationMissing(exchange, run)) return reportMissingAutomation(exchange);
  if (!response) return inError(failure?.message ?? "no response");
  if (asksToWait(response.status)) return inError(`The target answered ${response.status}: it asks to retry later.`);
  return succeeded(exchange) ? undefined : explainUntestedKey(exchange, run);
}

/** Judges that a request with an empty key is refused for a missing key, or for its header. */
function judgeRefusal(exchange: Exchange, run: Exchanges): Judgement {
  const status = exchange.response?.status ?? 0;
  const isRefused = status === 400 || status === 401;
  const expected = "401, or 400, because no key follows the scheme Bearer";
  return notJudged(exchange, run) ?? judgeStatus(isRefused, expected, status);
}

/** Judges that it is refused for a missing key. */
function judgeMissing(exchange: Exchange, run: Exchanges): Judgement {
  const status = exchange.response?.status ?? 0;
  if (status !== 400 && status !== 401) return nothingSeen("Another check reports that status.");
  const expected = "401, because no key follows the scheme Bearer";
  return notJudged(exchange, run) ?? judgeStatus(status === 401, expected, status);
}

const makeEmptyKeyCheck = (name: string, judge: (exchange: Exchange, run: Exchanges) => Judgement): Check =>
  makeCheck(`${word}/${name}-empty-key`, [`${word}/with-empty`], (exchange, _, run) => judge(exchange, run), {
    operation,
    consults: [wrongKeyId, ...keyEvidence],
  });

/**
 * Checks of `Bearer` with nothing behind it: a key is missing (401), or the header is malformed (400).
 *
 * Source: interface § Authentication; RFC 6750, section 3.1.
 */
export const emptyBearerChecks: readonly Check[] = [
  makeEmptyKeyCheck("refuses", judgeRefusal),
  makeEmptyKeyCheck("401", judgeMissing),
];
