import { makeCheck } from "../make-check.ts";
import { judgeStatus, nothingSeen, type Check } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import type { Exchange, RawResponse } from "../../http/exchange.ts";
import { jsonOperations } from "./asked-operations.ts";
import { listOpenProbeIds } from "./open-requests.ts";

/** Returns whether a status means that a server can't go on, and not that it asks to wait. */
const isServerError = ({ status }: RawResponse): boolean => status >= 500 && status !== 501 && status !== 503;

/**
 * Checks that requests which the interface leaves open are answered or refused, and break nothing. Requests about which something is stated
 * have checks of their own: where one of those fails, the operation is broken, and the same cause is not reported a second time here.
 */
export const serverErrorChecks: readonly Check[] = jsonOperations.map(({ operation, word }) =>
  makeCheck(
    `${word}/no-server-error`,
    listOpenProbeIds(operation),
    ({ response }, _, run) => {
      if (response === undefined) return nothingSeen("No response came.");
      const hasFailed = isServerError(response);
      if (hasFailed && failsAtValidRequests(operation, run)) return nothingSeen("Valid requests fail as well.");
      return judgeStatus(!hasFailed, "an answer, or a refusal", response.status);
    },
    { operation },
  ),
);

/** Returns whether a valid request of the run failed, too. */
function failsAtValidRequests(operation: Operation, run: ReadonlyMap<string, Exchange> = new Map()): boolean {
  return [...run.values()].some(
    (exchange) =>
      exchange.operation === operation &&
      exchange.expects === "success" &&
      exchange.response !== undefined &&
      isServerError(exchange.response),
  );
}
