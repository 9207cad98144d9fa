import { judgeRefused, judgeRejected } from "../answers.ts";
import { nothingSeen, type Judgement } from "../check.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";

/** The requirement about the status of every page scrape that fails validation. Source: interface § Errors. */
const status422 = "scrape.422";

/**
 * Judges the response to an invalid page scrape. A success violates the given requirement; a refusal with another status than
 * 422 violates the one about that status.
 *
 * Source: interface § Errors.
 */
export function judgeInvalid(exchange: Exchange, what: string, requirement?: string): Judgement {
  return judgeRejected(exchange, 422, what, succeeded(exchange) ? requirement : status422);
}

/**
 * Judges the response to an invalid request whose status is left open: anything but a success passes. A closed connection
 * without a response shows nothing.
 *
 * Source: interface § Errors, § Limits.
 */
export function judgeNotTaken(exchange: Exchange, what: string, requirement?: string): Judgement {
  if (!exchange.response)
    return nothingSeen("No response came, and the interface does not say which one would be right.");
  return judgeRefused(exchange, what, requirement);
}
