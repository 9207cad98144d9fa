import { judgeRefused } from "../answers.ts";
import { nothingSeen, type Check } from "../check.ts";
import { isObject } from "../../http/json.ts";
import { type Exchange } from "../../http/exchange.ts";
import { listOpenProbeIds } from "./open-requests.ts";
import { makeCheck } from "../make-check.ts";

/** Returns whether the body of a request has a `query`, or is broken in a way that other checks are about. */
function hasQuery({ plan: { body = "" } }: Exchange): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && Object.hasOwn(value, "query");
  } catch {
    return body.trim() !== "";
  }
}

/** Returns whether a request with the key lacks `query`, in a form whose status is left open. */
const isAbout = (exchange: Exchange): boolean =>
  exchange.operation === "automation_start" &&
  exchange.expects === "open" &&
  exchange.plan.method === "POST" &&
  exchange.plan.credentials === "key" &&
  !hasQuery(exchange);

/**
 * Check that a body without `query` starts no run, in whatever form. The status of the refusal is judged by other checks, or left open.
 *
 * Source: interface § Automation request.
 */
export const runWithoutQueryCheck: Check = makeCheck(
  "automation/starts-no-run-without-query",
  listOpenProbeIds("automation_start"),
  (exchange) =>
    isAbout(exchange)
      ? judgeRefused(exchange, "`query` is missing")
      : nothingSeen("The request does not lack `query`."),
  { appliesTo: isAbout },
);
