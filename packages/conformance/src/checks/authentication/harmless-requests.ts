import { holdsKeyElsewhere, splitCredentials } from "../../http/credentials.ts";
import { bodyText, type Exchange } from "../../http/exchange.ts";
import { nothingSeen, type Judgement, type Exchanges, inError } from "../check.ts";
import { automationOperation, bothWrong } from "./protected-operations.ts";
import { explainNoAutomation } from "../unserved.ts";

/** Returns the judgement of a harmless request whose answer shows nothing about its key; undefined when it does. */
export function explainUntestedKey({ operation, plan }: Exchange, run?: Exchanges): Judgement | undefined {
  if (operation !== automationOperation.operation || !holdsKeyElsewhere(plan.credentials)) return undefined;
  const unanswered = bothWrong.find((id) => !isRefused(run?.get(id)));
  if (unanswered === undefined) return undefined;
  const status = run?.get(unanswered)?.response?.status;
  const how = status === undefined ? "was not answered" : `is answered with ${status}`;
  return nothingSeen(
    `So that no run is started, it has no \`query\`; such a request without the valid key ${how}, so the answer says nothing about the key.`,
  );
}

/**
 * Returns whether a harmless request is answered as with the valid key. A 400 shows that only by its body: a header `Authorization` that is
 * not understood may be answered with one as well.
 */
export function isKeyTaken({ response, plan }: Exchange, run?: Exchanges): boolean {
  const withKey = run?.get(`${automationOperation.word}/without-query`)?.response;
  if (!response || !withKey || response.status !== withKey.status) return false;
  if (isRefused({ response }) || response.status >= 500) return false;
  if (response.status !== 400) return true;
  const body = bodyText(response);
  const mayBeMisspelled = splitCredentials(plan.credentials)?.place === "authorization";
  return body === bodyText(withKey) && (!mayBeMisspelled || /query/i.test(body));
}

/** Returns whether a request was refused for its key (401 or 403). */
function isRefused(exchange: Pick<Exchange, "response"> | undefined): boolean {
  return exchange?.response?.status === 401 || exchange?.response?.status === 403;
}

/** Returns the result for a target that answers 404 with the valid key as well: there is no automation at the address. */
export function reportMissingAutomation(exchange: Exchange): Judgement {
  return inError(`The target answered 404, and with the key as well. ${explainNoAutomation(exchange)}`);
}

/** Returns whether an automation request is answered with 404, and one with the valid key as well. */
export function isAutomationMissing({ operation, response }: Exchange, run?: Exchanges): boolean {
  if (operation !== automationOperation.operation || response?.status !== 404) return false;
  return run?.get(`${automationOperation.word}/without-query`)?.response?.status === 404;
}
