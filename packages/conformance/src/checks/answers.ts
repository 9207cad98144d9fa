import { inTrouble, nothingSeen, verdict, type Finding, type Judgement } from "./check.ts";
import { bodyJson, header, jsonAnswer, mediaType, redirectOf, type Exchange } from "../http/exchange.ts";

/**
 * Statuses that tell of the setup or of the moment, not of the target's conformance, when they answer a request that
 * is valid: whether the key, the session and the rate are right is known to the person who runs the suite.
 */
const setupStatuses: Readonly<Record<number, string>> = {
  401: "Is the API key valid for this target?",
  403: "May this API key use this session?",
  404: "Does the session exist?",
  409: "Is the session in the right state?",
  410: "Does the session still exist?",
  425: "Is the session ready?",
  429: "Is the rate of this key exhausted?",
  503: "Is the target up?",
};

/** Transient statuses: the next request may be answered differently. */
const momentary: ReadonlySet<number> = new Set([429, 503]);

/**
 * Tells whether this status, as the response to an invalid request, may be caused by the setup: the key, the session or the
 * address. The other exchanges of a run can decide that.
 */
export function isAmbiguous(status: number): boolean {
  return Object.hasOwn(setupStatuses, status) && !momentary.has(status);
}

function setupTrouble(status: number, hint: string): string {
  return `The target answered ${status} to the configured key and session. ${hint}`;
}

/** Reason why a redirect is not judged here: the checks of the reading about redirects do that. */
export const redirectsOpen =
  "The target answered with a redirect; the interface leaves open whether it may, and the suite does not follow redirects.";

/** Judges the status of a request that is valid: it must be the one that the interface names, or a redirect. */
export function judgeAccepted(exchange: Exchange, requirement: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inTrouble(failure?.message ?? "no response");
  if (response.status === 200) return verdict(true, finding("200"));
  if (redirectOf(exchange) !== undefined) return nothingSeen(redirectsOpen);
  const hint = setupStatuses[response.status];
  if (hint) return inTrouble(setupTrouble(response.status, hint));
  if (rejectedFields(exchange).includes("session_id")) {
    return inTrouble(`The target answered ${response.status}: it does not accept the configured session id.`);
  }
  return verdict(false, finding(received(exchange)));

  function finding(got: string): Omit<Finding, "exchange"> {
    return { requirement, where: "status", expected: "200", received: got };
  }
}

/**
 * Judges the status of a request that is not valid: it must be the one that the interface names for it. An answer that
 * may tell of the setup is the target's fault once the setup is proven.
 */
export function judgeRejected(exchange: Exchange, status: number, requirement: string, what: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inTrouble(failure?.message ?? "no response");
  const hint = response.status === status ? undefined : setupStatuses[response.status];
  if (hint && exchange.setupProven !== true && exchange.plan.credentials === "key")
    return inTrouble(setupTrouble(response.status, hint));
  const expected = `${status}, because of ${what}`;
  return verdict(response.status === status, { requirement, where: "status", expected, received: received(exchange) });
}

/**
 * Judges an answer to a request without valid credentials, where the interface names no status: anything but success.
 */
export function judgeRefused(exchange: Exchange, requirement: string, what: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inTrouble(failure?.message ?? "no response");
  const expected = `no success, because ${what}`;
  const refused = response.status < 200 || response.status >= 300;
  return verdict(refused, { requirement, where: "status", expected, received: received(exchange) });
}

/** Judges the media type of an answer; its parameters are left open. */
export function judgeMediaType(exchange: Exchange, status: number, want: string, requirement: string): Judgement {
  const { response } = exchange;
  if (response?.status !== status) return nothingSeen(`No response had the status ${status}.`);
  return verdict(mediaType(response) === want, {
    requirement,
    where: "header content-type",
    expected: want,
    received: header(response, "content-type") ?? "no content-type",
  });
}

/** Judges that an answer with that status has a JSON body. */
export function judgeJson(exchange: Exchange, status: number, requirement: string): Judgement {
  const { response } = exchange;
  if (response?.status !== status) return nothingSeen(`No response had the status ${status}.`);
  if (response.end !== "complete") return inTrouble(`The body was not complete: ${response.end}.`);
  const body = bodyJson(response);
  if ("problem" in body && body.unread)
    return inTrouble(`The response has ${body.problem}, which the suite does not judge.`);
  const got = "problem" in body ? body.problem : "JSON";
  return verdict(!("problem" in body), { requirement, where: "body", expected: "JSON", received: got });
}

/**
 * Returns the fields that a 422 response names: the last name of each `loc`. Empty for other responses, and for bodies that can't be read.
 */
export function rejectedFields(exchange: Exchange): string[] {
  const body = jsonAnswer(exchange, 422);
  if (!("value" in body)) return [];
  const detail = member(body.value, "detail");
  if (!Array.isArray(detail)) return [];
  return detail.flatMap((problem: unknown) => {
    const loc = member(problem, "loc");
    const names = Array.isArray(loc) ? loc.filter((part) => typeof part === "string") : [];
    return names.slice(-1);
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function received(exchange: Exchange): string {
  const { response } = exchange;
  if (!response) return "no response";
  const location = header(response, "location");
  return location === undefined ? String(response.status) : `${response.status} to ${location}`;
}
