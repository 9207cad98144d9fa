import { type Exchanges, verdict, type Judgement } from "./check.ts";
import type { Exchange } from "../http/exchange.ts";

/** Statuses that may mean that a session does not exist. */
const absent: ReadonlySet<number> = new Set([404, 410]);

const findSession = ({ plan }: Exchange): string | undefined => /^\/sessions\/([^/?]+)\//.exec(plan.path)?.[1];

/** Returns whether a request is a valid one for an open session, with the key. */
const isValid = ({ expects, plan, operation }: Exchange): boolean =>
  expects === "success" &&
  plan.credentials === "key" &&
  (operation === "page_scrape" || operation === "session_cookies");

/**
 * Returns whether valid requests for the same session, to whatever operation, were answered with 200 before and after.
 *
 * @param all - The valid requests in the order of their answers: it decides between two in one millisecond.
 */
function isBetweenSuccesses(exchange: Exchange, all: readonly Exchange[]): boolean {
  const at = all.findIndex(({ id }) => id === exchange.id);
  const isSuccess = (other: Exchange): boolean =>
    other.response?.status === 200 && findSession(other) === findSession(exchange);
  return (
    all.slice(0, at).some((other) => isSuccess(other) && other.startedAt <= exchange.startedAt) &&
    all.slice(at + 1).some((other) => isSuccess(other) && other.startedAt >= exchange.startedAt)
  );
}

/**
 * Returns how often an operation is answered as if there were no session, although the session is shown to be there, before and after:
 * each time, so that the operation is not there, or now and then. Undefined for other answers, and where nothing shows the session.
 */
export function findAbsence(exchange: Exchange, run: Exchanges): "each time" | "now and then" | undefined {
  if (!absent.has(exchange.response?.status ?? 0) || !isValid(exchange)) return undefined;
  const all = [...(run?.values() ?? [])].filter(isValid);
  const same = all.filter(
    (other) => other.operation === exchange.operation && findSession(other) === findSession(exchange),
  );
  const missed = same.filter(({ response }) => absent.has(response?.status ?? 0));
  if (same.some(({ response }) => response?.status === 200))
    return isBetweenSuccesses(exchange, all) ? "now and then" : undefined;
  return missed.some((other) => isBetweenSuccesses(other, all)) ? "each time" : undefined;
}

/** Returns whether any scrape of the same session was answered with 200, so that it has a page. */
export function hasPage(exchange: Exchange, run: Exchanges): boolean {
  return [...(run?.values() ?? [])].some(
    (other) =>
      other.operation === "page_scrape" &&
      other.response?.status === 200 &&
      other.plan.credentials === "key" &&
      findSession(other) === findSession(exchange),
  );
}

/** Requirement that an API key is the token of every session-scoped operation. */
export const tokenIsApiKey = "auth.session.token-is-api-key";

/** Ids of plain valid requests: an answer of 200 to one of another operation shows that key and session are valid. */
export const plainRequests: readonly string[] = [
  "scrape/defaults",
  "cookies/read",
  "scrape/plain-at-the-end",
  "cookies/read-at-the-end",
];

/**
 * Judges a 401 to the key that another operation on the same session accepted afterwards: the session-scoped operations have one scheme,
 * without scopes. Undefined for every other answer: only the person who runs the suite knows whether the key is valid.
 *
 * Source: interface § Authentication.
 */
export function judgeKey(exchange: Exchange, run: Exchanges): Judgement | undefined {
  if (exchange.response?.status !== 401) return undefined;
  const isTaken = [...(run?.values() ?? [])].some(
    (other) =>
      other.operation !== exchange.operation &&
      other.plan.credentials === "key" &&
      other.response?.status === 200 &&
      findSession(other) === findSession(exchange) &&
      other.startedAt >= exchange.startedAt,
  );
  if (!isTaken) return undefined;
  const expected = "200, as another operation on the same session gave afterwards to the same key";
  return verdict(false, { requirement: tokenIsApiKey, where: "status", expected, received: "401" });
}
