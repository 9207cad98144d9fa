import { inError, notAbout, nothingSeen, verdict, type Judgement, type Exchanges, judgeStatus } from "./check.ts";
import { bodyJson, header, isEventStream, mediaType, findRedirect, type Exchange } from "../http/exchange.ts";
import { rejectedFields } from "./blamed-fields.ts";
import { asksToWait, isAmbiguous, findSetupHint } from "./setup-statuses.ts";
import { findAbsence, hasPage } from "./shown-sessions.ts";
import { explainNoAutomation, findUnserved } from "./unserved.ts";

function describeSetupError(exchange: Exchange, status: number, hint: string): string {
  if (exchange.operation === "automation_start" && status === 404) {
    return `The target answered 404. ${explainNoAutomation(exchange)}`;
  }
  return `The target answered ${status} to the configured key and session. ${hint}`;
}

/** Returns whether an answer may mean that the session has no page yet. The interface does not show how a target reports that. */
const mayHaveNoPage = ({ operation, response }: Exchange): boolean =>
  operation === "page_scrape" && (response?.status === 400 || response?.status === 422);

/** Reason why a redirect is not judged here: the checks of the reading about redirects judge it. */
export const redirectsOpen =
  "The target answered with a redirect; the interface leaves open whether it may, and the suite does not follow redirects.";

/** Reason why a status is not judged here that may mean that the operation is elsewhere: the checks of served operations judge it. */
export const unserved = "The status says that the operation is not there as it should be; another check reports that.";

/**
 * Judges the status of a request that is valid: it must be the one that the interface names, or a redirect. A refusal that the setup or a
 * temporary condition may have caused is not a fault, unless the other exchanges of the run show that the session is there.
 *
 * @param run - The other exchanges. Default: none.
 */
export function judgeAccepted(exchange: Exchange, run?: Exchanges, requirement?: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inError(failure?.message ?? "no response");
  const judge = (expected = "200"): Judgement =>
    judgeStatus(response.status === 200, expected, describeReceived(exchange), requirement);
  if (response.status === 200) return judge();
  if (findUnserved(exchange) !== undefined) return nothingSeen(unserved);
  if (findRedirect(exchange) !== undefined) return nothingSeen(redirectsOpen);
  const absence = findAbsence(exchange, run);
  if (absence === "each time") return nothingSeen(unserved);
  if (absence === "now and then") return judge("200, as for the same session before and after");
  const hint = findSetupHint(response.status);
  if (hint) return inError(describeSetupError(exchange, response.status, hint));
  const fields = rejectedFields(exchange);
  if (fields.includes("session_id"))
    return inError(`The target answered ${response.status}: it does not accept the configured session id.`);
  if (mayHaveNoPage(exchange) && fields.length === 0 && !hasPage(exchange, run))
    return inError(
      describeSetupError(exchange, response.status, "Has the session a page yet? No scrape of it succeeded."),
    );
  return judge();
}

/**
 * Judges the status of a request that is not valid: it must be the one that the interface names for it. An answer that
 * may be caused by the setup is the target's fault once the setup is proven.
 */
export function judgeRejected(exchange: Exchange, status: number, what: string, requirement?: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inError(failure?.message ?? "no response");
  const mayBeSetup = response.status !== status && (isAmbiguous(response.status) || asksToWait(response.status));
  const hint = mayBeSetup ? findSetupHint(response.status) : undefined;
  if (hint && exchange.setupProven !== true && exchange.plan.credentials === "key")
    return inError(describeSetupError(exchange, response.status, hint));
  const expected = `${status}, because of ${what}`;
  return judgeStatus(response.status === status, expected, describeReceived(exchange), requirement);
}

/** Judges an answer to a request without valid credentials, where the interface names no status: anything but success. */
export function judgeRefused(exchange: Exchange, what: string, requirement?: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inError(failure?.message ?? "no response");
  const expected = `no success, because ${what}`;
  const isRefused = response.status < 200 || response.status >= 300;
  return judgeStatus(isRefused, expected, describeReceived(exchange), requirement);
}

/** Judges an answer to an automation request without the valid key: 401. One that asks to wait says nothing about the key. */
export function judge401(exchange: Exchange, what: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inError(failure?.message ?? "no response");
  const { status } = response;
  if (asksToWait(status)) return inError(`The target answered ${status}: it asks to retry later.`);
  return judgeStatus(status === 401, `401, because ${what}`, status);
}

/** Judges the media type of an answer; its parameters are left open. */
export function judgeMediaType(exchange: Exchange, want: string, requirement?: string): Judgement {
  const { response } = exchange;
  if (response?.status !== 200) return notAbout("No response had the status 200.");
  return verdict(mediaType(response) === want, {
    requirement,
    where: "header content-type",
    expected: want,
    received: header(response, "content-type") ?? "no content-type",
  });
}

/** Judges that an answer with that status has a JSON body. */
export function judgeJson(exchange: Exchange, status = 200, requirement?: string): Judgement {
  const { response } = exchange;
  if (response?.status !== status) return notAbout(`No response had the status ${status}.`);
  if (response.end !== "complete") return inError(`The body was not complete: ${response.end}.`);
  const body = bodyJson(response);
  if ("problem" in body && body.unread)
    return inError(`The response has ${body.problem}, which the suite does not judge.`);
  const received = "problem" in body ? body.problem : "JSON";
  return verdict(!("problem" in body), { requirement, where: "body", expected: "JSON", received });
}

/** Judges that a session-scoped answer is JSON. One that holds events violates another requirement. */
export function judgeSessionJson(exchange: Exchange): Judgement {
  const hasEvents = exchange.response !== undefined && isEventStream(exchange.response);
  return judgeJson(exchange, 200, hasEvents ? "stream.events-only-here" : undefined);
}

function describeReceived(exchange: Exchange): string {
  const { response } = exchange;
  if (!response) return "no response";
  const location = header(response, "location");
  return location === undefined ? String(response.status) : `${response.status} to ${location}`;
}
