import type { Run } from "./check.ts";
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
export function absenceShown(exchange: Exchange, run: Run): "each time" | "now and then" | undefined {
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
export function hasPage(exchange: Exchange, run: Run): boolean {
  return [...(run?.values() ?? [])].some(
    (other) =>
      other.operation === "page_scrape" &&
      other.response?.status === 200 &&
      other.plan.credentials === "key" &&
      findSession(other) === findSession(exchange),
  );
}
