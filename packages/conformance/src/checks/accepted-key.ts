import type { Exchange } from "../http/exchange.ts";
import { verdict, type Judgement, type Run } from "./check.ts";

/** Requirement that an API key is the token of every session-scoped operation. */
export const tokenIsApiKey = "auth.session.token-is-api-key";

/** Ids of plain valid requests: an answer of 200 to one of another operation shows that key and session are valid. */
export const plainRequests: readonly string[] = [
  "scrape/defaults",
  "cookies/read",
  "scrape/plain-at-the-end",
  "cookies/read-at-the-end",
];

const findSession = ({ plan }: Exchange): string | undefined => /^\/sessions\/([^/]+)\//.exec(plan.path)?.[1];

/**
 * Judges a 401 to the key that another operation on the same session accepted afterwards: the session-scoped operations have one scheme,
 * without scopes. Undefined for every other answer: only the person who runs the suite knows whether the key is valid.
 *
 * Source: interface § Authentication.
 */
export function judgeKey(exchange: Exchange, run: Run): Judgement | undefined {
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
